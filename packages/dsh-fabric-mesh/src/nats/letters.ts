/** Letters that are probably wanted soon, kept up to a number of bytes; others are read again. */
import type { Entry } from './wire.ts'

const MOST_BYTES = 8 * 1024 * 1024

export class Letters {
  private readonly entries = new Map<number, Entry>()
  private bytes = 0

  get(sequence: number): Entry | undefined {
    return this.entries.get(sequence)
  }

  add(entry: Entry): void {
    if (this.entries.has(entry.sequence) || this.bytes + entry.data.length > MOST_BYTES) return
    this.entries.set(entry.sequence, entry)
    this.bytes += entry.data.length
  }

  remove(sequence: number): void {
    const entry = this.entries.get(sequence)
    if (entry === undefined) return
    this.entries.delete(sequence)
    this.bytes -= entry.data.length
  }
}
