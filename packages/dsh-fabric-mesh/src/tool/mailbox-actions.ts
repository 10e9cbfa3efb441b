/** The tool's actions on actors: making them, sending to them, reading and pruning their mailboxes. */
import { randomUUID } from 'node:crypto'
import { asJson, type JsonValue, type MailboxMessage } from 'dsh-fabric-protocol'
import { ATTEMPTS, DELAY_MS, LABEL_BYTES, LEAST_LEASE_MS, PRIORITY } from '../bounds.ts'
import type { Arguments } from './arguments.ts'
import type { Caller } from './caller.ts'
import { fitting, PAGE_BYTES } from './fitting.ts'
import { newestInMailbox } from './newest.ts'
import { RETAIN } from './parameters.ts'
import { shownActor, shownMessage } from './records.ts'

export async function createActor(given: Arguments, caller: Caller): Promise<JsonValue> {
  const label = given.text('label', LABEL_BYTES)
  const id = given.optionalId('id') ?? randomUUID()
  const leaseMs = given.optionalWhole('lease_ms', [LEAST_LEASE_MS, DELAY_MS])
  const maxAttempts = given.optionalWhole('max_attempts', [1, ATTEMPTS])
  const mailbox = await caller.reach.mailboxes.create({
    id,
    label,
    ...caller.author,
    ...(leaseMs === undefined ? {} : { leaseMs }),
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
  })
  return shownActor(mailbox)
}

export async function sendActor(given: Arguments, caller: Caller): Promise<JsonValue> {
  const mailboxId = given.id('actor_id')
  const payload = given.json('payload')
  const id = given.optionalId('id')
  const priority = given.optionalWhole('priority', [-PRIORITY, PRIORITY])
  const delayMs = given.optionalWhole('delay_ms', [0, DELAY_MS])
  const message = await caller.reach.mailboxes.send(mailboxId, {
    payload,
    ...caller.author,
    ...(id ? { id } : {}),
    ...(priority === undefined ? {} : { priority }),
    ...(delayMs === undefined ? {} : { delayMs }),
  })
  return shownMessage(message)
}

/** Newest first, as a program of the peer's expects; with a cursor oldest first, so that it can be followed. */
export async function readMailbox(given: Arguments, caller: Caller): Promise<JsonValue> {
  const mailboxId = given.id('actor_id')
  const limit = given.limit()
  const after = given.afterSequence()
  const { mailboxes } = caller.reach
  const messages =
    after === undefined
      ? await newestInMailbox(mailboxes, mailboxId, limit)
      : await mailboxes.read(mailboxId, { after, limit })
  return shownPage(messages)
}

export async function pruneMailbox(given: Arguments, caller: Caller): Promise<JsonValue> {
  const mailboxId = given.id('actor_id')
  return asJson(await caller.reach.mailboxes.prune(mailboxId, given.whole('retain', [0, RETAIN])))
}

function shownPage(messages: readonly MailboxMessage[]): JsonValue {
  return fitting(messages, PAGE_BYTES).map((message) => shownMessage(message))
}
