/** How far the rules of a run have looked at its beats: one record in the mesh, so that a restart goes on where it was. */
import type { Run } from 'dsh-tavern-cast'
import { CastError } from 'dsh-tavern-cast'
import { asJson } from 'dsh-fabric-protocol'
import { narratorId, ruleName } from 'dsh-tavern-protocol'
import { z } from 'zod'
import { watchedAtFirst } from './triggers.ts'

const looked = z
  .object({
    /** Of the newest beat looked at. */
    sequence: z.int().nonnegative(),
    counts: z.record(ruleName, z.number()).readonly(),
    held: z.array(ruleName).readonly(),
    /** What that beat sets off and was perhaps not run yet. */
    due: z.array(ruleName).readonly(),
  })
  .readonly()
export type Looked = z.infer<typeof looked>

export class RuleCursor {
  readonly #run: Run
  #version: number | undefined
  #looked: Looked

  constructor(run: Run) {
    this.#run = run
    this.#looked = { sequence: 0, due: [], ...watchedAtFirst(run.scene) }
  }

  /** As it is stored; read once, and again when another narrator was quicker. */
  async get(): Promise<Looked> {
    if (this.#version === undefined) await this.#load()
    return this.#looked
  }

  /** False when another narrator was quicker. */
  async move(to: Looked): Promise<boolean> {
    const { key } = this
    const swapped = await this.#run.workspace.states.compareAndSwap({
      key,
      expectedVersion: this.#version ?? 0,
      value: asJson(to),
      by: narratorId,
    })
    if (swapped.status !== 'swapped') {
      this.#version = undefined
      return false
    }
    this.#version = swapped.record.version
    this.#looked = to
    return true
  }

  async #load(): Promise<void> {
    const record = await this.#run.workspace.states.find(this.key)
    this.#version = record?.version ?? 0
    if (!record) return
    const read = looked.safeParse(record.value)
    if (!read.success) {
      throw new CastError('invalid-record', `state '${record.key}': ${read.error.message}`)
    }
    this.#looked = read.data
  }

  private get key(): string {
    return `run/${this.#run.id}/rules`
  }
}
