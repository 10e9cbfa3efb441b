/** One call of the tool, by its action. */
import type { JsonValue } from 'dsh-fabric-protocol'
import type { Action } from './actions.ts'
import { Arguments } from './arguments.ts'
import type { Caller } from './caller.ts'
import { claimMessage, extendClaim, releaseMessage, settleMessage } from './claim-actions.ts'
import { createActor, pruneMailbox, readMailbox, sendActor } from './mailbox-actions.ts'
import type { MeshArguments, Parameter } from './parameters.ts'
import { snapshot } from './snapshot.ts'
import { casState, deleteState, getState, listState } from './state-actions.ts'
import { createTopic, pruneTopic, publish, readTopic } from './topic-actions.ts'
import { wait } from './wait.ts'

type Perform = (given: Arguments, caller: Caller) => Promise<JsonValue>

const performs: Readonly<Record<Action, Perform>> = {
  snapshot,
  create_topic: createTopic,
  publish,
  read_topic: readTopic,
  prune_topic: pruneTopic,
  get_state: getState,
  list_state: listState,
  cas_state: casState,
  delete_state: deleteState,
  create_actor: createActor,
  send_actor: sendActor,
  read_mailbox: readMailbox,
  prune_mailbox: pruneMailbox,
  claim_actor_message: claimMessage,
  extend_claim: extendClaim,
  settle_actor_message: settleMessage,
  release_actor_message: releaseMessage,
  wait,
}

export async function perform(given: MeshArguments, caller: Caller): Promise<JsonValue> {
  return await performs[given.action](new Arguments(given), caller)
}

/** The argument that carries what is stored. */
export function storedBy(action: Action): Parameter | undefined {
  if (action === 'publish' || action === 'send_actor') return 'payload'
  if (action === 'cas_state' || action === 'settle_actor_message') return 'value'
  return undefined
}
