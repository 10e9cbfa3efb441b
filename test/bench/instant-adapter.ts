/** An adapter that answers at once, with honest usage: what is left of a turn's cost is the host's and ours. */
import {
  type GenerateOptions,
  LlmAdapter,
  type LlmResolvedModelInfo,
  type StreamChunk,
} from '@deepseek-ai/dsh-llm'

const SENTENCE = 'The rain has not let up, and nobody at this table has told the whole of it yet. '

export class InstantAdapter extends LlmAdapter {
  #answers = 0

  override async resolveModel(provider: string, model: string): Promise<LlmResolvedModelInfo> {
    return { provider, id: model, name: model, context: { contextWindow: 32_000 } }
  }

  override async *stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    this.#answers += 1
    const summary = options.purpose === 'compaction'
    const text = summary ? `They talked of the rain, ${this.#answers}.` : this.#speech()
    yield { type: 'block-start', index: 0, blockType: 'text' }
    yield { type: 'text-delta', index: 0, text }
    yield { type: 'block-end', index: 0, block: { type: 'text', text } }
    const usage = { inputTokens: tokensOf(options), outputTokens: Math.ceil(text.length / 4) }
    yield { type: 'usage', usage }
    yield { type: 'finish', reason: { kind: 'stop' } }
  }

  #speech(): string {
    return `${SENTENCE.repeat(3)}(${this.#answers})`
  }
}

function tokensOf({ messages, system }: GenerateOptions): number {
  const characters = messages
    .flatMap(({ content }) => content)
    .reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0)
  return Math.ceil((characters + (system?.length ?? 0)) / 4)
}
