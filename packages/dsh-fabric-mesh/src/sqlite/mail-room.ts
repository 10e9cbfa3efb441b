/** A workspace's mailboxes as rows, and their messages as the port shows them: by status, never with a token. */
import type { ClaimRelease, MailboxMessage, MailboxRecord } from 'dsh-fabric-protocol'
import { z } from 'zod'
import { MeshError } from '../error.ts'
import type { MailboxPlace } from '../mesh.ts'
import { Desk, type MailRow, statusOf, type Terms } from './desk.ts'
import { PlaceDoor } from './place-door.ts'
import type { PlaceRow } from './places.ts'
import type { Store } from './store.ts'

export class MailRoom {
  readonly store: Store
  readonly identity: string
  readonly desk: Desk
  readonly door: PlaceDoor<MailboxPlace, MailboxRecord>

  constructor(store: Store, identity: string) {
    this.store = store
    this.identity = identity
    this.desk = new Desk(store.sql, (mailbox) => store.summaries.touch(mailbox))
    this.door = new PlaceDoor(store, identity, {
      kind: 'mailbox',
      added: (number, at, place) => this.desk.open(number, at, termsOf(place)),
      show: (row) => this.record(row),
    })
  }

  /** Fails with `not-found`. */
  require(mailbox: number, mailboxId: string, messageId: string): MailRow {
    const record = this.store.log.findById(mailbox, messageId)
    if (record !== undefined) return this.mail(record.n)
    const message = `mailbox '${mailboxId}' has no message '${messageId}'`
    throw new MeshError('not-found', message, { detail: { mailboxId, messageId } })
  }

  /** A record that is known to be there. */
  mail(n: number): MailRow {
    const row = this.desk.mail(n)
    if (row !== undefined) return row
    throw this.store.damaged('it is missing', { table: 'record', row: n })
  }

  /** Undefined for a message that lies on the desk and is in no log: the store is damaged there. */
  mailAt(mailbox: number, sequence: number): MailRow | undefined {
    const record = this.store.log.find(mailbox, sequence)
    return record === undefined ? undefined : this.desk.mail(record.n)
  }

  /** Every time a claim of the message was taken back, oldest first. */
  releases(n: number): readonly ClaimRelease[] {
    const { names } = this.store
    return this.desk.releases(n).map((row) => ({
      kind: row.expired === 1 ? 'lease' : 'operator',
      attempt: row.attempt,
      claimedBy: names.text(row.worker),
      releasedAt: row.at,
      by: names.text(row.by),
      ...(row.cause === null ? {} : { cause: row.cause }),
      reason: row.reason,
    }))
  }

  record(row: PlaceRow): MailboxRecord {
    const { log, names } = this.store
    const counters = this.desk.counters(row.id)
    if (counters === undefined) {
      throw this.store.damaged('it has no counters', { table: 'place', row: row.id })
    }
    const { updatedAt, ...counts } = counters
    const { leaseMs, maxAttempts } = this.desk.terms(row.id)
    return {
      id: row.name,
      label: row.label ?? row.name,
      by: names.text(row.by),
      createdAt: row.createdAt,
      updatedAt,
      headSequence: log.head(row.id),
      ...counts,
      ...(leaseMs === null ? {} : { leaseMs }),
      ...(maxAttempts === null ? {} : { maxAttempts }),
    }
  }

  message(mailboxId: string, row: MailRow): MailboxMessage {
    const sent = this.sent(mailboxId, row)
    const status = statusOf(row)
    const { worker, claimedAt, settledAt, outcome, due } = row
    if (status === 'queued') {
      return { status, ...sent, ...(due === null ? {} : { availableAt: due }) }
    }
    if (status === 'damaged' || worker === null || claimedAt === null) {
      throw this.store.damaged('it has no status', { table: 'record', row: row.n })
    }
    const claim = { claimedBy: this.store.names.text(worker), claimedAt }
    if (status === 'claimed') {
      return { status, ...sent, ...claim, ...(due === null ? {} : { leaseUntil: due }) }
    }
    if (status === 'dead') {
      const reason = this.desk.releases(row.n).at(-1)?.reason ?? ''
      return { status, ...sent, ...claim, reason, diedAt: due ?? 0 }
    }

    const settled = { ...sent, ...claim, settledAt: settledAt ?? 0 }
    const where = { table: 'settled', row: row.n }
    return row.failed === 1
      ? {
          status: 'failed',
          ...settled,
          error: this.store.decodeWith(z.string(), outcome ?? '', where),
        }
      : { status: 'completed', ...settled, result: this.store.decode(outcome ?? '', where) }
  }

  private sent(mailboxId: string, row: MailRow) {
    const where = { table: 'record', row: row.n }
    return {
      mailboxId,
      sequence: row.seq,
      id: row.id ?? '',
      payload: this.store.decode(row.payload ?? '', where),
      by: this.store.names.text(row.by),
      ...(row.cause === null ? {} : { cause: row.cause }),
      sentAt: row.at,
      attempts: row.attempts,
      priority: row.priority,
    }
  }
}

function termsOf({ leaseMs, maxAttempts }: MailboxPlace): Terms {
  return { leaseMs: leaseMs ?? null, maxAttempts: maxAttempts ?? null }
}
