/** One durable DSH session that performs cues: one cue is one turn, found again after any crash. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent, AgentHandle } from '@deepseek-ai/dsh-agent'
import { createUserMessage, type UserMessage } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { JsonValue } from 'dsh-fabric-protocol'
import type { Usage } from 'dsh-tavern-protocol'
import { type Failure, failure } from './failure.ts'
import {
  castPlugin,
  type CueTurn,
  CueTurns,
  cueSourceOf,
  isFinished,
  isNote,
} from './session-reading.ts'

export interface Attempt {
  readonly cueId: string
  readonly seed: string
  readonly provider: string
  readonly model: string
  readonly signal: AbortSignal
  /**
   * What the actor reads, and the topic sequence it has perceived once it has read that. `holds` tells
   * of a cue since then whether its answer is in the session's log.
   */
  brief(
    perceived: number,
    holds: (cueId: string) => boolean,
  ): Promise<{ readonly text: string; readonly perceivedTo: number }>
  delta?(text: string): void
  /** A request failed after some of its text had come; the host may ask again. */
  restart?(): void
}

export type Answer =
  | {
      readonly status: 'finished'
      readonly text: string
      readonly metas: readonly JsonValue[]
      readonly provider: string
      readonly model: string
      readonly usage: Usage | undefined
      /** The log held it already. */
      readonly reused: boolean
    }
  | Failure
  | { readonly status: 'cancelled' }

/** Requests to a model for one cue; one that calls tools for ever is stopped there. */
export const STEPS_PER_CUE = 16

/** Finished turns are looked up for cues that were claimed when a process died: the newest few. */
const KEPT_TURNS = 8

export class SessionActor {
  readonly #ctx: Context
  readonly #handle: AgentHandle
  readonly #note: string
  #turns = new CueTurns()
  /** Up to here the character has perceived the scene. */
  #perceived = 0
  /** Of the newest note in the log. */
  #noteSeq: number | undefined
  #attempt: Attempt | undefined
  /** Text of the request in hand has been given out. */
  #isStreaming = false

  /** `note` is what stands in the place of an attempt that did not count. */
  constructor(ctx: Context, handle: AgentHandle, note: string) {
    this.#ctx = ctx
    this.#handle = handle
    this.#note = note
  }

  get agent(): Agent {
    return this.#handle.agent
  }

  get attempt(): Attempt | undefined {
    return this.#attempt
  }

