/** How far each seat in DSH has read its scene: what it was not shown yet comes with its next answer. */
import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-commands'
import type { GenerateOptions, Message } from '@deepseek-ai/dsh-llm'
import type {} from '@deepseek-ai/dsh-session'
import { type PlacedBeat, requestOutcome } from 'dsh-tavern-protocol'
import type { OpenScene } from './open-scene.ts'

type SessionId = NonNullable<GenerateOptions['sessionId']>

/** Seats remembered at once; the log and the topic tell where another one left off. */
const MOST = 500

export class SeatCursors {
  readonly #ctx: Context
  readonly #cursors = new Map<string, number>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** The last sequence that was streamed to this seat; undefined when it was never answered here. */
  async find(scene: OpenScene, options: GenerateOptions): Promise<number | undefined> {
    const kept = this.#cursors.get(keyOf(scene, options.sessionId))
    return kept ?? (await answeredUpTo(scene, options.messages))
  }

  keep(scene: OpenScene, sessionId: SessionId | undefined, sequence: number): void {
    if (sessionId === undefined) return
    const key = keyOf(scene, sessionId)
    this.#cursors.delete(key)
    this.#cursors.set(key, sequence)
    if (this.#cursors.size <= MOST) return
    for (const oldest of this.#cursors.keys()) {
      this.#cursors.delete(oldest)
      return
    }
  }

  /** Tells of a beat whether a slash command of this seat showed it since its last answer. */
  shownByCommands(sessionId: SessionId | undefined): (placed: PlacedBeat) => boolean {
    const events = sessionId && this.#ctx.get('sessions')?.get(sessionId)?.events
    if (!events) return () => false
    const answered = events.findLastIndex(({ type }) => type === 'assistant/message')
    const results = events
      .slice(answered + 1)
      .flatMap((event) => (event.type === 'command/done' ? [event.data.text ?? ''] : []))
      .map((text) => `\n\n${text}\n\n`)
    return ({ beat: { author, text } }) =>
      [text, `${author.name}: ${text}`, `${author.name} (whispers): ${text}`].some((paragraph) =>
        results.some((result) => result.includes(`\n\n${paragraph.trim()}\n\n`)),
      )
  }
}

function keyOf(scene: OpenScene, sessionId: string | undefined): string {
  return `${scene.run.id} ${sessionId ?? ''}`
}

/** By the newest answered line that stands on the topic: the last beat of its answer, else its own. */
async function answeredUpTo(
  { run }: OpenScene,
  messages: readonly Message[],
): Promise<number | undefined> {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  const line = messages
    .slice(0, Math.max(0, answered))
    .findLast(({ role, source }) => role === 'user' && source.kind === 'user')
  const said = line && (await run.find(line.id))
  if (!said) return undefined
  const request = await run.workspace.mailboxes.findMessage(run.narratorMailbox, said.id)
  if (request?.status !== 'completed') return said.sequence
  const { beats } = requestOutcome.parse(request.result)
  const placed = await Promise.all(beats.map((id) => run.find(id)))
  return Math.max(said.sequence, ...placed.map((beat) => beat?.sequence ?? 0))
}
