/** The tool's actions on topics. */
import { randomUUID } from 'node:crypto'
import { asJson, type JsonValue, type TopicMessage } from 'dsh-fabric-protocol'
import { LABEL_BYTES } from '../bounds.ts'
import type { Arguments } from './arguments.ts'
import type { Caller } from './caller.ts'
import { fitting, PAGE_BYTES } from './fitting.ts'
import { RETAIN } from './parameters.ts'

export async function createTopic(given: Arguments, caller: Caller): Promise<JsonValue> {
  const label = given.text('label', LABEL_BYTES)
  const id = given.optionalId('id') ?? randomUUID()
  return asJson(await caller.reach.topics.create({ id, label, ...caller.author }))
}

export async function publish(given: Arguments, caller: Caller): Promise<JsonValue> {
  const topicId = given.id('topic_id')
  const payload = given.json('payload')
  const id = given.optionalId('id')
  const to = given.addressees()
  const post = { payload, ...caller.author, ...(id ? { id } : {}), ...(to ? { to } : {}) }
  return asJson(await caller.reach.topics.publish(topicId, post))
}

/** Newest first, as a program of the peer's expects; with a cursor oldest first, so that it can be followed. */
export async function readTopic(given: Arguments, caller: Caller): Promise<JsonValue> {
  const topicId = given.id('topic_id')
  const limit = given.limit()
  const after = given.afterSequence()
  const { topics } = caller.reach
  if (after === undefined) {
    return shownPage((await topics.tail(topicId, { limit })).toReversed())
  }
  return shownPage(await topics.read(topicId, { after, limit }))
}

export async function pruneTopic(given: Arguments, caller: Caller): Promise<JsonValue> {
  const topicId = given.id('topic_id')
  return asJson(await caller.reach.topics.prune(topicId, given.whole('retain', [0, RETAIN])))
}

/** What came after the cursor; empty when nothing did in time. */
export async function waitForTopic(
  given: Arguments,
  caller: Caller,
  signal: AbortSignal,
): Promise<JsonValue> {
  const topicId = given.id('topic_id')
  const limit = given.limit()
  const { topics } = caller.reach
  const after = given.afterSequence() ?? (await headOf(caller, topicId))
  const watched = topics.watch(topicId, { after, signal })[Symbol.asyncIterator]()
  await watched.next()
  await watched.return?.()
  return shownPage(await topics.read(topicId, { after, limit }))
}

/** An unknown topic is the watch's to refuse. */
async function headOf(caller: Caller, topicId: string): Promise<number> {
  return (await caller.reach.topics.find(topicId))?.headSequence ?? 0
}

function shownPage(messages: readonly TopicMessage[]): JsonValue {
  return fitting(messages, PAGE_BYTES).map(asJson)
}
