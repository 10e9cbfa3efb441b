/** An ordered log per place: what topics, mailboxes and state keys have in common. */
import { randomBytes } from 'node:crypto'
import { idKey } from './id-key.ts'
import { PartTails } from './part-tails.ts'
import { PART } from './schema.ts'
import type { Sql } from './sql.ts'

export interface RecordRow {
  readonly n: number
  readonly seq: number
  readonly at: number
  readonly by: number
  readonly change: number | null
  readonly id: string | null
  readonly cause: string | null
  readonly recipients: string | null
  readonly payload: string | null
}

export interface Draft {
  readonly at: number
  readonly by: number
  /** The caller's id; without one the record gets an id that tells its sequence, or none. */
  readonly id?: string | undefined
  readonly anonymous?: boolean
  readonly change?: number
  readonly cause?: string | undefined
  readonly recipients?: string | undefined
  readonly payload: string | null
}

/** The columns of a record, for `record m`. */
export const RECORD = 'm.n, m.seq, m.at, m.by, m.change, m.id, m.cause, m.recipients, m.payload'

/** A record number that was used again belongs to another place or sequence, and does not match. */
const LINE = `record m
  ON m.n = j.value AND m.place = p.place AND m.seq = p.part * ${PART} + j.key + 1`
/** A log, record by record. */
export const LOG = `part p CROSS JOIN json_each(p.refs) j CROSS JOIN ${LINE}`

const HEAD = `SELECT part * ${PART} + json_array_length(refs) AS head
  FROM part WHERE place = ? ORDER BY part DESC LIMIT 1`
const ADD_RECORD = `INSERT INTO record (place, seq, at, by, change, id, cause, recipients, payload)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
const ADD_GIVEN = 'INSERT INTO given (place, key, n) VALUES (?, ?, ?)'

const FIND = `SELECT ${RECORD} FROM part p JOIN record m
  ON m.n = json_extract(p.refs, ?1) AND m.place = p.place AND m.seq = ?2
  WHERE p.place = ?3 AND p.part = ?4`
const ANY_GIVEN = 'SELECT 1 FROM given WHERE place = ? AND key = ? LIMIT 1'
const FIND_GIVEN = `SELECT ${RECORD} FROM given g JOIN record m ON m.n = g.n AND m.place = g.place
  WHERE g.place = ? AND g.key = ?`
const AFTER = `SELECT ${RECORD} FROM ${LOG}
  WHERE p.place = ? AND p.part >= ? AND m.seq > ? ORDER BY p.part, j.key LIMIT ?`
const BEFORE = `SELECT ${RECORD} FROM ${LOG}
  WHERE p.place = ? AND p.part <= ? AND m.seq < ? ORDER BY p.part DESC, j.key DESC LIMIT ?`

const DELETE_RECORD = 'DELETE FROM record WHERE n = ?'
const LAST = 'SELECT max(n) AS n FROM record'
/** A record of no place holds the number of a newest one that was deleted; the one before it is needed no more. */
const KEEP = 'INSERT INTO record (n, place, seq, at, by) VALUES (?, 0, 0, 0, 0)'
const DELETE_KEPT = 'DELETE FROM record WHERE n = (SELECT max(n) FROM record) AND place = 0'
const DELETE_GIVEN = 'DELETE FROM given WHERE place = ? AND key = ? AND n = ?'
const DELETE_DEAD_PART = `DELETE FROM part AS p WHERE place = ?1 AND part = ?2
  AND part < (SELECT max(part) FROM part WHERE place = ?1)
  AND NOT EXISTS (SELECT 1 FROM json_each(p.refs) j CROSS JOIN ${LINE})`

/** An id the mesh made: its sequence, then 64 random bits. */
const MADE_ID = /^(\d{1,15})-[0-9a-f]{16}$/

export class Log {
  readonly tails: PartTails
  private readonly sql: Sql

  constructor(sql: Sql) {
    this.sql = sql
    this.tails = new PartTails(sql.late)
  }

  /** The newest sequence ever given out; 0 before the first. */
  head(place: number): number {
    return this.tails.known(place) ?? this.sql<{ head: number }>(HEAD).get(place)?.head ?? 0
  }

  /** Only inside a write. */
  append(place: number, draft: Draft): RecordRow {
    const { at, by, payload, change = null, cause = null, recipients = null } = draft
    const seq = this.tails.head(place) + 1
    const id = draft.id ?? (draft.anonymous === true ? null : makeId(seq))
    const add = this.sql(ADD_RECORD)
    const added = add.run(place, seq, at, by, change, id, cause, recipients, payload)
    const n = Number(added.lastInsertRowid)
    this.tails.append(place, n)
    if (draft.id !== undefined) this.sql(ADD_GIVEN).run(place, idKey(draft.id), n)
    return { n, seq, at, by, change, id, cause, recipients, payload }
  }

  find(place: number, seq: number): RecordRow | undefined {
    return this.sql<RecordRow>(FIND).get(`$[${(seq - 1) % PART}]`, seq, place, partOf(seq))
  }

  findById(place: number, id: string): RecordRow | undefined {
    const key = idKey(id)
    if (this.sql(ANY_GIVEN).get(place, key) !== undefined) {
      const sameKey = this.sql<RecordRow>(FIND_GIVEN).all(place, key)
      const given = sameKey.find((row) => row.id === id)
      if (given !== undefined) return given
    }
    const seq = Number(MADE_ID.exec(id)?.[1] ?? 0)
    const made = seq > 0 ? this.find(place, seq) : undefined
    return made?.id === id ? made : undefined
  }

  /** Oldest first. */
  after(place: number, seq: number, limit: number): readonly RecordRow[] {
    return this.sql<RecordRow>(AFTER).all(place, Math.floor(seq / PART), seq, limit)
  }

  /** Newest first. */
  before(place: number, seq: number, limit: number): readonly RecordRow[] {
    return this.sql<RecordRow>(BEFORE).all(place, partOf(seq), seq, limit)
  }

  /** Only inside a write. */
  remove(place: number, rows: readonly RecordRow[]): void {
    const last = this.sql<{ n: number }>(LAST).get()?.n ?? 0
    for (const row of rows) {
      this.sql(DELETE_RECORD).run(row.n)
      if (row.id !== null) this.sql(DELETE_GIVEN).run(place, idKey(row.id), row.n)
    }
    for (const part of new Set(rows.map((row) => partOf(row.seq)))) {
      this.sql(DELETE_DEAD_PART).run(place, part)
    }
    if (rows.some((row) => row.n === last)) this.keepNumber(last)
  }

  /** A number is never given out again: whoever has read up to one finds all that is new after it. */
  private keepNumber(last: number): void {
    this.sql(DELETE_KEPT).run()
    this.sql(KEEP).run(last)
  }
}

export function partOf(seq: number): number {
  return Math.floor((seq - 1) / PART)
}

function makeId(seq: number): string {
  return `${seq}-${randomBytes(8).toString('hex')}`
}
