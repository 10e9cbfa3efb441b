/** Letters that are probably wanted soon, kept up to a number of bytes; others are read again. */
import type { StoredLetter } from './command.ts'
import type { Entry } from './wire.ts'

export interface LetterFound {
  readonly sequence: number
  readonly letter: StoredLetter
}

const MOST_BYTES = 8 * 1024 * 1024

export class Letters {
  private readonly entries = new Map<number, LetterFound & { readonly bytes: number }>()
  private bytes = 0

  get(sequence: number): LetterFound | undefined {
    return this.entries.get(sequence)
  }

  add({ data, sequence }: Entry, letter: StoredLetter): void {
    const bytes = data.length
    if (this.entries.has(sequence) || this.bytes + bytes > MOST_BYTES) return
    this.entries.set(sequence, { sequence, letter, bytes })
    this.bytes += bytes
  }

  remove(sequence: number): void {
    const entry = this.entries.get(sequence)
    if (entry === undefined) return
    this.entries.delete(sequence)
    this.bytes -= entry.bytes
  }
}
