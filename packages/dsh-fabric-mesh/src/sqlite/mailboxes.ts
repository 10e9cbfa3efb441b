/** Mailboxes in SQLite. */
import type {
  MailboxMessage,
  MailboxRecord,
  SettledMessage,
  SettleOutcome,
} from 'dsh-fabric-protocol'
import { checkAuthor, checkCount, checkId, checkLimit, encodeJson } from '../bounds.ts'
import type { Author, Claim, Mailboxes, Page, Place, Post, PruneResult, Worker } from '../mesh.ts'
import { Claims } from './claims.ts'
import { statusOf } from './desk.ts'
import { MailRoom } from './mail-room.ts'
import type { Store } from './store.ts'

/** How many messages one commit of a prune looks at: the event loop turns between them. */
const PRUNED_AT_ONCE = 200

interface Pruned extends PruneResult {
  /** The sequence to go on after; undefined once done. */
  readonly next: number | undefined
}

export class SqliteMailboxes implements Mailboxes {
  private readonly room: MailRoom
  private readonly claims: Claims

  constructor(store: Store, identity: string) {
    this.room = new MailRoom(store, identity)
    this.claims = new Claims(this.room)
  }

  create(place: Place): Promise<MailboxRecord> {
    return this.room.door.create(place)
  }

  open(place: Place): Promise<MailboxRecord> {
    return this.room.door.open(place)
  }

  find(mailboxId: string): Promise<MailboxRecord | undefined> {
    return this.room.door.find(mailboxId)
  }

  async send(mailboxId: string, post: Post): Promise<MailboxMessage> {
    checkId('mailbox id', mailboxId)
    checkAuthor(post)
    if (post.id !== undefined) checkId('message id', post.id)
    const { desk, door, store } = this.room
    const { log, names, options } = store
    const thing = `payload for mailbox '${mailboxId}'`
    const payload = encodeJson(thing, post.payload, options.payloadLimitBytes)
    const { id, by: author, cause } = post

    return store.write((touched) => {
      const mailbox = door.require(mailboxId)
      const known = id === undefined ? undefined : log.findById(mailbox, id)
      if (known !== undefined) return this.room.message(mailboxId, this.room.mail(known.n))
      touched.add(mailbox)
      const at = options.now()
      const added = log.append(mailbox, { at, by: names.intern(author), id, cause, payload })
      desk.queue(mailbox, added.seq, at)
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

  claim(mailboxId: string, worker: Worker): Promise<Claim | undefined> {
    return this.claims.claim(mailboxId, worker)
  }

  claimNext(mailboxId: string, worker: Worker, signal: AbortSignal): Promise<Claim | undefined> {
    return this.claims.claimNext(mailboxId, worker, signal)
  }

  claimsOf(mailboxId: string, worker: Worker): Promise<readonly Claim[]> {
    return this.claims.claimsOf(mailboxId, worker)
  }

  settle(
    mailboxId: string,
    messageId: string,
    request: { readonly token: string; readonly outcome: SettleOutcome },
  ): Promise<SettledMessage> {
    return this.claims.settle(mailboxId, messageId, request)
  }

  whenSettled(
    mailboxId: string,
    messageId: string,
    signal: AbortSignal,
  ): Promise<SettledMessage | undefined> {
    return this.claims.whenSettled(mailboxId, messageId, signal)
  }

  release(
    mailboxId: string,
    messageId: string,
    request: Author & { readonly reason: string },
  ): Promise<MailboxMessage> {
    return this.claims.release(mailboxId, messageId, request)
  }

  async read(mailboxId: string, page: Page = {}): Promise<readonly MailboxMessage[]> {
    checkId('mailbox id', mailboxId)
    const after = checkCount('after', page.after ?? 0)
    const limit = checkLimit(page.limit)
    const { desk, door, store } = this.room
    return store.read(() => {
      const rows = desk.mailAfter(door.require(mailboxId), after, limit)
      return rows.map((row) => this.room.message(mailboxId, row))
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

  /** All mailboxes of the workspace, for its snapshot; inside a read. */
  all(): readonly MailboxRecord[] {
    return this.room.door.all().map((row) => this.room.record(row))
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
    }
    const deleted = rows.length
    const done = deleted === excess || looked.length < PRUNED_AT_ONCE
    return { deleted, retained: settled - deleted, next: done ? undefined : looked.at(-1)?.seq }
  }
}
