/** Entries of a log that came before those that precede them, up to a number and a size; others are read again. */
import type { Command } from './command.ts'
import type { Entry } from './wire.ts'

const MOST = 256
const MOST_BYTES = 4 * 1024 * 1024

/** What this process wrote itself needs no decoding. */
export interface Heard {
  readonly entry: Entry
  readonly command: Command | undefined
}

export class Early {
  private readonly heard = new Map<number, Heard>()
  private bytes = 0

  get size(): number {
    return this.heard.size
  }

  has(sequence: number): boolean {
    return this.heard.has(sequence)
  }

  /** `next`: the one that is taken next; it is always kept. */
  keep(heard: Heard, next: number): void {
    const { data, sequence } = heard.entry
    const isFull = this.heard.size >= MOST || this.bytes + data.length > MOST_BYTES
    if (this.heard.has(sequence) || (isFull && sequence !== next)) return
    this.heard.set(sequence, heard)
    this.bytes += data.length
  }

  take(sequence: number): Heard | undefined {
    const heard = this.heard.get(sequence)
    if (heard === undefined) return undefined
    this.heard.delete(sequence)
    this.bytes -= heard.entry.data.length
    return heard
  }

  dropThrough(sequence: number): void {
    for (const each of this.heard.keys()) if (each <= sequence) this.take(each)
  }

  clear(): void {
    this.heard.clear()
    this.bytes = 0
  }
}
