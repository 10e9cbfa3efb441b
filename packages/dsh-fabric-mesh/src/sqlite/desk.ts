/** What is open in a mailbox (queued and claimed messages, the counters), and how the rest was settled. */
import { LOG, RECORD, type RecordRow } from './log.ts'
import { PART } from './schema.ts'
import type { Sql } from './sql.ts'

const QUEUED = 1
const CLAIMED = 2

export interface Counters {
  readonly queued: number
  readonly claimed: number
  readonly completed: number
  readonly failed: number
  readonly updatedAt: number
}

/** A mailbox message with its status: settled, else claimed, else queued. */
export interface MailRow extends RecordRow {
  readonly lane: number | null
  readonly attempts: number
  readonly worker: number | null
  readonly claimedAt: number | null
  readonly token: Uint8Array | null
  readonly settledAt: number | null
  readonly failed: number | null
  readonly outcome: string | null
}

export interface Ticket {
  readonly attempts: number
  readonly worker: number
  readonly claimedAt: number
  readonly token: Uint8Array
}

export interface Settlement {
  readonly settledAt: number
  readonly failed: boolean
  readonly outcome: string
}

const OPEN_MAILBOX = `INSERT INTO desk (mailbox, lane, seq, queued, claimed, completed, failed, updated_at)
  VALUES (?, 0, 0, 0, 0, 0, 0, ?)`
const COUNTERS = `SELECT queued, claimed, completed, failed, updated_at AS updatedAt
  FROM desk WHERE mailbox = ? AND lane = 0 AND seq = 0`
const COUNT = `UPDATE desk SET queued = queued + ?, claimed = claimed + ?, completed = completed + ?,
  failed = failed + ?, updated_at = ? WHERE mailbox = ? AND lane = 0 AND seq = 0`

const ADD_QUEUED = 'INSERT INTO desk (mailbox, lane, seq, attempts) VALUES (?, 1, ?, 0)'
const OLDEST_QUEUED =
  'SELECT seq, attempts FROM desk WHERE mailbox = ? AND lane = 1 ORDER BY seq LIMIT 1'
const TO_CLAIMED = `UPDATE desk SET lane = 2, attempts = ?, worker = ?, claimed_at = ?, token = ?
  WHERE mailbox = ? AND lane = 1 AND seq = ?`
const TO_QUEUED = `UPDATE desk SET lane = 1, worker = NULL, claimed_at = NULL, token = NULL
  WHERE mailbox = ? AND lane = 2 AND seq = ?`
const END_CLAIM = 'DELETE FROM desk WHERE mailbox = ? AND lane = 2 AND seq = ?'
const CLAIMS_OF = 'SELECT seq FROM desk WHERE mailbox = ? AND lane = 2 AND worker = ? ORDER BY seq'

