/** Claim, extend, settle, release: commands in the mailbox's log, decided by the fold at their place in it. */
import { randomUUID } from 'node:crypto'
import type {
  ClaimedMessage,
  ClaimRelease,
  EndedMessage,
  MailboxMessage,
  SettledMessage,
  SettleOutcome,
} from 'dsh-fabric-protocol'
import { checkAuthor, checkId, checkReason, checkWorker } from '../bounds.ts'
import { claimLost, notClaimed } from '../claim-refusal.ts'
import { nonceToken, tokenDigest } from '../claim-token.ts'
import type { MeshError } from '../error.ts'
import type { Author, Claim, Worker } from '../mesh.ts'
import { encodeOutcome, isEnded } from '../outcome.ts'
import { encodeCommand, lanes, type Release, type Settlement } from './command.ts'
import type { Claimed } from './fold.ts'
import type { LetterFound } from './letters.ts'
import type { MailRoom, Room } from './mail-room.ts'
import type { Place as OrderPlace } from './order.ts'
import { encodeRecord, parseJson } from './wire.ts'

/** Ids of claimed messages that this process remembers the place of. */
const REMEMBERED = 4096

export class Claims {
  private readonly mail: MailRoom
  private readonly claimedIds = new Map<string, LetterFound>()

  constructor(mail: MailRoom) {
    this.mail = mail
  }

  async claim(mailboxId: string, worker: Worker): Promise<Claim | undefined> {
    checkId('mailbox id', mailboxId)
    checkWorker(worker)
    const { link, names, order } = this.mail.store
    const { stream } = names.mailbox(mailboxId)
    return link.admit(() => {
      const issuedAt = performance.now()
      return order.write(stream, async (place) => {
        const room = await this.mail.room(mailboxId)
        await room.box.ready
        return this.claimFirst(room, worker, { ...place, issuedAt })
      })
    })
  }

  /** A claim that was won while the signal aborted is still returned: it is the worker's. */
  async claimNext(
    mailboxId: string,
    worker: Worker,
    signal: AbortSignal,
  ): Promise<Claim | undefined> {
    checkId('mailbox id', mailboxId)
    checkWorker(worker)
    const { link, options } = this.mail.store
    const { box } = await link.admit(() => this.mail.room(mailboxId))
    while (!signal.aborted) {
      const place = box.place
      const claim = await this.claim(mailboxId, worker)
      if (claim !== undefined) return claim
      const due = box.fold.nextDue()
      const within = due === undefined ? undefined : Math.max(1, due - options.now())
      if (box.place === place) await box.changed(signal, within)
    }
    return undefined
  }

  async claimsOf(mailboxId: string, worker: Worker): Promise<readonly Claim[]> {
    checkId('mailbox id', mailboxId)
    checkWorker(worker)
    const { link, options } = this.mail.store
    return link.admit(async () => {
      const room = await this.mail.room(mailboxId)
      await room.box.fresh()
      const held: Claimed[] = []
      for (const open of room.box.fold.all(options.now())) {
        if (open.status !== 'claimed' || open.ticket.worker !== worker.id) continue
        // another's, of the same name with another secret
        if (open.ticket.digest === digestText(this.token(mailboxId, worker, open.ticket.nonce))) {
          held.push(open)
        }
      }
      const sorted = held.toSorted((a, b) => a.sequence - b.sequence)
      const claims = await Promise.all(
        sorted.map((each) =>
          this.claimOf(room, each, this.token(mailboxId, worker, each.ticket.nonce)),
        ),
      )
      return claims.flatMap((claim) => claim ?? [])
    })
  }

  async extend(
    mailboxId: string,
    messageId: string,
    request: { readonly token: string },
  ): Promise<ClaimedMessage> {
    checkId('mailbox id', mailboxId)
    checkId('message id', messageId)
    const { token } = request
    return this.proved<ClaimedMessage>({
      mailboxId,
      messageId,
      token,
      act: async (claimed, { digest, found, room }, place) => {
        if (room.facts.leaseMs === undefined) return this.claimedMessage(room, found, claimed)
        const value = { of: claimed.sequence, digest, at: this.now() }
        const lane = `${lanes.extend}.${randomUUID()}`
        const written = encodeCommand({ kind: 'extend', value })
        const verdict = await room.box.command(lane, written, { lastOfSubject: 0, ...place })
        const extended = verdict === undefined ? undefined : this.claimedIn(verdict)
        return extended === undefined ? undefined : this.claimedMessage(room, found, extended)
      },
      over: () => {
        throw notClaimed(mailboxId, { id: messageId, status: 'settled' })
      },
    })
  }

