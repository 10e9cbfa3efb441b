/** What is open in a mailbox (its messages that are not settled, the counters), and how the rest was settled. */
import { LOG, RECORD, type RecordRow } from './log.ts'
import { PART } from './schema.ts'
import type { Sql } from './sql.ts'

/** Where a message lies; the numbers are stored. */
const lanes = { queued: 1, claimed: 2, delayed: 3, urgent: 4, dead: 5 } as const
type Lane = (typeof lanes)[keyof typeof lanes]

/** Ends of leases and delays handled by one commit. */
const DUE_AT_ONCE = 1000

export interface Counters {
  readonly queued: number
  readonly claimed: number
  readonly completed: number
  readonly failed: number
  readonly dead: number
  readonly updatedAt: number
}

type CounterChange = Partial<Counters> & { readonly updatedAt: number }

/** What a mailbox was created with. */
export interface Terms {
  readonly leaseMs: number | null
  readonly maxAttempts: number | null
}

/** A mailbox message with its status: settled, else where it lies. */
export interface MailRow extends RecordRow {
  readonly lane: number | null
  readonly attempts: number
  readonly priority: number
  readonly due: number | null
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

/** A claim that is taken back. */
export interface Release {
  readonly at: number
  readonly by: number
  readonly cause?: string | undefined
  readonly reason: string
  /** Its lease ended. */
  readonly expired?: true
}

export interface ReleaseRow {
  readonly attempt: number
  readonly worker: number
  readonly at: number
  readonly by: number
  readonly cause: string | null
  readonly reason: string
  readonly expired: number | null
  readonly token: Uint8Array | null
}

/** A message that is not settled, as the desk alone knows it. */
interface Open {
  readonly seq: number
  readonly attempts: number
  readonly priority: number | null
}

const OPEN_MAILBOX = `INSERT INTO desk
  (mailbox, lane, seq, queued, claimed, completed, failed, updated_at, lease_ms, max_attempts)
  VALUES (?, 0, 0, 0, 0, 0, 0, ?, ?, ?)`
const COUNTERS = `SELECT queued, claimed, completed, failed, coalesce(dead, 0) AS dead,
  updated_at AS updatedAt FROM desk WHERE mailbox = ? AND lane = 0 AND seq = 0`
const TERMS = `SELECT lease_ms AS leaseMs, max_attempts AS maxAttempts
  FROM desk WHERE mailbox = ? AND lane = 0 AND seq = 0`
const COUNT = `UPDATE desk SET queued = queued + ?, claimed = claimed + ?, completed = completed + ?,
  failed = failed + ?, updated_at = ? WHERE mailbox = ? AND lane = 0 AND seq = 0`
/** Null rather than 0, so that a mailbox without dead letters keeps its short row. */
const COUNT_DEAD = `UPDATE desk SET dead = nullif(coalesce(dead, 0) + ?, 0)
  WHERE mailbox = ? AND lane = 0 AND seq = 0`

const ADD = `INSERT INTO desk (mailbox, lane, seq, attempts, priority, due) VALUES (?, ?, ?, 0, ?, ?)`
const FIRST = `SELECT seq, attempts, priority FROM desk WHERE mailbox = ? AND lane = 1
  ORDER BY seq LIMIT 1`
const MOST_URGENT = `SELECT seq, attempts, priority FROM desk INDEXED BY urgent
  WHERE mailbox = ? AND lane = 4 ORDER BY priority DESC, seq LIMIT 1`
const ANY_DUE = `SELECT 1 FROM desk INDEXED BY due WHERE mailbox = ? AND lane IN (2, 3) AND due <= ?
  LIMIT 1`
const DUE = `SELECT seq, priority FROM desk INDEXED BY due WHERE mailbox = ? AND lane = ? AND due <= ?
  ORDER BY due LIMIT ${DUE_AT_ONCE}`
const NEXT_DUE = `SELECT min(due) AS due FROM desk INDEXED BY due
  WHERE mailbox = ? AND lane IN (2, 3) AND due IS NOT NULL`
const TO_CLAIMED = `UPDATE desk SET lane = 2, attempts = ?, worker = ?, claimed_at = ?, token = ?, due = ?
  WHERE mailbox = ? AND lane IN (1, 4) AND seq = ?`
const TO_QUEUED = `UPDATE desk SET lane = ?, worker = NULL, claimed_at = NULL, token = NULL, due = NULL
  WHERE mailbox = ? AND lane IN (2, 3, 5) AND seq = ?`
const TO_DEAD = 'UPDATE desk SET lane = 5, due = ? WHERE mailbox = ? AND lane = 2 AND seq = ?'
const EXTEND = 'UPDATE desk SET due = ? WHERE mailbox = ? AND lane = 2 AND seq = ?'
const END = 'DELETE FROM desk WHERE mailbox = ? AND lane IN (1, 2, 3, 4, 5) AND seq = ?'
const CLAIMS_OF = 'SELECT seq FROM desk WHERE mailbox = ? AND lane = 2 AND worker = ? ORDER BY seq'
const LANE_AFTER =
  'SELECT seq FROM desk WHERE mailbox = ? AND lane = ? AND seq > ? ORDER BY seq LIMIT ?'

const ADD_SETTLED = `INSERT INTO settled
  (n, attempts, worker, claimed_at, token, settled_at, failed, outcome, priority)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
const DELETE_SETTLED = 'DELETE FROM settled WHERE n = ?'
const ADD_RELEASED = `INSERT INTO released (n, attempt, worker, at, by, cause, reason, expired, token)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
const RELEASES = `SELECT attempt, worker, at, by, cause, reason, expired, token
  FROM released WHERE n = ? ORDER BY id`
const DELETE_RELEASED = 'DELETE FROM released WHERE n = ?'

const STATUS = `d.lane, coalesce(d.attempts, s.attempts) AS attempts,
  coalesce(d.priority, s.priority, 0) AS priority, d.due, coalesce(d.worker, s.worker) AS worker,
  coalesce(d.claimed_at, s.claimed_at) AS claimedAt, coalesce(d.token, s.token) AS token,
  s.settled_at AS settledAt, s.failed, s.outcome`
const JOINED = `LEFT JOIN desk d ON d.mailbox = m.place AND d.lane IN (1, 2, 3, 4, 5) AND d.seq = m.seq
  LEFT JOIN settled s ON s.n = m.n`
const MAIL = `SELECT ${RECORD}, ${STATUS} FROM record m ${JOINED} WHERE m.n = ?`
const MAIL_AFTER = `SELECT ${RECORD}, ${STATUS} FROM ${LOG} ${JOINED}
  WHERE p.place = ? AND p.part >= ? AND m.seq > ? ORDER BY p.part, j.key LIMIT ?`

export class Desk {
  private readonly sql: Sql
  private readonly counted: (mailbox: number) => void

