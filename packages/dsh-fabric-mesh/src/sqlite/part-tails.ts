/** The newest part of each log that a batch appends to: read once, written once, however many records come. */
import { PART } from './schema.ts'
import type { Prepare } from './sql.ts'

/** The numbers are bound as text: a JavaScript number would be a real, which JSON shows. */
const NEWEST = `SELECT part, refs, json_array_length(refs) AS length
  FROM part WHERE place = ? ORDER BY part DESC LIMIT 1`
const PUT = `INSERT INTO part (place, part, refs) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET refs = excluded.refs`

interface Tail {
  part: number
  length: number
  /** JSON without its closing bracket. */
  refs: string
  written: boolean
}

export class PartTails {
  private readonly sql: Prepare
  private readonly tails = new Map<number, Tail>()
  private readonly unwritten = new Set<number>()

  /** `sql` does not come back here. */
  constructor(sql: Prepare) {
    this.sql = sql
  }

  /** The newest sequence ever given out, inside a write; 0 before the first. */
  head(place: number): number {
    const { part, length } = this.tail(place)
    return part * PART + length
  }

  /** What `head` gives, where it needs no look. */
  known(place: number): number | undefined {
    const tail = this.tails.get(place)
    return tail === undefined ? undefined : tail.part * PART + tail.length
  }

  append(place: number, n: number): void {
    const tail = this.tail(place)
    if (tail.length === PART) {
      this.write(place, tail)
      tail.part += 1
      tail.length = 0
    }
    tail.refs = tail.length === 0 ? `[${n}` : `${tail.refs},${n}`
    tail.length += 1
    if (!tail.written) return
    tail.written = false
    this.unwritten.add(place)
  }

  /** Before anything reads parts, and before the commit. */
  flush(): void {
    if (this.unwritten.size === 0) return
    for (const place of this.unwritten) {
      const tail = this.tails.get(place)
      if (tail !== undefined) this.write(place, tail)
    }
    this.unwritten.clear()
  }

  flushPlace(place: number): void {
    const tail = this.tails.get(place)
    if (tail === undefined || tail.written) return
    this.write(place, tail)
    this.unwritten.delete(place)
  }

  /** At the end of a transaction, and when something was rolled back. */
  forget(): void {
    this.tails.clear()
    this.unwritten.clear()
  }

  private write(place: number, tail: Tail): void {
    if (tail.written) return
    this.sql(PUT).run(place, tail.part, `${tail.refs}]`)
    tail.written = true
  }

  private tail(place: number): Tail {
    const known = this.tails.get(place)
    if (known !== undefined) return known
    const row = this.sql<{ part: number; refs: string; length: number }>(NEWEST).get(place)
    const tail: Tail =
      row === undefined
        ? { part: 0, length: 0, refs: '', written: true }
        : { part: row.part, length: row.length, refs: row.refs.slice(0, -1), written: true }
    this.tails.set(place, tail)
    return tail
  }
}
