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
import { SeatCursors } from './seat-cursors.ts'

export const stageProvider = 'tavern-stage'

/** Beats that a person who sits down is shown: at a scene's beginning, its premise and greeting. */
const RECAP = 12

/** Beats that a seat which was away is shown at most. */
const MISSED = 500

export class StageRoute extends LlmAdapter {
  readonly #ctx: Context
  readonly #cursors: SeatCursors

  constructor(ctx: Context) {
    super()
    this.#ctx = ctx
    this.#cursors = new SeatCursors(ctx)
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
    const scene = await this.#ctx.scenes.open(options.model, { attach: true })
    yield* answer({ scene, speaker: scene.speaker(), cursors: this.#cursors }, options)
  }

  async #title(scene: string): Promise<string> {
    const read = await this.#ctx.scenes.read(scene).catch(() => undefined)
    return read?.title ?? scene
  }
}

interface Seat {
  readonly scene: OpenScene
  readonly speaker: Speaker
  readonly cursors: SeatCursors
}

/** Says every line since the last answer, and streams what the seat hears until all are answered. */
async function* answer(seat: Seat, options: GenerateOptions): AsyncGenerator<StreamChunk> {
  const { scene, speaker } = seat
  const { messages, signal } = options
  const submitted: Submitted[] = []
  const cancel = () => scene.cancel(submitted.map(({ requestId }) => requestId))
  const done = new AbortController()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    const missed = await missedBy(seat, options)
    for (const message of linesOf(messages)) {
      if (signal?.aborted) break
      const one = await scene.submit(speaker, { id: message.id, text: textOf(message) })
      // the stream awaits them together, and may end before
      one.outcome.catch(() => {})
      submitted.push(one)
    }
    if (signal?.aborted) cancel()
    const outcomes = Promise.all(submitted.map(({ outcome }) => outcome))
    const end = () => done.abort()
    outcomes.then(end, end)
    yield* streamed(
      heard(seat, options, {
        missed,
        beats: beatsUntil(scene, missed.after, done.signal),
        outcomes,
      }),
    )
  } finally {
    done.abort()
    signal?.removeEventListener('abort', cancel)
  }
}

/** Where the seat goes on reading: after `recap`, up to `now` what came since it was last answered. */
interface Missed {
  readonly recap: readonly PlacedBeat[]
  readonly after: number
  readonly now: number
  readonly isShown: (placed: PlacedBeat) => boolean
}

async function missedBy({ scene, cursors }: Seat, options: GenerateOptions): Promise<Missed> {
  const now = scene.run.stage.sequence
  const isShown = cursors.shownByCommands(options.sessionId)
  const cursor = await cursors.find(scene, options)
  if (cursor !== undefined)
    return { recap: [], after: Math.max(cursor, now - MISSED), now, isShown }
  const recap = await scene.run.tail(RECAP)
  return { recap, after: recap.at(-1)?.sequence ?? 0, now, isShown }
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

/** What was said while nobody was asked, what is said now, and what went wrong. */
interface Said {
  readonly missed: Missed
  readonly beats: AsyncIterable<PlacedBeat>
  readonly outcomes: Promise<readonly (RequestOutcome | undefined)[]>
}

/** The paragraphs of one answer. */
async function* heard(
  { scene, speaker, cursors }: Seat,
  { sessionId }: GenerateOptions,
  { missed, beats, outcomes }: Said,
): AsyncGenerator<string> {
  const hears = ({ beat }: PlacedBeat) => beat.heardBy.includes(speaker.id) && beat.text !== ''
  for (const placed of missed.recap) if (hears(placed)) yield spoken(placed.beat)
  let isAnswered = false
  for await (const placed of beats) {
    cursors.keep(scene, sessionId, placed.sequence)
    if (isSeat(placed.beat.author.id) || !hears(placed)) continue
    const isNew = placed.sequence > missed.now
    if (!isNew && missed.isShown(placed)) continue
    isAnswered ||= isNew
    yield spoken(placed.beat)
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
