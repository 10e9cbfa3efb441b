/** Which state keys a workspace has, in order, and which change of each is the newest; kept up to date by the server. */
import { compareCodePoints } from '../code-points.ts'
import { Follower, type Pushed } from './follower.ts'
import type { Link } from './link.ts'

export const KEY_HEADER = 'Mesh-Key'
export const KIND_HEADER = 'Mesh-Kind'

export class KeyIndex {
  private readonly follower: Follower
  private readonly leave: () => void
  /** Of keys that are not deleted: the sequence of the newest change. */
  private readonly live = new Map<string, number>()
  private readonly sorted: string[] = []
  private cursor = 0
  private failure: { readonly error: unknown } | undefined
  private readonly waiting = new Set<() => void>()

  constructor(link: Link, stream: string) {
    const ring = (): void => this.ring()
    this.leave = link.onClose(() => this.fail(link.closedError()))
    this.follower = new Follower(link, {
      stream,
      from: 1,
      newestOnly: true,
      headersOnly: true,
      deliver: (pushed) => {
        this.apply(pushed)
        ring()
      },
      failed: (error) => this.fail(error),
    })
  }

  get hasFailed(): boolean {
    return this.failure !== undefined
  }

  get size(): number {
    return this.live.size
  }

  /** Resolves once everything up to the sequence is known. */
  async upTo(sequence: number): Promise<void> {
    while (this.cursor < sequence) {
      if (this.failure !== undefined) throw this.failure.error
      const { promise, resolve } = Promise.withResolvers<void>()
      this.waiting.add(resolve)
      await promise
    }
  }

  /** Ascending by code point. */
  page(prefix: string, after: string, limit: number): readonly IndexedKey[] {
    const found: IndexedKey[] = []
    const start = compareCodePoints(prefix, after) > 0 ? this.at(prefix) : this.at(after)
    for (let index = start; index < this.sorted.length && found.length < limit; index += 1) {
      const key = this.sorted[index] ?? ''
      if (!key.startsWith(prefix)) break
      if (key !== after) found.push({ key, sequence: this.live.get(key) ?? 0 })
    }
    return found
  }

  /** The most recently changed; oldest first. */
  newest(limit: number): readonly IndexedKey[] {
    const all = Array.from(this.live, ([key, sequence]) => ({ key, sequence }))
    return all.toSorted((a, b) => a.sequence - b.sequence).slice(-limit)
  }

  stop(): void {
    this.leave()
    this.follower.stop()
  }

  private apply(pushed: Pushed): void {
    const key = decodeURIComponent(pushed.header(KEY_HEADER))
    const known = this.live.has(key)
    if (pushed.header(KIND_HEADER) === 'deleted') {
      if (known) this.sorted.splice(this.at(key), 1)
      this.live.delete(key)
    } else {
      if (!known) this.sorted.splice(this.at(key), 0, key)
      this.live.set(key, pushed.sequence)
    }
    this.cursor = pushed.sequence
  }

  /** Where the key is, or would be. */
  private at(key: string): number {
    let low = 0
    let high = this.sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareCodePoints(this.sorted[middle] ?? '', key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  private fail(error: unknown): void {
    this.failure = { error }
    this.stop()
    this.ring()
  }

  private ring(): void {
    for (const resolve of this.waiting) resolve()
    this.waiting.clear()
  }
}

export interface IndexedKey {
  readonly key: string
  readonly sequence: number
}
