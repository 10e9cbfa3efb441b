/** Scripted models for a cast: each answer can be told from every other, and the next ones can be set. */
import { personaHeadings } from 'dsh-tavern-protocol'
import type { WireRequest } from './chat.ts'
import type { WireAnswer } from './replies.ts'

export const narrator = 'Narrator'

type Turn = WireAnswer | ((request: WireRequest) => WireAnswer)

/** The name in a request's own system prompt; the narrator's is known by its tools. */
export function playedBy({ system, chat }: WireRequest): string {
  if (chat.tools?.some((tool) => tool.function.name === 'cue')) return narrator
  const [, name] = new RegExp(`\\[${personaHeadings.en.character}\\]\\n(.+)\\n`).exec(system) ?? []
  if (name === undefined) throw new Error(`a system prompt names nobody: ${system.slice(0, 200)}`)
  return name
}

export class Players {
  readonly #counts = new Map<string, number>()
  readonly #next = new Map<string, Turn[]>()

  /** What this character's next requests are answered with, in order; then numbered answers again. */
  next(name: string, ...turns: readonly Turn[]): void {
    this.#next.set(name, [...(this.#next.get(name) ?? []), ...turns])
  }

  /** Turns that were set and never asked for. */
  get unplayed(): number {
    return [...this.#next.values()].flat().length
  }

  readonly script = (request: WireRequest): WireAnswer => {
    const name = playedBy(request)
    const turn = this.#next.get(name)?.shift()
    if (turn) return typeof turn === 'function' ? turn(request) : turn
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return { kind: 'say', text: saying(name, count), reasoning: thought(name, count) }
  }
}

/** Marks that are nobody's name and no word of any card; with a letter of three bytes, which a slice may split. */
export function saying(name: string, count: number): string {
  return `*nods* Quite so — ⟨spoken${mark(name)}${count}⟩.`
}

export function thought(name: string, count: number): string {
  return `thought${mark(name)}${count} weighs it up. `
}

function mark(name: string): string {
  return name.replaceAll(/\W/g, '').split('').toReversed().join('')
}
