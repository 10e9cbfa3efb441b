/** Claim, extend, settle, release: who may finish a message, proved by a token of which only the hash is stored. */
import { timingSafeEqual } from 'node:crypto'
import type {
  ClaimedMessage,
  EndedMessage,
  MailboxMessage,
  SettledMessage,
  SettleOutcome,
} from 'dsh-fabric-protocol'
import { checkAuthor, checkId, checkReason, checkWorker } from '../bounds.ts'
import { claimLost, notClaimed } from '../claim-refusal.ts'
import { claimToken, tokenDigest } from '../claim-token.ts'
import type { MeshError } from '../error.ts'
import type { Author, Claim, Worker } from '../mesh.ts'
import { encodeOutcome, isEnded } from '../outcome.ts'
import { type MailRow, statusOf } from './desk.ts'
import type { MailRoom } from './mail-room.ts'
import type { Ear } from './wake.ts'

/** What a write that may be refused came to: the ends of leases that it met are kept either way. */
type Attempted<T> = { readonly done: T } | { readonly refused: MeshError }

interface Found {
  readonly mailbox: number
  readonly row: MailRow
}

export class Claims {
  private readonly room: MailRoom

  constructor(room: MailRoom) {
    this.room = room
  }

  async claim(mailboxId: string, worker: Worker): Promise<Claim | undefined> {
    checkId('mailbox id', mailboxId)
    checkWorker(worker)
    const { desk, door, store } = this.room
    const now = store.options.now()
    const hasWork = store.glance(() => ({ is: desk.hasWork(door.require(mailboxId), now) }))
    if (hasWork?.is === false) return undefined // needs no lock
    return store.write((touched) => this.claimFirst(mailboxId, worker, touched))
  }

  /** A claim that was won while the signal aborted is still returned: it is the worker's. */
  async claimNext(
    mailboxId: string,
    worker: Worker,
    signal: AbortSignal,
  ): Promise<Claim | undefined> {
    checkId('mailbox id', mailboxId)
    checkWorker(worker)
    return this.listening(mailboxId, signal, async (ear, mailbox) => {
      while (!signal.aborted) {
        const claim = await this.claim(mailboxId, worker)
        if (claim !== undefined) return claim
        await ear.wait(await this.untilDue(mailbox))
      }
      return undefined
    })
  }

  async whenSettled(
    mailboxId: string,
    messageId: string,
    signal: AbortSignal,
  ): Promise<EndedMessage | undefined> {
    checkId('mailbox id', mailboxId)
    checkId('message id', messageId)
    const { store } = this.room
    return this.listening(mailboxId, signal, async (ear, mailbox) => {
      while (!signal.aborted) {
        const message = await store.read(() => {
          const row = this.room.require(mailbox, mailboxId, messageId)
          return this.room.message(mailboxId, row)
        })
        if (isEnded(message)) return message
        const untilDue = await this.untilDue(mailbox)
        if (untilDue === 0) await store.write((touched) => this.endLeases(mailbox, touched))
        else await ear.wait(untilDue)
      }
      return undefined
    })
  }

  async claimsOf(mailboxId: string, worker: Worker): Promise<readonly Claim[]> {
    checkId('mailbox id', mailboxId)
    checkWorker(worker)
    const { desk, door, store } = this.room
    return store.read(() => {
      const mailbox = door.require(mailboxId)
      const number = store.names.find(worker.id)
      if (number === undefined) return []
      const rows = desk
        .claimsOf(mailbox, number)
        .flatMap((sequence) => this.room.mailAt(mailbox, sequence) ?? [])
        .filter((row) => !this.isOver(row))
      return store.quarantine
        .readable(rows, (row) => this.claimOf(mailboxId, worker, row))
        .flatMap((claim) => claim ?? []) // of the same name, with another secret
    })
  }

