/** What a summary of a workspace reads: all of it once, then only what is new. */
import type { Aged } from './newest.ts'
import { kinds } from './places.ts'
import { PART } from './schema.ts'
import type { Sql } from './sql.ts'

/** Of a workspace that nobody pruned, the heads are what is stored. */
export interface Counts {
  readonly states: number
  readonly topicPruned: number
  readonly mailPruned: number
}

export interface PlaceAge extends Aged {
  readonly head: number
}

export interface MailboxAge extends PlaceAge {
  /** Messages that are not settled. */
  readonly open: number
}

export interface NewPlace {
  readonly id: number
  readonly kind: number
  readonly name: string
  readonly createdAt: number
}

export interface NewRecord {
  readonly n: number
  readonly place: number
  readonly kind: number
  readonly name: string
  readonly at: number
  readonly change: number | null
  readonly gone: number
}

const COUNTS = `SELECT states, topic_pruned AS topicPruned, mail_pruned AS mailPruned
  FROM workspace WHERE id = ?`
const DATA_VERSION = 'PRAGMA data_version'
const LAST_RECORD = 'SELECT coalesce(max(n), 0) AS last FROM record'
const LAST_PLACE = 'SELECT coalesce(max(id), 0) AS last FROM place'

/** The newest part of the log of `place pl`. */
const LAST_PART = `part p ON p.place = pl.id
  AND p.part = (SELECT max(q.part) FROM part q WHERE q.place = pl.id)`
const HEAD = `coalesce(p.part * ${PART} + json_array_length(p.refs), 0)`
const TOPICS = `SELECT pl.id, pl.name, ${HEAD} AS head, coalesce(m.at, pl.created_at) AS age
  FROM place pl LEFT JOIN ${LAST_PART} LEFT JOIN record m
  ON m.n = json_extract(p.refs, '$[#-1]') AND m.place = pl.id AND m.seq = ${HEAD}
  WHERE pl.workspace = ? AND pl.kind = ${kinds.topic}`
const OPEN = 'd.queued + d.claimed + coalesce(d.dead, 0) AS open'
const MAILBOXES = `SELECT pl.id, pl.name, ${HEAD} AS head, d.updated_at AS age, ${OPEN}
  FROM place pl LEFT JOIN ${LAST_PART} JOIN desk d ON d.mailbox = pl.id AND d.lane = 0 AND d.seq = 0
  WHERE pl.workspace = ? AND pl.kind = ${kinds.mailbox}`
const MAILBOX = `SELECT pl.id, pl.name, d.updated_at AS age, ${OPEN}
  FROM place pl JOIN desk d ON d.mailbox = pl.id AND d.lane = 0 AND d.seq = 0
  WHERE pl.id = ? AND pl.workspace = ?`

/** The plus keeps to the order of the numbers: it reads only what is new. */
const NEW_PLACES = `SELECT id, kind, name, created_at AS createdAt FROM place
  WHERE id > ? AND +workspace = ? ORDER BY id LIMIT ?`
const NEW_RECORDS = `SELECT m.n, m.place, pl.kind, pl.name, m.at, m.change, m.payload IS NULL AS gone
  FROM record m CROSS JOIN place pl ON pl.id = m.place
  WHERE m.n > ? AND +pl.workspace = ? ORDER BY m.n LIMIT ?`

export class SummaryRows {
  private readonly sql: Sql
  private readonly workspace: number

  constructor(sql: Sql, workspace: number) {
    this.sql = sql
    this.workspace = workspace
  }

  counts(): Counts {
    const none = { states: 0, topicPruned: 0, mailPruned: 0 }
    return this.sql<Counts>(COUNTS).get(this.workspace) ?? none
  }

  /** Changes with every commit of another connection. */
  dataVersion(): number {
    return this.sql<{ data_version: number }>(DATA_VERSION).get()?.data_version ?? 0
  }

  lastRecord(): number {
    return this.sql<{ last: number }>(LAST_RECORD).get()?.last ?? 0
  }

  lastPlace(): number {
    return this.sql<{ last: number }>(LAST_PLACE).get()?.last ?? 0
  }

  topics(): readonly PlaceAge[] {
    return this.sql<PlaceAge>(TOPICS).all(this.workspace)
  }

  mailboxes(): readonly MailboxAge[] {
    return this.sql<MailboxAge>(MAILBOXES).all(this.workspace)
  }

  /** Undefined when the place is no mailbox of the workspace. */
  mailbox(id: number): Omit<MailboxAge, 'head'> | undefined {
    return this.sql<Omit<MailboxAge, 'head'>>(MAILBOX).get(id, this.workspace)
  }

  newPlaces(after: number, limit: number): readonly NewPlace[] {
    return this.sql<NewPlace>(NEW_PLACES).all(after, this.workspace, limit)
  }

  newRecords(after: number, limit: number): readonly NewRecord[] {
    return this.sql<NewRecord>(NEW_RECORDS).all(after, this.workspace, limit)
  }
}
