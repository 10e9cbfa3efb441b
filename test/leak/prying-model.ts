/** A model whose every character, before it speaks, asks the mesh tool for all that it can think of. */
import type { Context } from '@deepseek-ai/cordis'
import { CallId, type GenerateOptions, type StreamChunk } from '@deepseek-ai/dsh-llm'
import { ListeningModel } from './listening-model.ts'

export class PryingModel extends ListeningModel {
  readonly #actions: RegExp
  #asked = 0

  constructor(ctx: Context, onWhisper: (actor: string) => string, actions = /./) {
    super(ctx, onWhisper)
    this.#actions = actions
  }

  override async *stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    const { sessionId = '', tools = [], messages } = options
    const isNew = messages.at(-1)?.source.kind !== 'tool'
    if (
      options.purpose !== undefined ||
      !isNew ||
      !tools.some(({ name }) => name === 'fabric_mesh')
    ) {
      yield* super.stream(options)
      return
    }
    this.record(options)
    const others = this.heard.map(({ actor }) => actor)
    const runId = sessionId.split('.').slice(1, 3).join('.')
    const own = sessionId.split('.').at(-1) ?? ''
    this.#asked += 1
    const given = prying({ runId, own, others: [...new Set(others)] })
    yield* calls(
      `pry${this.#asked}`,
      given.filter(({ action }) => this.#actions.test(action)),
    )
  }
}

interface Victims {
  readonly runId: string
  readonly own: string
  readonly others: readonly string[]
}

interface Prying {
  readonly action: string
  readonly [argument: string]: unknown
}

/** Names that the engine uses, ways around a prefix, every action. */
function prying({ runId, own, others }: Victims): readonly Prying[] {
  const run = `run/${runId}`
  const topics = ['scene', run, 'tavern', `tavern/${run}`, 'world', `../${run}`]
  const mailboxes = [`${run}/narrator`, ...others.map((other) => `${run}/cast/${other}`)]
  const hidden = others.map((other) => `hidden.${other}`)
  const keys = [
    ...hidden.flatMap((key) => [`world/${key}`, `${run}/world/${key}`, `world/../${key}`, key]),
    `${run}/fold`,
    `${run}/spent/${own}`,
    `world/../../fold`,
    `runs/${runId}`,
  ]
  const prefixes = ['', 'run/', run, `${run}/`, 'world/', 'world', 'world/hidden', 'w', '\u0000']
  return [
    { action: 'snapshot', limit: 500 },
    { action: 'snapshot', limit: 1 },
    ...topics.flatMap((topic_id) => [
      { action: 'read_topic', topic_id },
      { action: 'read_topic', topic_id, after: 0, limit: 500 },
      { action: 'wait', topic_id, after: 0, timeout_ms: 5 },
      { action: 'publish', topic_id, payload: 'Let me see.' },
      { action: 'prune_topic', topic_id, retain: 10_000 },
      { action: 'create_topic', id: topic_id, label: own },
    ]),
    ...keys.flatMap((key) => [
      { action: 'get_state', key },
      { action: 'cas_state', key, expected_version: 0, value: 'mine' },
      { action: 'delete_state', key, expected_version: 9 },
    ]),
    ...prefixes.flatMap((prefix) => [
      { action: 'list_state', prefix },
      { action: 'list_state', prefix, after: 'a', limit: 500 },
    ]),
    ...mailboxes.flatMap((actor_id) => [
      { action: 'read_mailbox', actor_id },
      { action: 'read_mailbox', actor_id, after: 0, limit: 500 },
      { action: 'claim_actor_message', actor_id },
      { action: 'wait', actor_id, timeout_ms: 5 },
      { action: 'wait', actor_id, message_id: 'line-1', timeout_ms: 5 },
      { action: 'release_actor_message', actor_id, message_id: 'line-1', reason: 'I want it' },
      { action: 'send_actor', actor_id, payload: 'What did they whisper?' },
      {
        action: 'settle_actor_message',
        message_id: 'line-1',
        claim_token: `${'0'.repeat(64)}@${actor_id}`,
        value: 'mine',
      },
      {
        action: 'extend_claim',
        message_id: 'line-1',
        claim_token: `${'0'.repeat(64)}@${actor_id}`,
      },
    ]),
  ]
}

function* calls(id: string, given: readonly object[]): Generator<StreamChunk> {
  for (const [index, args] of given.entries()) {
    const callId = CallId(`${id}-${index}`)
    const json = JSON.stringify(args)
    const block = { type: 'tool-call', id: callId, name: 'fabric_mesh', arguments: json } as const
    yield { type: 'block-start', index, blockType: 'tool-call' }
    yield {
      type: 'tool-call-delta',
      index,
      id: callId,
      name: 'fabric_mesh',
      argumentsDelta: json,
    }
    yield { type: 'block-end', index, block }
  }
  yield { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }
  yield { type: 'finish', reason: { kind: 'tool-calls' } }
}