  /** `counted` hears of every change of a mailbox's counters, before it is committed. */
  constructor(sql: Sql, counted: (mailbox: number) => void) {
    this.sql = sql
    this.counted = counted
  }

  open(mailbox: number, at: number, { leaseMs, maxAttempts }: Terms): void {
    this.sql(OPEN_MAILBOX).run(mailbox, at, leaseMs, maxAttempts)
  }

  counters(mailbox: number): Counters | undefined {
    return this.sql<Counters>(COUNTERS).get(mailbox)
  }

  terms(mailbox: number): Terms {
    return this.sql<Terms>(TERMS).get(mailbox) ?? { leaseMs: null, maxAttempts: null }
  }

  queue(
    mailbox: number,
    seq: number,
    letter: { readonly at: number; readonly priority: number; readonly availableAt?: number },
  ): void {
    const { at, priority, availableAt } = letter
    const lane = availableAt === undefined ? laneOf(priority) : lanes.delayed
    const stored = priority === 0 ? null : priority
    this.sql(ADD).run(mailbox, lane, seq, stored, availableAt ?? null)
    this.count(mailbox, { queued: 1, updatedAt: at })
  }

  /** Whether a claim now would change anything. */
  hasWork(mailbox: number, now: number): boolean {
    return this.first(mailbox) !== undefined || this.anyDue(mailbox, now)
  }

  /** Of the highest priority, the oldest. Delays that have passed are to be ended first. */
  first(mailbox: number): Open | undefined {
    const urgent = this.sql<Open>(MOST_URGENT).get(mailbox)
    if (urgent !== undefined && (urgent.priority ?? 0) > 0) return urgent
    return this.sql<Open>(FIRST).get(mailbox) ?? urgent
  }

  anyDue(mailbox: number, now: number): boolean {
    return this.sql(ANY_DUE).get(mailbox, now) !== undefined
  }

  /** When the next lease ends or delay passes. */
  nextDue(mailbox: number): number | undefined {
    return this.sql<{ due: number | null }>(NEXT_DUE).get(mailbox)?.due ?? undefined
  }

  /** Sequences of claims whose lease has ended. */
  ended(mailbox: number, now: number): readonly number[] {
    return this.due(mailbox, lanes.claimed, now).map(({ seq }) => seq)
  }

  /** Delays that have passed. */
  endDelays(mailbox: number, now: number): void {
    for (const { seq, priority } of this.due(mailbox, lanes.delayed, now)) {
      this.sql(TO_QUEUED).run(laneOf(priority ?? 0), mailbox, seq)
    }
  }

  claim(mailbox: number, seq: number, ticket: Ticket): void {
    const { attempts, worker, claimedAt, token } = ticket
    const until = this.leaseUntil(mailbox, claimedAt)
    this.sql(TO_CLAIMED).run(attempts, worker, claimedAt, token, until, mailbox, seq)
    this.count(mailbox, { queued: -1, claimed: 1, updatedAt: claimedAt })
  }

