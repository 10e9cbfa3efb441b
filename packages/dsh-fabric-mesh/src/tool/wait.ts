/** Waiting, within a bound: for a topic's next message, a mailbox's next claim, or a message's end. Nothing polls. */
import type { JsonValue } from 'dsh-fabric-protocol'
import type { Arguments } from './arguments.ts'
import type { Caller } from './caller.ts'
import { waitForMailbox, waitForSettled } from './claim-actions.ts'
import { invalid } from './error.ts'
import { WAIT_MS } from './parameters.ts'
import { waitForTopic } from './topic-actions.ts'

export async function wait(given: Arguments, caller: Caller): Promise<JsonValue> {
  if (given.has('topic_id') === given.has('actor_id')) {
    throw invalid('topic_id', 'wait needs topic_id or actor_id, and not both')
  }
  const most = given.optionalWhole('timeout_ms', [0, WAIT_MS.most]) ?? WAIT_MS.default
  const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(most)])
  if (given.has('topic_id')) return await waitForTopic(given, caller, signal)
  return given.has('message_id')
    ? await waitForSettled(given, caller, signal)
    : await waitForMailbox(given, caller, signal)
}