  async settle(
    mailboxId: string,
    messageId: string,
    request: { readonly token: string; readonly outcome: SettleOutcome },
  ): Promise<SettledMessage> {
    checkId('mailbox id', mailboxId)
    checkId('message id', messageId)
    const { payloadLimitBytes } = this.mail.store.options
    const { status, json } = encodeOutcome(mailboxId, request.outcome, payloadLimitBytes)
    const call = randomUUID()
    return this.proved<SettledMessage>({
      mailboxId,
      messageId,
      token: request.token,
      act: async (claimed, { digest, found, room }, place) => {
        const { attempts, releases, sequence, settled, ticket } = claimed
        const head = {
          of: sequence,
          attempt: attempts,
          digest,
          call,
          worker: ticket.worker,
          claimedAt: ticket.at,
          at: this.now(),
          ...(releases.length === 0 ? {} : { releases }),
          status,
        }
        const value = { ...head, outcome: parseJson(json) }
        const written = {
          command: { kind: 'settle', value },
          data: encodeRecord(head, 'outcome', json),
        } as const
        const lane = `${lanes.settle}.${sequence}`
        const verdict = await room.box.command(lane, written, { lastOfSubject: settled, ...place })
        if (verdict === undefined || verdict === 'refused' || !verdict.effective) return undefined
        return this.mail.settled(room, found, value)
      },
      over: (settlement, { found, room }) => this.mail.settled(room, found, settlement),
    })
  }

  async whenSettled(
    mailboxId: string,
    messageId: string,
    signal: AbortSignal,
  ): Promise<EndedMessage | undefined> {
    checkId('mailbox id', mailboxId)
    checkId('message id', messageId)
    const { link, options } = this.mail.store
    const { found, room } = await link.admit(async () => {
      const open = await this.mail.room(mailboxId)
      await open.box.fresh()
      return { room: open, found: await this.mail.requireLetter(open, messageId) }
    })
    const { box } = room
    while (!signal.aborted) {
      link.assertOpen()
      const now = options.now()
      const open = box.fold.at(found.sequence, now)
      if (open === undefined || open.status === 'dead') {
        const message = await link.admit(() => this.mail.message(room, found))
        if (isEnded(message)) return message
        continue
      }
      const until = open.status === 'claimed' ? open.ticket.until : undefined
      await box.changed(signal, until === undefined ? undefined : Math.max(1, until - now))
    }
    return undefined
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
    const { link, names, order, options } = this.mail.store
    const { by, cause, reason } = request
    const { stream } = names.mailbox(mailboxId)
    return link.admit(() =>
      order.write(stream, async ({ earlier, sent }) => {
        await earlier
        const room = await this.mail.room(mailboxId)
        await room.box.fresh()
        const found = await this.mail.requireLetter(room, messageId)
        for (;;) {
          const open = room.box.fold.at(found.sequence, options.now())
          if (open === undefined || open.status === 'queued') {
            throw notClaimed(mailboxId, { id: messageId, status: open?.status ?? 'settled' })
          }
          const value = { of: found.sequence, by, cause, reason, at: this.now() }
          const written = encodeCommand({ kind: 'release', value })
          const lane = `${lanes.release}.${randomUUID()}`
          const verdict = await room.box.command(lane, written, { lastOfSubject: 0, sent })
          if (verdict === undefined || verdict === 'refused') return this.mail.message(room, found)
          if (verdict.open !== undefined) return this.mail.shown(room, found, verdict.open)
          await room.box.fresh()
        }
      }),
    )
  }

  private async claimFirst(
    room: Room,
    worker: Worker,
    place: OrderPlace & { readonly issuedAt: number },
  ): Promise<Claim | undefined> {
    const { box, mailboxId } = room
    for (;;) {
      if (!box.fold.hasWorkFor(box.claiming + 1, this.now())) {
        await place.earlier
        await box.fresh(place.issuedAt)
        if (!box.fold.hasWorkFor(1, this.now())) return undefined
      }
      const nonce = randomUUID()
      const token = this.token(mailboxId, worker, nonce)
      const value = { worker: worker.id, nonce, digest: digestText(token), at: this.now() }
      const written = encodeCommand({ kind: 'claim', value })
      box.claiming += 1
      const writing = box.command(`${lanes.claim}.${nonce}`, written, {
        lastOfSubject: 0,
        sent: place.sent,
        earlier: place.earlier,
      })
      const verdict = await writing.finally(() => (box.claiming -= 1))
      const claimed = verdict === undefined ? this.byNonce(room, nonce) : this.claimedIn(verdict)
      if (claimed !== undefined) return this.claimOf(room, claimed, token)
      if (verdict !== undefined) return undefined // at its place in the log there was nothing to claim
    }
  }

