/** The world as one character knows it, as read-only state; who changed it, and why, is not told. */
import type { StateRecord } from 'dsh-fabric-protocol'
import type { CharacterId } from 'dsh-tavern-protocol'
import type { Run } from './run.ts'
import { knows, worldRecords, worldVariable } from './world.ts'

export const WORLD_PREFIX = 'world/'

export class PublicWorld {
  readonly #run: Run
  readonly #character: CharacterId

  constructor(run: Run, character: CharacterId) {
    this.#run = run
    this.#character = character
  }

  /** By key, ascending. */
  async all(): Promise<readonly StateRecord[]> {
    const records = await worldRecords(this.#run)
    return records.flatMap((record) => {
      const variable = worldVariable(this.#run, record)
      if (!knows(this.#character, variable)) return []
      const { key, version, value } = variable
      const { updatedAt } = record
      return [{ key: `${WORLD_PREFIX}${key}`, version, value, by: 'world', updatedAt }]
    })
  }

  async find(key: string): Promise<StateRecord | undefined> {
    return (await this.all()).find((record) => record.key === key)
  }
}
