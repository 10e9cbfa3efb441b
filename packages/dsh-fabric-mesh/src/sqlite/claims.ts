/** Claim, settle, release: who may finish a message, proved by a token of which only the hash is stored. */
import { timingSafeEqual } from 'node:crypto'
import type {
  ClaimedMessage,
  MailboxMessage,
  SettledMessage,
  SettleOutcome,
} from 'dsh-fabric-protocol'
import {
  checkAuthor,
  checkErrorText,
  checkId,
  checkReason,
  checkWorker,
  encodeJson,
} from '../bounds.ts'
import { claimToken, tokenDigest } from '../claim-token.ts'
import { MeshError } from '../error.ts'
import type { Author, Claim, Worker } from '../mesh.ts'
import { type MailRow, type Settlement, statusOf } from './desk.ts'
import type { MailRoom } from './mail-room.ts'

export class Claims {
  private readonly room: MailRoom

  constructor(room: MailRoom) {
    this.room = room
  }

  async claim(mailboxId: string, worker: Worker): Promise<Claim | undefined> {
    checkId('mailbox id', mailboxId)
    checkWorker(worker)
    const { desk, door, store } = this.room
    const seen = store.glance(() => ({ oldest: desk.oldestQueued(door.require(mailboxId)) }))
    if (seen !== undefined && seen.oldest === undefined) return undefined // needs no lock
    return store.write(() => this.claimOldest(mailboxId, worker))
  }

  /** A claim that was won while the signal aborted is still returned: it is the worker's. */
  async claimNext(
    mailboxId: string,
    worker: Worker,
    signal: AbortSignal,
  ): Promise<Claim | undefined> {
    checkId('mailbox id', mailboxId)
    checkWorker(worker)
    const { door, store } = this.room
    const ear = store.listen(await store.read(() => door.require(mailboxId)), signal)
    try {
      while (!signal.aborted) {
        const claim = await this.claim(mailboxId, worker)
        if (claim !== undefined) return claim
        await ear.wait()
      }
      return undefined
    } finally {
      ear.close()
    }
  }

  async whenSettled(
    mailboxId: string,
    messageId: string,
    signal: AbortSignal,
  ): Promise<SettledMessage | undefined> {
    checkId('mailbox id', mailboxId)
    checkId('message id', messageId)
    const { door, store } = this.room
    const mailbox = await store.read(() => door.require(mailboxId))
    const ear = store.listen(mailbox, signal)
    try {
      while (!signal.aborted) {
        const message = await store.read(() => {
          const row = this.room.require(mailbox, mailboxId, messageId)
          return this.room.message(mailboxId, row)
        })
        if (isSettled(message)) return message
        await ear.wait()
      }
      return undefined
    } finally {
      ear.close()
    }
  }

  async claimsOf(mailboxId: string, worker: Worker): Promise<readonly Claim[]> {
    checkId('mailbox id', mailboxId)
    checkWorker(worker)
    const { desk, door, store } = this.room
    return store.read(() => {
      const mailbox = door.require(mailboxId)
      const number = store.names.find(worker.id)
      if (number === undefined) return []
      return desk.claimsOf(mailbox, number).flatMap((sequence) => {
        const row = this.room.mailAt(mailbox, sequence)
        const token = this.token(mailboxId, worker, row)
        if (!provesClaim(row, token)) return [] // of the same name, with another secret
        return [{ message: this.claimed(mailboxId, row), token }]
      })
    })
  }

  async settle(
    mailboxId: string,
    messageId: string,
    request: { readonly token: string; readonly outcome: SettleOutcome },
  ): Promise<SettledMessage> {
    checkId('mailbox id', mailboxId)
    checkId('message id', messageId)
    const { desk, door, store } = this.room
    const { token } = request
    const outcome = encode(mailboxId, request.outcome, store.options.payloadLimitBytes)
    return store.write((touched) => {
      const mailbox = door.require(mailboxId)
      const found = this.room.require(mailbox, mailboxId, messageId)
      if (!provesClaim(found, token)) throw refusal(mailboxId, found)
      if (statusOf(found) === 'settled') return this.settled(mailboxId, found)
      touched.add(mailbox)
      desk.settle(mailbox, found, { settledAt: store.options.now(), ...outcome })
      return this.settled(mailboxId, this.room.mail(found.n))
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
      const found = this.room.require(mailbox, mailboxId, messageId)
      if (statusOf(found) !== 'claimed') throw notClaimed(mailboxId, found)
      touched.add(mailbox)
      const by = store.names.intern(request.by)
      desk.release(mailbox, found, { ...request, at: store.options.now(), by })
      return this.room.message(mailboxId, this.room.mail(found.n))
    })
  }

  private claimOldest(mailboxId: string, worker: Worker): Claim | undefined {
    const { desk, door, store } = this.room
    const mailbox = door.require(mailboxId)
    const oldest = desk.oldestQueued(mailbox)
    if (oldest === undefined) return undefined
    const { seq } = oldest
    const attempts = oldest.attempts + 1
    const token = this.token(mailboxId, worker, { seq, attempts })
    desk.claim(mailbox, seq, {
      attempts,
      worker: store.names.intern(worker.id),
      claimedAt: store.options.now(),
      token: tokenDigest(token),
    })
    return { message: this.claimed(mailboxId, this.room.mailAt(mailbox, seq)), token }
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
    if (isSettled(message)) return message
    throw refusal(mailboxId, row)
  }

  private claimed(mailboxId: string, row: MailRow): ClaimedMessage {
    const message = this.room.message(mailboxId, row)
    if (message.status === 'claimed') return message
    throw refusal(mailboxId, row)
  }
}

function encode(
  mailboxId: string,
  outcome: SettleOutcome,
  limitBytes: number,
): Omit<Settlement, 'settledAt'> {
  if (outcome.status === 'failed') {
    return { failed: true, outcome: JSON.stringify(checkErrorText(outcome.error)) }
  }
  const thing = `result for mailbox '${mailboxId}'`
  return { failed: false, outcome: encodeJson(thing, outcome.result, limitBytes) }
}

function isSettled(message: MailboxMessage): message is SettledMessage {
  return message.status === 'completed' || message.status === 'failed'
}

function provesClaim(row: MailRow, token: string): boolean {
  return row.token !== null && timingSafeEqual(row.token, tokenDigest(token))
}

/** Why a token that proves nothing does not settle the message. */
function refusal(mailboxId: string, row: MailRow): MeshError {
  if (row.attempts === 0) return notClaimed(mailboxId, row)
  const found =
    statusOf(row) === 'queued' ? 'its claim was released' : 'the token is not that of its claim'
  const message = `message '${row.id}' of mailbox '${mailboxId}' cannot be settled: ${found}`
  return new MeshError('claim-lost', message, { detail: { mailboxId, messageId: row.id } })
}

function notClaimed(mailboxId: string, row: MailRow): MeshError {
  const message = `message '${row.id}' of mailbox '${mailboxId}' is not claimed: it is ${statusOf(row)}`
  return new MeshError('not-claimed', message, { detail: { mailboxId, messageId: row.id } })
}
