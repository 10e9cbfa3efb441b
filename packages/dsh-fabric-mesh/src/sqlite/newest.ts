/** The newest of many things, exactly, in bounded memory: all that are newer than a floor. */

/** So many are shown at most, and kept at least. */
export const KEPT = 512
const MOST = 2 * KEPT

export interface Aged {
  /** Its place. */
  readonly id: number
  readonly name: string
  /** What orders it, before its name. */
  readonly age: number
}

export class Newest {
  /** Exactly the things that are newer than the floor; nearly in order, since what changes becomes the newest. */
  private readonly kept = new Map<number, Aged>()
  private floor: Aged | undefined

  set(thing: Aged): void {
    this.kept.delete(thing.id)
    if (this.floor !== undefined && byAge(thing, this.floor) <= 0) return
    this.kept.set(thing.id, thing)
    if (this.kept.size > MOST) this.trim()
  }

  delete(id: number): void {
    this.kept.delete(id)
  }

  /** Whether the newest `limit` are known; of fewer than `all` there are no more. */
  has(limit: number, all = 0): boolean {
    return this.kept.size >= all && (this.floor === undefined || this.kept.size >= limit)
  }

  /** Oldest to newest. */
  list(limit: number): readonly Aged[] {
    return [...this.kept.values()].toSorted(byAge).slice(-limit)
  }

  private trim(): void {
    const sorted = [...this.kept.values()].toSorted(byAge)
    this.kept.clear()
    this.floor = sorted[sorted.length - KEPT - 1]
    for (const thing of sorted.slice(-KEPT)) this.kept.set(thing.id, thing)
  }
}

/** Of two changed in the same millisecond, by name. */
function byAge(a: Aged, b: Aged): number {
  return a.age - b.age || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}
