/** The one flat schema of the tool: each action reads its own few of these. */
import type { InferArgs } from '@deepseek-ai/dsh-tools'
import { LIMIT } from '../bounds.ts'
import { actions } from './actions.ts'
import { usage } from './guidance.ts'

export const WAIT_MS = { most: 60_000, default: 30_000 }
export const RETAIN = 10_000

const text = (description: string) => ({ type: 'string', description }) as const
const whole = (description: string) => ({ type: 'integer', description }) as const
const json = (description: string) => ({ type: 'json', description }) as const

export const parameters = {
  action: { type: 'string', required: true, enum: actions, description: usage },
  topic_id: text('Topic.'),
  actor_id: text('Actor, whose mailbox is meant.'),
  message_id: text('Message of the mailbox.'),
  claim_token: text('As claim_actor_message gave it.'),
  id: text(
    'Of the topic, actor, message or change to make; the same message or change is made once.',
  ),
  label: text('Shown to people; for create_topic and create_actor.'),
  payload: json('For publish and send_actor.'),
  to: { type: 'array', items: { type: 'string' }, description: 'Addressees, for publish.' },
  key: text('State key.'),
  prefix: text('Beginning of state keys, for list_state.'),
  expected_version: whole('Version last seen; 0 for a key that is not there.'),
  value: json('New state, or the result that settles a message.'),
  error: text('Why a message failed, instead of a value.'),
  reason: text('Why a claim is released.'),
  after: {
    oneOf: [{ type: 'integer' }, { type: 'string' }],
    description:
      'Only what follows: a sequence, or the last key for list_state. Then oldest first.',
  },
  limit: whole(`Records at most: 1 to ${LIMIT.most}, default ${LIMIT.default}.`),
  retain: whole(`Newest records a prune keeps: 0 to ${RETAIN}.`),
  priority: whole('-100 to 100, higher first; for send_actor.'),
  delay_ms: whole('Nobody can claim it before; for send_actor.'),
  lease_ms: whole('A claim not extended for so long ends; for create_actor.'),
  max_attempts: whole('Claims of a message before it is dead; for create_actor.'),
  timeout_ms: whole(`How long to wait: 0 to ${WAIT_MS.most}, default ${WAIT_MS.default}.`),
} as const

export type MeshArguments = InferArgs<typeof parameters>
export type Parameter = keyof typeof parameters
