/** A seat in DSH: a model route whose answers are the scene's beats. Its model id is the scene's id. */
import type { Context } from '@deepseek-ai/cordis'
import {
  type GenerateOptions,
  LlmAdapter,
  type LlmModelInfo,
  type LlmProviderInfo,
  type LlmResolvedModelInfo,
  type Message,
  type ResolvedRetryPolicy,
  resolveRetryPolicy,
  type StreamChunk,
} from '@deepseek-ai/dsh-llm'
import { isSeat, type PlacedBeat, type RequestOutcome } from 'dsh-tavern-protocol'
import { failureText, whyNothing } from './commands.ts'
import type { OpenScene, Submitted } from './open-scene.ts'
import type { Speaker } from './request.ts'

export const stageProvider = 'tavern-stage'

/** Beats that a person who sits down is shown: at a scene's beginning, its premise and greeting. */
const RECAP = 12

export class StageRoute extends LlmAdapter {
  readonly #ctx: Context

  constructor(ctx: Context) {
    super()
    this.#ctx = ctx
  }

  override providerInfo(provider: string): LlmProviderInfo {
    return { id: provider, name: 'Scenes' }
  }

  /** No context window: a seat's log is never compacted by pressure. */
  override async resolveModel(provider: string, model: string): Promise<LlmResolvedModelInfo> {
    const title = await this.#title(model)
    return { provider, id: model, name: title }
  }

  override async listModels(provider: string): Promise<readonly LlmModelInfo[]> {
    const ids = await this.#ctx.scenes.list()
    return await Promise.all(ids.map(async (id) => ({ provider, id, name: await this.#title(id) })))
  }

  override providerRetryPolicy(): ResolvedRetryPolicy {
    return resolveRetryPolicy({ mode: 'normal', maxRetries: 0 }, stageProvider)
  }

  override async *stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    if (options.purpose !== undefined) {
      yield* whole(await this.#title(options.model))
      return
    }
    const scene = await this.#ctx.scenes.open(options.model)
    yield* answer(scene, scene.speaker(), options)
  }

  async #title(scene: string): Promise<string> {
    const read = await this.#ctx.scenes.read(scene).catch(() => undefined)
    return read?.title ?? scene
  }
}

/** Says every line since the last answer, and streams what the seat hears until all are answered. */
async function* answer(
  scene: OpenScene,
  speaker: Speaker,
  options: GenerateOptions,
): AsyncGenerator<StreamChunk> {
  const cancel = () => scene.cancel()
  const done = new AbortController()
  options.signal?.addEventListener('abort', cancel, { once: true })
  try {
    const after = scene.run.stage.sequence
    const recap = isSeated(options.messages) ? [] : await scene.run.tail(RECAP)
    const submitted: Submitted[] = []
    for (const message of linesOf(options.messages)) {
      submitted.push(await scene.submit(speaker, { id: message.id, text: textOf(message) }))
    }
    const outcomes = Promise.all(submitted.map(({ outcome }) => outcome))
    void outcomes.then(
      () => done.abort(),
      () => done.abort(),
    )
    yield* streamed(
      heard(speaker, { recap, beats: beatsUntil(scene, after, done.signal), outcomes }),
    )
  } finally {
    options.signal?.removeEventListener('abort', cancel)
  }
}

/** This seat was answered before. */
function isSeated(messages: readonly Message[]): boolean {
  return messages.some(({ role }) => role === 'assistant')
}

/** A person's lines have `source.kind === 'user'`; the host's own user messages have not. */
function linesOf(messages: readonly Message[]): readonly Message[] {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages
    .slice(answered + 1)
    .filter(
      (message) =>
        message.role === 'user' && message.source.kind === 'user' && textOf(message) !== '',
    )
}

function textOf({ content }: Message): string {
  return content
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
    .trim()
}

/** Beats as they settle; after the end, those that settled before it and were not seen yet. */
async function* beatsUntil(
  scene: OpenScene,
  after: number,
  end: AbortSignal,
): AsyncGenerator<PlacedBeat> {
  let seen = after
  for await (const placed of scene.watch(after, end)) {
    seen = placed.sequence
    yield placed
  }
  for (const placed of await scene.run.read(seen, 500)) yield placed
}

/** What came before this seat was taken, what is said now, and what went wrong. */
interface Said {
  readonly recap: readonly PlacedBeat[]
  readonly beats: AsyncIterable<PlacedBeat>
  readonly outcomes: Promise<readonly (RequestOutcome | undefined)[]>
}

/** The paragraphs of one answer. */
async function* heard(speaker: Speaker, { recap, beats, outcomes }: Said): AsyncGenerator<string> {
  for (const { beat } of recap) {
    if (beat.heardBy.includes(speaker.id) && beat.text !== '') yield spoken(beat)
  }
  let isAnswered = false
  for await (const { beat } of beats) {
    if (isSeat(beat.author.id) || !beat.heardBy.includes(speaker.id) || beat.text === '') continue
    isAnswered = true
    yield spoken(beat)
  }
  for (const outcome of await outcomes) {
    if (outcome === undefined || outcome.status === 'cancelled') continue
    for (const failure of outcome.failures) yield `*(${failureText(failure)})*`
    if (!isAnswered && outcome.failures.length === 0) yield `*(${whyNothing(outcome)})*`
  }
}

async function* streamed(paragraphs: AsyncIterable<string>): AsyncGenerator<StreamChunk> {
  let all = ''
  yield { type: 'block-start', index: 0, blockType: 'text' }
  for await (const paragraph of paragraphs) {
    const text = `${all === '' ? '' : '\n\n'}${paragraph}`
    all += text
    yield { type: 'text-delta', index: 0, text }
  }
  yield { type: 'block-end', index: 0, block: { type: 'text', text: all } }
  yield* ended()
}

function spoken(beat: PlacedBeat['beat']): string {
  if (beat.kind === 'line') return `**${beat.author.name}:** ${beat.text}`
  if (beat.kind === 'whisper') return `**${beat.author.name}** *(whispers)*: ${beat.text}`
  return `*${beat.text}*`
}

async function* whole(text: string): AsyncGenerator<StreamChunk> {
  yield { type: 'block-start', index: 0, blockType: 'text' }
  yield { type: 'text-delta', index: 0, text }
  yield { type: 'block-end', index: 0, block: { type: 'text', text } }
  yield* ended()
}

async function* ended(): AsyncGenerator<StreamChunk> {
  yield { type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } }
  yield { type: 'finish', reason: { kind: 'stop' } }
}