  async extend(
    mailboxId: string,
    messageId: string,
    request: { readonly token: string },
  ): Promise<ClaimedMessage> {
    const { desk, store } = this.room
    return this.withToken(mailboxId, messageId, request.token, ({ mailbox, row }) => {
      if (statusOf(row) === 'settled') return { refused: notClaimed(mailboxId, named(row)) }
      desk.extend(mailbox, row.seq, store.options.now())
      return { done: this.claimed(mailboxId, this.room.mail(row.n)) }
    })
  }

  async settle(
    mailboxId: string,
    messageId: string,
    request: { readonly token: string; readonly outcome: SettleOutcome },
  ): Promise<SettledMessage> {
    const { desk, store } = this.room
    const { payloadLimitBytes } = store.options
    const { status, json } = encodeOutcome(mailboxId, request.outcome, payloadLimitBytes)
    const settlement = { failed: status === 'failed', outcome: json }
    return this.withToken(mailboxId, messageId, request.token, ({ mailbox, row }, touched) => {
      if (statusOf(row) === 'settled') return { done: this.settled(mailboxId, row) }
      touched.add(mailbox)
      desk.settle(mailbox, row, { settledAt: store.options.now(), ...settlement })
      return { done: this.settled(mailboxId, this.room.mail(row.n)) }
    })
  }

  async release(
    mailboxId: string,
    messageId: string,
    request: Author & { readonly reason: string },
  ): Promise<MailboxMessage> {
    checkId('mailbox id', mailboxId)
    checkId('message id', messageId)
    checkAuthor(request)
    checkReason(request.reason)
    const { desk, door, store } = this.room
    return store.write((touched) => {
      const mailbox = door.require(mailboxId)
      this.endLeases(mailbox, touched)
      const found = this.room.require(mailbox, mailboxId, messageId)
      const status = statusOf(found)
      if (status !== 'claimed' && status !== 'dead') throw notClaimed(mailboxId, named(found))
      touched.add(mailbox)
      const by = store.names.intern(request.by)
      const release = { ...request, at: store.options.now(), by }
      if (status === 'dead') desk.revive(mailbox, found, release)
      else desk.release(mailbox, found, release)
      return this.room.message(mailboxId, this.room.mail(found.n))
    })
  }

  /** Inside a write: claims whose lease has ended are taken back. */
  private endLeases(mailbox: number, touched: Set<number>): void {
    const { desk, store } = this.room
    const at = store.options.now()
    if (!desk.anyDue(mailbox, at)) return
    for (const sequence of desk.ended(mailbox, at)) {
      const row = this.room.mailAt(mailbox, sequence)
      if (row === undefined) {
        desk.remove(mailbox, sequence, { claimed: -1, updatedAt: at })
        continue
      }
      const by = row.worker ?? row.by
      desk.release(mailbox, row, { at, by, reason: 'its lease ended', expired: true })
    }
    desk.endDelays(mailbox, at)
    touched.add(mailbox)
  }

  private claimFirst(mailboxId: string, worker: Worker, touched: Set<number>): Claim | undefined {
    const { desk, door, store } = this.room
    const mailbox = door.require(mailboxId)
    this.endLeases(mailbox, touched)
    for (;;) {
      const first = desk.first(mailbox)
      if (first === undefined) return undefined
      const { seq } = first
      const row = this.room.mailAt(mailbox, seq)
      if (row === undefined || !this.isReadable(mailboxId, row)) {
        desk.remove(mailbox, seq, { queued: -1, updatedAt: store.options.now() })
        continue
      }
      const attempts = first.attempts + 1
      const token = this.token(mailboxId, worker, { seq, attempts })
      desk.claim(mailbox, seq, {
        attempts,
        worker: store.names.intern(worker.id),
        claimedAt: store.options.now(),
        token: tokenDigest(token),
      })
      return { message: this.claimed(mailboxId, this.room.mail(row.n)), token }
    }
  }