const ADD_SETTLED = `INSERT INTO settled
  (n, attempts, worker, claimed_at, token, settled_at, failed, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
const DELETE_SETTLED = 'DELETE FROM settled WHERE n = ?'
const ADD_RELEASED = `INSERT INTO released (n, attempt, worker, at, by, cause, reason)
  VALUES (?, ?, ?, ?, ?, ?, ?)`
const DELETE_RELEASED = 'DELETE FROM released WHERE n = ?'

const STATUS = `d.lane, coalesce(d.attempts, s.attempts) AS attempts,
  coalesce(d.worker, s.worker) AS worker, coalesce(d.claimed_at, s.claimed_at) AS claimedAt,
  coalesce(d.token, s.token) AS token, s.settled_at AS settledAt, s.failed, s.outcome`
const JOINED = `LEFT JOIN desk d ON d.mailbox = m.place AND d.lane IN (1, 2) AND d.seq = m.seq
  LEFT JOIN settled s ON s.n = m.n`
const MAIL = `SELECT ${RECORD}, ${STATUS} FROM record m ${JOINED} WHERE m.n = ?`
const MAIL_AFTER = `SELECT ${RECORD}, ${STATUS} FROM ${LOG} ${JOINED}
  WHERE p.place = ? AND p.part >= ? AND m.seq > ? ORDER BY p.part, j.key LIMIT ?`

export class Desk {
  private readonly sql: Sql

  constructor(sql: Sql) {
    this.sql = sql
  }

  open(mailbox: number, at: number): void {
    this.sql(OPEN_MAILBOX).run(mailbox, at)
  }

  counters(mailbox: number): Counters | undefined {
    return this.sql<Counters>(COUNTERS).get(mailbox)
  }

  count(mailbox: number, change: Partial<Counters> & { readonly updatedAt: number }): void {
    const { queued = 0, claimed = 0, completed = 0, failed = 0, updatedAt } = change
    this.sql(COUNT).run(queued, claimed, completed, failed, updatedAt, mailbox)
  }

  queue(mailbox: number, seq: number, at: number): void {
    this.sql(ADD_QUEUED).run(mailbox, seq)
    this.count(mailbox, { queued: 1, updatedAt: at })
  }

  oldestQueued(mailbox: number): { readonly seq: number; readonly attempts: number } | undefined {
    return this.sql<{ seq: number; attempts: number }>(OLDEST_QUEUED).get(mailbox)
  }

  claim(mailbox: number, seq: number, ticket: Ticket): void {
    const { attempts, worker, claimedAt, token } = ticket
    this.sql(TO_CLAIMED).run(attempts, worker, claimedAt, token, mailbox, seq)
    this.count(mailbox, { queued: -1, claimed: 1, updatedAt: claimedAt })
  }

  claimsOf(mailbox: number, worker: number): readonly number[] {
    const rows = this.sql<{ seq: number }>(CLAIMS_OF).all(mailbox, worker)
    return rows.map((row) => row.seq)
  }

  settle(mailbox: number, row: MailRow, settlement: Settlement): void {
    const { settledAt, failed, outcome } = settlement
    const { n, seq, attempts, worker, claimedAt, token } = row
    this.sql(END_CLAIM).run(mailbox, seq)
    this.sql(ADD_SETTLED).run(
      n,
      attempts,
      worker,
      claimedAt,
      token,
      settledAt,
      Number(failed),
      outcome,
    )
    const kind = failed ? { failed: 1 } : { completed: 1 }
    this.count(mailbox, { claimed: -1, ...kind, updatedAt: settledAt })
  }

  release(
    mailbox: number,
    row: MailRow,
    release: {
      readonly at: number
      readonly by: number
      readonly cause?: string
      readonly reason: string
    },
  ): void {
    const { at, by, cause = null, reason } = release
    this.sql(ADD_RELEASED).run(row.n, row.attempts, row.worker, at, by, cause, reason)
    this.sql(TO_QUEUED).run(mailbox, row.seq)
    this.count(mailbox, { queued: 1, claimed: -1, updatedAt: at })
  }

  /** Before their records are removed. */
  forget(mailbox: number, settled: readonly MailRow[], at: number): void {
    for (const { n } of settled) {
      this.sql(DELETE_SETTLED).run(n)
      this.sql(DELETE_RELEASED).run(n)
    }
    const failed = settled.filter((row) => row.failed === 1).length
    this.count(mailbox, { completed: failed - settled.length, failed: -failed, updatedAt: at })
  }

  mail(n: number): MailRow | undefined {
    return this.sql<MailRow>(MAIL).get(n)
  }

  /** Oldest first. */
  mailAfter(mailbox: number, seq: number, limit: number): readonly MailRow[] {
    return this.sql<MailRow>(MAIL_AFTER).all(mailbox, Math.floor(seq / PART), seq, limit)
  }
}

export type MailStatus = 'queued' | 'claimed' | 'settled' | 'damaged'

export function statusOf(row: MailRow): MailStatus {
  if (row.settledAt !== null) return 'settled'
  if (row.lane === CLAIMED) return 'claimed'
  return row.lane === QUEUED ? 'queued' : 'damaged'
}
