/** The actions of the tool: which there are, and which of them only look. */
export const actions = [
  'snapshot',
  'create_topic',
  'publish',
  'read_topic',
  'prune_topic',
  'get_state',
  'list_state',
  'cas_state',
  'delete_state',
  'create_actor',
  'send_actor',
  'read_mailbox',
  'prune_mailbox',
  'claim_actor_message',
  'extend_claim',
  'settle_actor_message',
  'release_actor_message',
  'wait',
] as const
export type Action = (typeof actions)[number]

const reads: ReadonlySet<Action> = new Set([
  'snapshot',
  'read_topic',
  'get_state',
  'list_state',
  'read_mailbox',
])

/** Waiting on a mailbox claims; waiting for anything else only looks. */
export function onlyReads(call: {
  readonly action: Action
  readonly actor_id?: string
  readonly message_id?: string
}): boolean {
  if (call.action !== 'wait') return reads.has(call.action)
  return !call.actor_id || Boolean(call.message_id)
}
