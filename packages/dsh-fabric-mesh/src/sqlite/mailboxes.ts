/** Mailboxes in SQLite. */
import type { MailboxMessage, MailboxRecord } from 'dsh-fabric-protocol'
import {
  checkCount,
  checkId,
  checkLetter,
  checkLimit,
  checkMailboxPlace,
  encodeJson,
} from '../bounds.ts'
import type { Letter, MailboxPlace, Mailboxes, Page, PruneResult } from '../mesh.ts'
import { ClaimedMailboxes } from '../claimed-mailboxes.ts'
import { Claims } from './claims.ts'
import { type MailRow, statusOf } from './desk.ts'
import { MailRoom } from './mail-room.ts'
import type { Store } from './store.ts'

/** How many messages one commit of a prune looks at: the event loop turns between them. */
const PRUNED_AT_ONCE = 200

interface Pruned extends PruneResult {
  /** The sequence to go on after; undefined once done. */
  readonly next: number | undefined
}

export class SqliteMailboxes extends ClaimedMailboxes implements Mailboxes {
  private readonly room: MailRoom
  protected readonly claims: Claims

  constructor(store: Store, identity: string) {
    super()
    this.room = new MailRoom(store, identity)
    this.claims = new Claims(this.room)
  }

  async create(place: MailboxPlace): Promise<MailboxRecord> {
    checkMailboxPlace(place)
    return this.room.door.create(place)
  }

  async open(place: MailboxPlace): Promise<MailboxRecord> {
    checkMailboxPlace(place)
    return this.room.door.open(place)
  }

  find(mailboxId: string): Promise<MailboxRecord | undefined> {
    return this.room.door.find(mailboxId)
  }

  async send(mailboxId: string, letter: Letter): Promise<MailboxMessage> {
    checkId('mailbox id', mailboxId)
    checkLetter(letter)
    const { desk, door, store } = this.room
    const { log, names, options } = store
    const thing = `payload for mailbox '${mailboxId}'`
    const payload = encodeJson(thing, letter.payload, options.payloadLimitBytes)
    const { id, by: author, cause, priority = 0, delayMs = 0 } = letter

    return store.write((touched) => {
      const mailbox = door.require(mailboxId)
      const known = id === undefined ? undefined : log.findById(mailbox, id)
      if (known !== undefined) return this.room.message(mailboxId, this.room.mail(known.n))
      touched.add(mailbox)
      const at = options.now()
      const added = log.append(mailbox, { at, by: names.intern(author), id, cause, payload })
      const delay = delayMs === 0 ? {} : { availableAt: at + delayMs }
      desk.queue(mailbox, added.seq, { at, priority, ...delay })
      return this.room.message(mailboxId, this.room.mail(added.n))
    })
  }

  async findMessage(mailboxId: string, messageId: string): Promise<MailboxMessage | undefined> {
    checkId('mailbox id', mailboxId)
    checkId('message id', messageId)
    const { door, store } = this.room
    return store.read(() => {
      const row = store.log.findById(door.require(mailboxId), messageId)
      return row === undefined ? undefined : this.room.message(mailboxId, this.room.mail(row.n))
    })
  }

  async read(mailboxId: string, page: Page = {}): Promise<readonly MailboxMessage[]> {
    checkId('mailbox id', mailboxId)
    const after = checkCount('after', page.after ?? 0)
    const limit = checkLimit(page.limit)
    const { desk, door, store } = this.room
    return store.read(() => {
      const rows = desk.mailAfter(door.require(mailboxId), after, limit)
      return this.readable(mailboxId, rows)
    })
  }

  async list(
    mailboxId: string,
    status: 'queued' | 'claimed' | 'dead',
    page: Page = {},
  ): Promise<readonly MailboxMessage[]> {
    checkId('mailbox id', mailboxId)
    const after = checkCount('after', page.after ?? 0)
    const limit = checkLimit(page.limit)
    const { desk, door, store } = this.room
    return store.read(() => {
      const mailbox = door.require(mailboxId)
      const rows = desk
        .list(mailbox, status, { after, limit })
        .flatMap((sequence) => this.room.mailAt(mailbox, sequence) ?? [])
      return this.readable(mailboxId, rows)
    })
  }

  async prune(mailboxId: string, retain: number): Promise<PruneResult> {
    checkId('mailbox id', mailboxId)
    checkCount('retain', retain)
    let deleted = 0
    let after = 0
    for (;;) {
      const done = await this.room.store.write(() => this.pruneSome(mailboxId, after, retain))
      deleted += done.deleted
      if (done.next === undefined) return { deleted, retained: done.retained }
      after = done.next
    }
  }

  /** By the number of its place; inside a read. */
  show(mailbox: number): MailboxRecord {
    return this.room.door.shown(mailbox)
  }

  private readable(mailboxId: string, rows: readonly MailRow[]): readonly MailboxMessage[] {
    return this.room.store.quarantine.readable(rows, (row) => this.room.message(mailboxId, row))
  }

  private pruneSome(mailboxId: string, after: number, retain: number): Pruned {
    const { desk, door, store } = this.room
    const mailbox = door.require(mailboxId)
    const counters = desk.counters(mailbox)
    const settled = (counters?.completed ?? 0) + (counters?.failed ?? 0)
    const excess = Math.max(0, settled - retain)
    const looked = excess === 0 ? [] : desk.mailAfter(mailbox, after, PRUNED_AT_ONCE)
    const rows = looked.filter((row) => statusOf(row) === 'settled').slice(0, excess)
    if (rows.length > 0) {
      desk.forget(mailbox, rows, store.options.now())
      store.log.remove(mailbox, rows)
      store.places.countPruned(this.room.identity, { mail: rows.length })
    }
    const deleted = rows.length
    const done = deleted === excess || looked.length < PRUNED_AT_ONCE
    return { deleted, retained: settled - deleted, next: done ? undefined : looked.at(-1)?.seq }
  }
}