  private claimedIn(
    verdict: 'refused' | { readonly claimed?: Claimed | undefined },
  ): Claimed | undefined {
    return verdict === 'refused' ? undefined : verdict.claimed
  }

  private byNonce(room: Room, nonce: string): Claimed | undefined {
    for (const open of room.box.fold.all(this.now())) {
      if (open.status === 'claimed' && open.ticket.nonce === nonce) return open
    }
    return undefined
  }

  /** Decided again on what everybody has written where the token proves nothing, or the claim stood no more. */
  private proved<T>(request: Proved<T>): Promise<T> {
    const { mailboxId, messageId, token } = request
    const { link, names, order } = this.mail.store
    const { stream } = names.mailbox(mailboxId)
    const digest = digestText(token)
    return link.admit(() =>
      order.write(stream, async (place) => {
        const room = await this.mail.room(mailboxId)
        await room.box.ready
        const known = this.claimedIds.get(keyOf(mailboxId, messageId))
        let found = known ?? (await this.mail.requireLetter(room, messageId))
        for (let asked = false; ; asked = true) {
          const proof = { room, found, digest }
          const open = room.box.fold.at(found.sequence, this.now())
          if (open?.status === 'claimed' && open.ticket.digest === digest) {
            const done = await request.act(open, proof, place)
            if (done !== undefined) return done
          } else if (asked) {
            return request.over(await this.settlementOf(messageId, proof), proof)
          }
          await room.box.fresh()
          // a message of that id may have been pruned and sent anew
          if (known !== undefined) found = await this.mail.requireLetter(room, messageId)
        }
      }),
    )
  }

  /** How the claim was settled; throws where the token is not that of the message's last claim. */
  private async settlementOf(messageId: string, proof: Proof): Promise<Settlement> {
    const { digest, found, room } = proof
    const { mailboxId } = room
    const open = room.box.fold.at(found.sequence, this.now())
    if (open?.attempts === 0) throw notClaimed(mailboxId, { id: messageId, status: open.status })
    if (open !== undefined)
      throw lost(room, { id: messageId, status: open.status }, open.releases, digest)
    const settlement = await this.mail.settlement(room, found.sequence)
    if (settlement?.digest === digest) return settlement
    throw lost(room, { id: messageId, status: 'settled' }, settlement?.releases ?? [], digest)
  }

  private async claimOf(room: Room, claimed: Claimed, token: string): Promise<Claim | undefined> {
    const found = await this.mail.letterAt(room, claimed.sequence)
    if (found === undefined) return undefined // settled and pruned meanwhile
    const message = this.claimedMessage(room, found, claimed)
    if (this.claimedIds.size >= REMEMBERED) this.claimedIds.clear()
    this.claimedIds.set(keyOf(room.mailboxId, message.id), found)
    return { message, token }
  }

  private claimedMessage(room: Room, found: LetterFound, claimed: Claimed): ClaimedMessage {
    const message = this.mail.shown(room, found, claimed)
    if (message.status === 'claimed') return message
    throw notClaimed(room.mailboxId, message)
  }

  private token(mailboxId: string, worker: Worker, nonce: string): string {
    return nonceToken(worker.secret, { identity: this.mail.store.identity, mailboxId, nonce })
  }

  private now(): number {
    return this.mail.store.options.now()
  }
}

interface Proof {
  readonly room: Room
  readonly found: LetterFound
  readonly digest: string
}

interface Proved<T> {
  readonly mailboxId: string
  readonly messageId: string
  readonly token: string
  /** For whoever proves the message's claim. Undefined where the claim turned out to stand no more. */
  readonly act: (claimed: Claimed, proof: Proof, place: OrderPlace) => Promise<T | undefined>
  /** The claim was settled already. */
  readonly over: (settlement: Settlement, proof: Proof) => T
}

function keyOf(mailboxId: string, messageId: string): string {
  return JSON.stringify([mailboxId, messageId])
}

function digestText(token: string): string {
  return Buffer.from(tokenDigest(token)).toString('base64url')
}

function lost(
  { mailboxId }: Room,
  message: { readonly id: string; readonly status: string },
  releases: readonly Release[],
  digest: string,
): MeshError {
  const own = releases.find((each) => each.digest === digest)
  const since = own === undefined ? [] : releases.filter(({ attempt }) => attempt >= own.attempt)
  return claimLost(mailboxId, message, {
    wasReleased: own !== undefined,
    since: since.map(shownRelease),
  })
}

function shownRelease(release: Release): ClaimRelease {
  const { attempt, by, cause, claimedBy, kind, reason, releasedAt } = release
  const because = { by, ...(cause === undefined ? {} : { cause }), reason }
  return { kind, attempt, claimedBy, releasedAt, ...because }
}
