/** What a session's log says of our cues: finished, abandoned, pending, and how far its character has perceived. */
import type { Message, TokenUsage } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { JsonValue } from 'dsh-fabric-protocol'
import type { Usage } from 'dsh-tavern-protocol'

/** The producer name in every message source of ours. */
export const castPlugin = 'dsh-tavern-cast'

/** What rides on a cue's user message: the cue, its seed, and what it let the character perceive. */
export interface CueSource {
  readonly cueId: string
  readonly seed: string
  /** Sequences of the scene's topic. */
  readonly perceivedTo: number
}

/** One of our turns, from its start to its end or to the end of the log. */
export interface CueTurn {
  readonly source: CueSource
  readonly startSeq: number
  /** Undefined while it runs. */
  readonly endSeq: number | undefined
  readonly end: string | undefined
  readonly failure: { readonly code: string; readonly message: string } | undefined
  readonly text: string
  /** Presentation metadata of its successful tool results, in order. */
  readonly metas: readonly JsonValue[]
  readonly provider: string | undefined
  readonly model: string | undefined
  readonly usage: Usage | undefined
}

/** The cue a message carries; undefined for every other message, shadow notes among them. */
export function cueSourceOf(message: Message): CueSource | undefined {
  const source: unknown = message.source
  if (!isRecord(source) || source['plugin'] !== castPlugin) return undefined
  const { cueId, seed, perceivedTo } = source
  if (typeof cueId !== 'string' || typeof seed !== 'string') return undefined
  return { cueId, seed, perceivedTo: typeof perceivedTo === 'number' ? perceivedTo : 0 }
}

/** A note that stands in the place of an attempt that did not count. */
export function isNote(message: Message): boolean {
  const source: unknown = message.source
  return isRecord(source) && source['plugin'] === castPlugin && source['shadowOf'] !== undefined
}

/** Finished with an answer that counts, cut by its token limit or not. */
export function isFinished(turn: CueTurn): boolean {
  return turn.end === 'completed' || turn.end === 'max-tokens'
}

/** Folds a log, or the live events of one, into our turns. */
export class CueTurns {
  readonly turns: CueTurn[] = []
  #startSeq = 0

  add(event: SessionEvent): void {
    if (event.type === 'turn/start') this.#startSeq = event.seq
    if (event.type === 'user/message') this.#begin(event)
    const current = this.turns.at(-1)
    if (!current || current.end !== undefined) return
    this.turns[this.turns.length - 1] = grown(current, event)
  }

  #begin(event: SessionEvent<'user/message'>): void {
    const source = cueSourceOf(event.data)
    if (!source) return
    this.turns.push({
      source,
      startSeq: this.#startSeq,
      endSeq: undefined,
      end: undefined,
      failure: undefined,
      text: '',
      metas: [],
      provider: undefined,
      model: undefined,
      usage: undefined,
    })
  }
}

function grown(turn: CueTurn, event: SessionEvent): CueTurn {
  if (event.type === 'assistant/message') return withAnswer(turn, event)
  if (
    event.type === 'tool/result' &&
    event.data.meta !== undefined &&
    event.data.error === undefined
  ) {
    return { ...turn, metas: [...turn.metas, event.data.meta] }
  }
  if (event.type !== 'turn/end') return turn
  const { reason } = event.data
  return {
    ...turn,
    endSeq: event.seq,
    end: reason.kind,
    failure:
      reason.kind === 'error'
        ? { code: reason.error.code, message: reason.error.message }
        : undefined,
  }
}

/** Texts of all steps belong to one answer: what was said before a tool call was said too. */
function withAnswer(turn: CueTurn, event: SessionEvent<'assistant/message'>): CueTurn {
  const { message, usage } = event.data
  const text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  return {
    ...turn,
    text: [turn.text, text.trim()].filter((part) => part !== '').join('\n'),
    provider: message.source.provider,
    model: message.source.model,
    usage: usage ? plus(turn.usage, usage) : turn.usage,
  }
}

/** The host counts cached input apart; a budget counts all that was sent. */
function plus(sum: Usage | undefined, more: TokenUsage): Usage {
  const { inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = more
  return {
    inputTokens: (sum?.inputTokens ?? 0) + inputTokens + cacheReadTokens + cacheWriteTokens,
    outputTokens: (sum?.outputTokens ?? 0) + more.outputTokens,
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