  private isReadable(mailboxId: string, row: MailRow): boolean {
    const { quarantine } = this.room.store
    return quarantine.attempt(row.n, () => this.room.message(mailboxId, row)) !== undefined
  }

  /** A write for whoever proves the message's claim. */
  private async withToken<T>(
    mailboxId: string,
    messageId: string,
    token: string,
    run: (found: Found, touched: Set<number>) => Attempted<T>,
  ): Promise<T> {
    checkId('mailbox id', mailboxId)
    checkId('message id', messageId)
    const { door, store } = this.room
    const attempted = await store.write((touched): Attempted<T> => {
      const mailbox = door.require(mailboxId)
      this.endLeases(mailbox, touched)
      const row = this.room.require(mailbox, mailboxId, messageId)
      if (!provesClaim(row, token)) return { refused: this.refusal(mailboxId, row, token) }
      return run({ mailbox, row }, touched)
    })
    if ('refused' in attempted) throw attempted.refused
    return attempted.done
  }

  /** Why a token that proves nothing does not settle the message. */
  private refusal(mailboxId: string, row: MailRow, token: string): MeshError {
    if (row.attempts === 0) return notClaimed(mailboxId, named(row))
    const released = this.room.desk.releases(row.n)
    const own = released.find((each) => isDigestOf(each.token, token))
    const since = own === undefined ? [] : this.room.releases(row.n)
    const fromOwn = since.filter(({ attempt }) => attempt >= (own?.attempt ?? 0))
    return claimLost(mailboxId, named(row), { wasReleased: own !== undefined, since: fromOwn })
  }

  /** Milliseconds until a lease ends or a delay passes; 0 when one has, undefined when none will. */
  private async untilDue(mailbox: number): Promise<number | undefined> {
    const { desk, store } = this.room
    const due = await store.read(() => desk.nextDue(mailbox))
    return due === undefined ? undefined : Math.max(0, due - store.options.now())
  }

  private async listening<T>(
    mailboxId: string,
    signal: AbortSignal,
    run: (ear: Ear, mailbox: number) => Promise<T>,
  ): Promise<T> {
    const { door, store } = this.room
    const mailbox = await store.read(() => door.require(mailboxId))
    const ear = store.listen(mailbox, signal)
    try {
      return await run(ear, mailbox)
    } finally {
      ear.close()
    }
  }

  private claimOf(mailboxId: string, worker: Worker, row: MailRow): Claim | undefined {
    const token = this.token(mailboxId, worker, row)
    if (!provesClaim(row, token)) return undefined
    return { message: this.claimed(mailboxId, row), token }
  }

  private isOver({ due }: MailRow): boolean {
    return due !== null && due <= this.room.store.options.now()
  }

  private token(
    mailboxId: string,
    worker: Worker,
    claim: { readonly seq: number; readonly attempts: number },
  ): string {
    const { identity } = this.room
    const { seq: sequence, attempts: attempt } = claim
    return claimToken(worker.secret, { identity, mailboxId, sequence, attempt })
  }

  private settled(mailboxId: string, row: MailRow): SettledMessage {
    const message = this.room.message(mailboxId, row)
    if (message.status === 'completed' || message.status === 'failed') return message
    throw notClaimed(mailboxId, named(row))
  }

  private claimed(mailboxId: string, row: MailRow): ClaimedMessage {
    const message = this.room.message(mailboxId, row)
    if (message.status === 'claimed') return message
    throw notClaimed(mailboxId, named(row))
  }
}

function named(row: MailRow) {
  return { id: row.id ?? '', status: statusOf(row) }
}

/** A dead message has no claim any more. */
function provesClaim(row: MailRow, token: string): boolean {
  return statusOf(row) !== 'dead' && isDigestOf(row.token, token)
}

function isDigestOf(digest: Uint8Array | null, token: string): boolean {
  return digest !== null && timingSafeEqual(digest, tokenDigest(token))
}