  extend(mailbox: number, seq: number, now: number): void {
    const until = this.leaseUntil(mailbox, now)
    if (until !== null) this.sql(EXTEND).run(until, mailbox, seq)
  }

  claimsOf(mailbox: number, worker: number): readonly number[] {
    const rows = this.sql<{ seq: number }>(CLAIMS_OF).all(mailbox, worker)
    return rows.map((row) => row.seq)
  }

  /** Sequences of one status, oldest first. */
  list(
    mailbox: number,
    status: 'queued' | 'claimed' | 'dead',
    page: { readonly after: number; readonly limit: number },
  ): readonly number[] {
    const all = status === 'queued' ? [lanes.queued, lanes.delayed, lanes.urgent] : [lanes[status]]
    const { after, limit } = page
    const lane = this.sql<{ seq: number }>(LANE_AFTER)
    const found = all.flatMap((each) => lane.all(mailbox, each, after, limit))
    return found
      .map(({ seq }) => seq)
      .toSorted((a, b) => a - b)
      .slice(0, limit)
  }

  settle(mailbox: number, row: MailRow, settlement: Settlement): void {
    const { settledAt, failed, outcome } = settlement
    const { n, seq, attempts, worker, claimedAt, token } = row
    const priority = row.priority === 0 ? null : row.priority
    this.sql(END).run(mailbox, seq)
    this.sql(ADD_SETTLED).run(
      n,
      attempts,
      worker,
      claimedAt,
      token,
      settledAt,
      Number(failed),
      outcome,
      priority,
    )
    const kind = failed ? { failed: 1 } : { completed: 1 }
    this.count(mailbox, { claimed: -1, ...kind, updatedAt: settledAt })
  }

  /** A claim is taken back: queued again in its place, or dead once its attempts are used up. */
  release(mailbox: number, row: MailRow, release: Release): void {
    const { at } = release
    this.addRelease(row, release)
    const { maxAttempts } = this.terms(mailbox)
    if (maxAttempts !== null && row.attempts >= maxAttempts) {
      this.sql(TO_DEAD).run(at, mailbox, row.seq)
      this.count(mailbox, { claimed: -1, dead: 1, updatedAt: at })
      return
    }
    this.requeue(mailbox, row)
    this.count(mailbox, { queued: 1, claimed: -1, updatedAt: at })
  }

  /** A dead message is queued again. */
  revive(mailbox: number, row: MailRow, release: Release): void {
    this.addRelease(row, release)
    this.requeue(mailbox, row)
    this.count(mailbox, { queued: 1, dead: -1, updatedAt: release.at })
  }

  /** Oldest first. */
  releases(n: number): readonly ReleaseRow[] {
    return this.sql<ReleaseRow>(RELEASES).all(n)
  }

  /** A message that cannot be read lies on no desk: it is in nobody's way. */
  remove(mailbox: number, seq: number, counted: CounterChange): void {
    this.sql(END).run(mailbox, seq)
    this.count(mailbox, counted)
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

  private count(mailbox: number, change: CounterChange): void {
    const { queued = 0, claimed = 0, completed = 0, failed = 0, dead = 0, updatedAt } = change
    this.sql(COUNT).run(queued, claimed, completed, failed, updatedAt, mailbox)
    if (dead !== 0) this.sql(COUNT_DEAD).run(dead, mailbox)
    this.counted(mailbox)
  }

  private due(mailbox: number, lane: Lane, now: number): readonly Open[] {
    return this.sql<Open>(DUE).all(mailbox, lane, now)
  }

  private requeue(mailbox: number, { priority, seq }: MailRow): void {
    this.sql(TO_QUEUED).run(laneOf(priority), mailbox, seq)
  }

  private leaseUntil(mailbox: number, now: number): number | null {
    const { leaseMs } = this.terms(mailbox)
    return leaseMs === null ? null : now + leaseMs
  }

  private addRelease(row: MailRow, release: Release): void {
    const { at, by, cause = null, reason, expired = false } = release
    this.sql(ADD_RELEASED).run(
      row.n,
      row.attempts,
      row.worker,
      at,
      by,
      cause,
      reason,
      expired ? 1 : null,
      row.token,
    )
  }
}

function laneOf(priority: number): Lane {
  return priority === 0 ? lanes.queued : lanes.urgent
}

export type MailStatus = 'queued' | 'claimed' | 'dead' | 'settled' | 'damaged'

export function statusOf(row: MailRow): MailStatus {
  if (row.settledAt !== null) return 'settled'
  switch (row.lane) {
    case lanes.queued:
    case lanes.delayed:
    case lanes.urgent:
      return 'queued'
    case lanes.claimed:
      return 'claimed'
    case lanes.dead:
      return 'dead'
    case null:
    default:
      return 'damaged'
  }
}
