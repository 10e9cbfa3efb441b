/** Tokens of turns that became no beat: silent ones, whispers alone, a narrator's mere cues. Counted beside the fold. */
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import type { Usage } from 'dsh-tavern-protocol'
import { z } from 'zod'
import type { StageFold } from './stage-fold.ts'

const count = z.number().nonnegative()

export class Spending {
  readonly #workspace: MeshWorkspace
  readonly #prefix: string
  readonly #tokens = new Map<string, number>()

  /** `prefix`: of the state keys, one for each actor. */
  constructor(workspace: MeshWorkspace, prefix: string) {
    this.#workspace = workspace
    this.#prefix = prefix
  }

  async load(): Promise<void> {
    for (const { key, value } of await this.#workspace.states.list(this.#prefix, { limit: 500 })) {
      this.#tokens.set(key.slice(this.#prefix.length), count.parse(value))
    }
  }

  /** The same cue twice is counted once. */
  async add(actor: string, cueId: string, usage: Usage): Promise<void> {
    const spent = usage.inputTokens + usage.outputTokens
    const key = `${this.#prefix}${actor}`
    for (let tries = 0; tries < TRIES; tries += 1) {
      const before = await this.#workspace.states.find(key)
      const total = (before ? count.parse(before.value) : 0) + spent
      const swapped = await this.#workspace.states.compareAndSwap({
        key,
        expectedVersion: before?.version ?? 0,
        value: total,
        by: actor,
        cause: cueId,
        id: cueId,
      })
      if (swapped.status === 'swapped') {
        if (!swapped.replayed) this.#tokens.set(actor, total)
        return
      }
    }
  }

  addTo(fold: StageFold): StageFold {
    if (this.#tokens.size === 0) return fold
    const tokens = { ...fold.tokens }
    let sceneTokens = fold.sceneTokens
    for (const [actor, spent] of this.#tokens) {
      sceneTokens += spent
      tokens[actor] = (tokens[actor] ?? 0) + spent
    }
    return { ...fold, tokens, sceneTokens }
  }
}

/** One process hosts a run, so a conflict here is its own overlap. */
const TRIES = 8
