/** improv with ears: every request's bytes are kept, and its whispers carry a mark of their own. */
import type { Context } from '@deepseek-ai/cordis'
import {
  CallId,
  type GenerateOptions,
  LlmAdapter,
  type LlmResolvedModelInfo,
  type StreamChunk,
} from '@deepseek-ai/dsh-llm'

export interface Heard {
  /** Session id. */
  readonly session: string
  readonly actor: string
  readonly bytes: string
}

export class ListeningModel extends LlmAdapter {
  readonly heard: Heard[] = []
  readonly #ctx: Context
  readonly #onWhisper: (actor: string) => string
  #asked = 0

  /** `onWhisper` gives the mark for a whisper of this actor. */
  constructor(ctx: Context, onWhisper: (actor: string) => string) {
    super()
    this.#ctx = ctx
    this.#onWhisper = onWhisper
  }

  override async resolveModel(provider: string, model: string): Promise<LlmResolvedModelInfo> {
    return { provider, id: model, name: model, context: { contextWindow: 32_768 } }
  }

  override async *stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    const actor = this.record(options)
    const prying = this.#pry(options, actor)
    if (prying) {
      yield* prying
      return
    }
    const inner = this.#ctx.llm.stream({ ...options, provider: 'improv', model: 'improv-1' })
    for await (const chunk of inner) yield this.#marked(chunk, actor)
  }

  /** Who asked. */
  protected record(options: GenerateOptions): string {
    const { sessionId = '', system, tools, messages } = options
    const actor = sessionId.split('.').at(-1) ?? ''
    this.heard.push({
      session: sessionId,
      actor,
      bytes: JSON.stringify({ system, tools, messages: messages.map(({ content }) => content) }),
    })
    return actor
  }

  /** Now and then a character asks for what it must not know, or whispers to who is not there. */
  #pry(options: GenerateOptions, actor: string): readonly StreamChunk[] | undefined {
    const names = options.tools?.map(({ name }) => name) ?? []
    const last = options.messages.at(-1)
    if (!names.includes('world_get') || last?.source.kind === 'tool') return undefined
    this.#asked += 1
    const id = `pry-${this.#asked}`
    if (this.#asked % 5 === 0) return call(id, 'world_get', { key: `hidden.${this.#other(actor)}` })
    if (this.#asked % 7 === 0) {
      return call(id, 'world_set', {
        key: `hidden.${this.#other(actor)}`,
        value: 1,
        expected_version: 0,
      })
    }
    if (this.#asked % 11 === 0) return call(id, 'whisper', { to: ['nobody'], text: 'Hm.' })
    return undefined
  }

  #other(actor: string): string {
    return this.heard.find((request) => request.actor !== actor)?.actor ?? 'nobody'
  }

  #marked(chunk: StreamChunk, actor: string): StreamChunk {
    if (chunk.type !== 'block-end' || chunk.block.type !== 'tool-call') return chunk
    if (chunk.block.name !== 'whisper') return chunk
    const given: { to: string[]; text: string } = JSON.parse(chunk.block.arguments)
    const text = `${given.text} ${this.#onWhisper(actor)}`
    return { ...chunk, block: { ...chunk.block, arguments: JSON.stringify({ ...given, text }) } }
  }
}

function call(id: string, name: string, args: object): readonly StreamChunk[] {
  const json = JSON.stringify(args)
  return [
    { type: 'block-start', index: 0, blockType: 'tool-call' },
    { type: 'tool-call-delta', index: 0, id: CallId(id), name, argumentsDelta: json },
    {
      type: 'block-end',
      index: 0,
      block: { type: 'tool-call', id: CallId(id), name, arguments: json },
    },
    { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
    { type: 'finish', reason: { kind: 'tool-calls' } },
  ]
}