  /** Reads a resumed log: the cursor, and abandoned attempts, which are shadowed at once. */
  async recover(): Promise<void> {
    await this.agent.whenIdle()
    const log = new CueTurns()
    for (const event of this.agent.session.events) {
      log.add(event)
      if (event.type === 'user/message' && isNote(event.data)) this.#noteSeq = event.seq
    }
    for (const turn of log.turns) {
      if (isFinished(turn)) this.#perceived = Math.max(this.#perceived, turn.source.perceivedTo)
    }
    const shadowed = log.turns.filter((turn) => !isFinished(turn) && this.#shadow(turn)).length
    if (shadowed > 0) await this.#ctx.sessions.flush(this.agent.session)
    log.turns.splice(0, log.turns.length - KEPT_TURNS)
    this.#turns = log
  }

  /** To be called with every event of this session. */
  observe(event: SessionEvent): void {
    this.#turns.add(event)
    if (event.type === 'step/start' || event.type === 'assistant/message') this.#isStreaming = false
    if (event.type !== 'assistant/chunk') return
    const { chunk } = event.data
    if (chunk.type === 'finish' && this.#isStreaming && isFault(chunk.reason.kind)) {
      this.#isStreaming = false
      this.#attempt?.restart?.()
    }
    if (chunk.type !== 'text-delta') return
    this.#isStreaming = true
    this.#attempt?.delta?.(chunk.text)
  }

  /**
   * Performs one cue. The answer is durable in the session's log when this resolves; an answer the
   * log already holds for the cue is returned instead of asking the model again.
   */
  async perform(attempt: Attempt): Promise<Answer> {
    const known = this.#finished(attempt.cueId)
    if (known) return answerOf(known, true)
    if (attempt.signal.aborted) return { status: 'cancelled' }
    const cancel = () => this.agent.cancel({ kind: 'user' })
    attempt.signal.addEventListener('abort', cancel, { once: true })
    this.#attempt = attempt
    try {
      if (!(await this.#deliver(attempt))) return { status: 'cancelled' }
      await this.agent.whenIdle()
    } finally {
      this.#attempt = undefined
      attempt.signal.removeEventListener('abort', cancel)
    }
    return await this.#conclude(attempt)
  }

  async dispose(): Promise<void> {
    this.agent.cancel({ kind: 'disposed' })
    await this.#handle.dispose()
  }

  /**
   * A cue that was in the inbox when the process died is woken, not sent again; one that was given
   * up since is taken out. False when aborted before anything was sent.
   */
  async #deliver(attempt: Attempt): Promise<boolean> {
    const { inbox } = this.agent
    const ours = inbox.nextTurn.filter((message) => cueSourceOf(message) !== undefined)
    for (const message of ours) inbox.remove(message.id)
    const pending = ours.find((message) => cueSourceOf(message)?.cueId === attempt.cueId)
    if (pending) {
      this.agent.followup(pending)
      return true
    }
    const { text, perceivedTo } = await attempt.brief(
      this.#perceived,
      (cueId) => this.#finished(cueId) !== undefined,
    )
    if (attempt.signal.aborted) return false
    this.agent.followup(this.#cueMessage(attempt, text, perceivedTo))
    return true
  }

  #cueMessage(attempt: Attempt, text: string, perceivedTo: number): UserMessage {
    const { cueId, seed } = attempt
    const source = { senderSessionId: castPlugin, form: 'relay' as const, cueId, seed, perceivedTo }
    return ownMessage(text, source)
  }

  async #conclude(attempt: Attempt): Promise<Answer> {
    const turn = this.#turns.turns.findLast(({ source }) => source.cueId === attempt.cueId)
    this.#turns.turns.splice(0, this.#turns.turns.length - KEPT_TURNS)
    if (turn && isFinished(turn)) {
      this.#perceived = Math.max(this.#perceived, turn.source.perceivedTo)
      await this.#ctx.sessions.flush(this.agent.session)
      return answerOf(turn, false)
    }
    if (turn) this.#shadow(turn)
    await this.#ctx.sessions.flush(this.agent.session)
    if (attempt.signal.aborted) return { status: 'cancelled' }
    const { code, message } = whyUnfinished(turn)
    return failure(code, `${attempt.provider} ${attempt.model}: ${message}`)
  }

  #finished(cueId: string): CueTurn | undefined {
    return this.#turns.turns.findLast((turn) => turn.source.cueId === cueId && isFinished(turn))
  }

  /**
   * Puts one short note in the place of a turn that did not count, and of the note just before it:
   * however long a provider is away, it leaves one. False when nothing of the turn shows.
   */
  #shadow(turn: CueTurn): boolean {
    const { session } = this.agent
    const end = turn.endSeq ?? session.seq
    const nodes = session.surface.nodes.filter((seq) => seq > turn.startSeq && seq < end)
    const [first] = nodes
    const last = nodes.at(-1)
    if (first === undefined || last === undefined) return false
    const before = session.surface.nodes[session.surface.nodes.indexOf(first) - 1]
    const joins = before !== undefined && before === this.#noteSeq
    const message = ownMessage(this.#note, { shadowOf: turn.source.cueId })
    this.#noteSeq = session.append('user/message', message, {
      surfaceOp: { op: 'replace', start: joins ? before : first, end: last },
      sourceEventSeqs: joins ? [before, ...nodes] : [...nodes],
    }).seq
    return true
  }
}

function isFault(finish: string): boolean {
  return finish === 'error' || finish === 'aborted'
}

function whyUnfinished(turn: CueTurn | undefined): Pick<Failure, 'code' | 'message'> {
  if (turn?.failure) return turn.failure
  if (turn?.end === 'blocked') {
    const message = `${STEPS_PER_CUE} requests, each for tools, and no answer`
    return { code: 'TOOL_LOOP', message }
  }
  return { code: 'NO_ANSWER', message: `the turn ended ${turn?.end ?? 'unseen'}` }
}

function answerOf(turn: CueTurn, reused: boolean): Answer {
  return {
    status: 'finished',
    text: turn.text,
    metas: turn.metas,
    provider: turn.provider ?? '',
    model: turn.model ?? '',
    usage: turn.usage,
    reused,
  }
}

/** A user message of ours; what rides in its source is kept in the log and handed to adapters. */
function ownMessage(text: string, riding: Readonly<Record<string, string | number>>): UserMessage {
  const source = { kind: 'plugin' as const, plugin: castPlugin, ...riding }
  return createUserMessage({ content: [{ type: 'text', text }], source })
}
