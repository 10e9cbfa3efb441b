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
    /** 1, 2, 3 and so on in its topic; the order of the topic. */
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
    /** Given up after `maxAttempts`; they wait for an operator. */
    dead: z.int().nonnegative(),
    /** A claim that is not extended for so long is taken back; absent: a claim has no end. */
    leaseMs: z.int().positive().optional(),
    /** A message whose claim was taken back so often is dead; absent: never. */
    maxAttempts: z.int().positive().optional(),
  })
  .readonly()
export type MailboxRecord = z.infer<typeof mailboxRecord>

const sent = {
  mailboxId: z.string(),
  /** Strictly increasing in its mailbox, perhaps with gaps. */
  sequence: z.int().positive(),
  id: z.string(),
  payload: jsonValue,
  ...authorship,
  sentAt: z.number(),
  /** How often it was claimed so far. */
  attempts: z.int().nonnegative(),
  /** Higher ones are claimed first; equal ones oldest first. */
  priority: z.int(),
}
const claimed = { claimedBy: z.string(), claimedAt: z.number() }

/** A mailbox message by status. A claim token is in none of them: the mesh keeps its hash only. */
export const mailboxMessage = z.discriminatedUnion('status', [
  z
    .object({
      status: z.literal('queued'),
      ...sent,
      /** It was sent with a delay, and nobody gets it before. */
      availableAt: z.number().optional(),
    })
    .readonly(),
  z
    .object({
      status: z.literal('claimed'),
      ...sent,
      ...claimed,
      /** In a mailbox with leases: the claim is void from then on. */
      leaseUntil: z.number().optional(),
    })
    .readonly(),
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
  z
    .object({
      status: z.literal('dead'),
      ...sent,
      ...claimed,
      /** Why its last claim was taken back. */
      reason: z.string(),
      diedAt: z.number(),
    })
    .readonly(),
])
export type MailboxMessage = z.infer<typeof mailboxMessage>
export type SettledMessage = Extract<MailboxMessage, { status: 'completed' | 'failed' }>
/** Nobody works on it any more, unless an operator releases a dead one. */
export type EndedMessage = Extract<MailboxMessage, { status: 'completed' | 'failed' | 'dead' }>
export type ClaimedMessage = Extract<MailboxMessage, { status: 'claimed' }>

/** A claim that was taken back: by an operator, or because its lease ended. */
export const claimRelease = z
  .object({
    kind: z.enum(['operator', 'lease']),
    /** Of the claim: 1 for the message's first. */
    attempt: z.int().positive(),
    claimedBy: z.string(),
    releasedAt: z.number(),
    ...authorship,
    reason: z.string(),
  })
  .readonly()
export type ClaimRelease = z.infer<typeof claimRelease>

export const settleOutcome = z.discriminatedUnion('status', [
  z.object({ status: z.literal('completed'), result: jsonValue }).readonly(),
  z.object({ status: z.literal('failed'), error: z.string() }).readonly(),
])
export type SettleOutcome = z.infer<typeof settleOutcome>
