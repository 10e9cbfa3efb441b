/** The host's side of improv: one provider, one model, no network, no key. */
import {
  type GenerateOptions,
  LlmAdapter,
  type LlmModelInfo,
  type LlmResolvedModelInfo,
  type ResolvedRetryPolicy,
  resolveRetryPolicy,
  type StreamChunk,
} from '@deepseek-ai/dsh-llm'
import { answerTo } from './answer.ts'
import { streamed } from './streaming.ts'
import { inputTokens } from './tokens.ts'

export const improvProvider = 'improv'
export const improvModel = 'improv-1'

export interface ImprovConfig {
  /** Tokens the host may put into one request. */
  readonly contextWindow: number
  /** Milliseconds between pieces of text. */
  readonly chunkDelayMs: number
  /** 0 to 1: how readily it uses the tools it is offered. */
  readonly toolUse: number
}

export class ImprovAdapter extends LlmAdapter {
  readonly #config: ImprovConfig

  constructor(config: ImprovConfig) {
    super()
    this.#config = config
  }

  override providerInfo(provider: string): { id: string; name: string } {
    return { id: provider, name: 'Improv (offline stand-in)' }
  }

  /** It has no transport that could fail for a moment. */
  override providerRetryPolicy(): ResolvedRetryPolicy {
    return resolveRetryPolicy({ mode: 'normal', maxRetries: 0 }, improvProvider)
  }

  override listModels(provider: string): Promise<readonly LlmModelInfo[]> {
    return Promise.resolve([modelInfo(provider, improvModel)])
  }

  override resolveModel(provider: string, model: string): Promise<LlmResolvedModelInfo> {
    const { contextWindow } = this.#config
    return Promise.resolve({ ...modelInfo(provider, model), context: { contextWindow } })
  }

  override async *stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    yield* streamed(answerTo(options, this.#config.toolUse), {
      inputTokens: inputTokens(options),
      maxTokens: options.maxTokens,
      stop: options.stop ?? [],
      signal: options.signal,
      chunkDelayMs: this.#config.chunkDelayMs,
    })
  }
}

function modelInfo(provider: string, model: string): LlmModelInfo {
  return {
    provider,
    id: model,
    name: model,
    description: 'Seeded improvisation from the character card; not a language model.',
    inputModalities: ['text'],
  }
}
