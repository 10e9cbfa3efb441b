/** The records of the mesh: topics, their messages, state, mailboxes and their messages. */
import { z } from 'zod'
import { jsonValue } from './json.ts'

/** Where a record came from: who wrote it, and the message that made them. */
const authorship = {
  by: z.string(),
  cause: z.string().optional(),
}

export const topicRecord = z
  .object({
    id: z.string(),
    label: z.string(),
    by: z.string(),
    createdAt: z.number(),
    updatedAt: z.number(),
    /** Sequence of the newest message ever published; 0 before the first. Never goes back. */
    headSequence: z.int().nonnegative(),
  })
  .readonly()
export type TopicRecord = z.infer<typeof topicRecord>

export const topicMessage = z
  .object({
    topicId: z.string(),
    /** Strictly increasing in its topic, from 1; the order of the topic. */
    sequence: z.int().positive(),
    /** Unique in its topic; publishing it again returns this message. */
    id: z.string(),
    payload: jsonValue,
    ...authorship,
    /** Addressees, where the message is not for everybody. */
    to: z.array(z.string()).readonly().optional(),
    publishedAt: z.number(),
  })
  .readonly()
export type TopicMessage = z.infer<typeof topicMessage>

export const stateRecord = z
  .object({
    key: z.string(),
    /** Counts the changes of this key from 1; never repeats, also over a delete. */
    version: z.int().positive(),
    value: jsonValue,
    ...authorship,
    updatedAt: z.number(),
  })
  .readonly()
export type StateRecord = z.infer<typeof stateRecord>

const change = {
  /** Order of all state changes of the workspace, from 1. */
  sequence: z.int().positive(),
  key: z.string(),
  version: z.int().positive(),
  ...authorship,
  changedAt: z.number(),
}
export const stateChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('set'), ...change, value: jsonValue }).readonly(),
  z.object({ kind: z.literal('deleted'), ...change }).readonly(),
])
export type StateChange = z.infer<typeof stateChange>

export const mailboxRecord = z
  .object({
    id: z.string(),
    label: z.string(),
    by: z.string(),
    createdAt: z.number(),
    updatedAt: z.number(),
    headSequence: z.int().nonnegative(),
    queued: z.int().nonnegative(),
    claimed: z.int().nonnegative(),
    completed: z.int().nonnegative(),
    failed: z.int().nonnegative(),
  })
  .readonly()
export type MailboxRecord = z.infer<typeof mailboxRecord>

const sent = {
  mailboxId: z.string(),
  sequence: z.int().positive(),
  id: z.string(),
  payload: jsonValue,
  ...authorship,
  sentAt: z.number(),
  /** How often it was claimed so far. */
  attempts: z.int().nonnegative(),
}
const claimed = { claimedBy: z.string(), claimedAt: z.number() }

/** A mailbox message by status. A claim token is in none of them: the mesh keeps its hash only. */
export const mailboxMessage = z.discriminatedUnion('status', [
  z.object({ status: z.literal('queued'), ...sent }).readonly(),
  z.object({ status: z.literal('claimed'), ...sent, ...claimed }).readonly(),
  z
    .object({
      status: z.literal('completed'),
      ...sent,
      ...claimed,
      result: jsonValue,
      settledAt: z.number(),
    })
    .readonly(),
  z
    .object({
      status: z.literal('failed'),
      ...sent,
      ...claimed,
      error: z.string(),
      settledAt: z.number(),
    })
    .readonly(),
])
export type MailboxMessage = z.infer<typeof mailboxMessage>
export type SettledMessage = Extract<MailboxMessage, { status: 'completed' | 'failed' }>
export type ClaimedMessage = Extract<MailboxMessage, { status: 'claimed' }>

export const settleOutcome = z.discriminatedUnion('status', [
  z.object({ status: z.literal('completed'), result: jsonValue }).readonly(),
  z.object({ status: z.literal('failed'), error: z.string() }).readonly(),
])
export type SettleOutcome = z.infer<typeof settleOutcome>
