/** A workspace's mailboxes as this process knows them, and their messages as the port shows them: never with a token. */
import type { MailboxMessage, MailboxRecord } from 'dsh-fabric-protocol'
import { MeshError } from '../error.ts'
import { Box } from './box.ts'
import { letter, lanes, type Settlement, settleCommand } from './command.ts'
import type { Open } from './fold.ts'
import type { LetterFound } from './letters.ts'
import { digestOf, type StreamName } from './names.ts'
import { factsOf, type PlaceFacts } from './places.ts'
import type { Store } from './store.ts'
import { copyJson, decodeEntry, type Entry, type StreamInfo } from './wire.ts'

/** A mailbox in use. */
export interface Room {
  readonly mailboxId: string
  readonly name: StreamName
  readonly facts: PlaceFacts
  readonly box: Box
}

export interface SettledFound {
  readonly status: 'settled'
  readonly sequence: number
  readonly settlement: Settlement
}

export class MailRoom {
  readonly store: Store
  private readonly rooms = new Map<string, Room>()

  constructor(store: Store) {
    this.store = store
  }

  /** Fails with `not-found`. The box may not be ready. */
  async room(mailboxId: string): Promise<Room> {
    const known = this.rooms.get(mailboxId)
    if (known !== undefined) return known
    const name = this.store.names.mailbox(mailboxId)
    return this.roomOf(await this.store.places.require('mailbox', name, mailboxId))
  }

  known(mailboxId: string): Room | undefined {
    return this.rooms.get(mailboxId)
  }

  roomOf(info: StreamInfo): Room {
    const known = this.rooms.get(factsOf(info).id)
    if (known !== undefined) return known
    const room = this.build(info)
    this.rooms.set(room.mailboxId, room)
    return room
  }

  /** For one look: a mailbox that is not in use is not kept. */
  async visit<T>(info: StreamInfo, look: (room: Room) => Promise<T>): Promise<T> {
    const known = this.rooms.get(factsOf(info).id)
    if (known !== undefined) return look(known)
    const room = this.build(info)
    try {
      return await look(room)
    } finally {
      room.box.stop()
    }
  }

  private build(info: StreamInfo): Room {
    const facts = factsOf(info)
    const name = this.store.names.mailbox(facts.id)
    const { id, createdAt, ...rest } = facts
    const { leaseMs, maxAttempts } = rest
    const terms = {
      ...(leaseMs === undefined ? {} : { leaseMs }),
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
    }
    const { link, options } = this.store
    const box = new Box({ link, name, terms, createdAt, now: options.now })
    return { mailboxId: id, name, facts, box }
  }

  /** Of a mailbox that never had a message: nothing needs to be followed. */
  empty(info: StreamInfo): MailboxRecord {
    const facts = factsOf(info)
    const counts = { queued: 0, claimed: 0, completed: 0, failed: 0, dead: 0 }
    return { ...facts, updatedAt: facts.createdAt, headSequence: 0, ...counts }
  }

  /** Of a box that is fresh. */
  record({ box, facts }: Room): MailboxRecord {
    const { fold } = box
    const { completed, failed, head, updatedAt } = fold
    const counts = fold.counts(this.store.options.now())
    return { ...facts, updatedAt, headSequence: head, ...counts, completed, failed }
  }

  /** The record of a letter; undefined for one that is not there or was pruned. Of a box that is fresh. */
  async findLetter(room: Room, messageId: string): Promise<LetterFound | undefined> {
    const { box, name } = room
    const entry = await this.store.link.findLast(name.stream, letterSubject(name, messageId))
    if (entry === undefined) return undefined
    await box.upTo(entry.sequence)
    return box.fold.isGone(entry.sequence) ? undefined : this.decode(name.stream, entry)
  }

  /** Fails with `not-found`. */
  async requireLetter(room: Room, messageId: string): Promise<LetterFound> {
    const found = await this.findLetter(room, messageId)
    if (found !== undefined) return found
    throw noMessage(room, messageId)
  }

  async letterAt({ box, name }: Room, sequence: number): Promise<LetterFound | undefined> {
    const known = box.letters.get(sequence)
    if (known !== undefined) return known
    const entry = await this.store.link.findAt(name.stream, sequence)
    return entry === undefined ? undefined : this.decode(name.stream, entry)
  }

  /** How a message that is open no more was settled. */
  async settlement(room: Room, sequence: number): Promise<Settlement | undefined> {
    const { stream } = room.name
    const entry = await this.store.link.findLast(stream, settleSubject(room.name, sequence))
    return entry === undefined ? undefined : decodeEntry(settleCommand, stream, entry)
  }

  /** As it stands now; fails with `not-found` for one that was pruned meanwhile. */
  async message(room: Room, found: LetterFound): Promise<MailboxMessage> {
    const message = await this.findMessage(room, found)
    if (message !== undefined) return message
    throw noMessage(room, found.letter.id)
  }

  /** As it stands now; undefined for one that was pruned meanwhile. */
  async findMessage(room: Room, found: LetterFound): Promise<MailboxMessage | undefined> {
    const open = room.box.fold.at(found.sequence, this.store.options.now())
    if (open !== undefined) return this.shown(room, found, open)
    const settlement = await this.settlement(room, found.sequence)
    if (settlement !== undefined) return this.settled(room, found, settlement)
    await room.box.fresh()
    if (room.box.fold.isGone(found.sequence)) return undefined
    const { stream } = room.name
    const message = `message ${found.sequence} of stream '${stream}' is damaged: it is neither open nor settled`
    throw new MeshError('store-invalid', message, { detail: { stream, sequence: found.sequence } })
  }

  shown({ mailboxId }: Room, found: LetterFound, open: Open): MailboxMessage {
    const sent = { ...sentOf(mailboxId, found), attempts: open.attempts }
    if (open.status === 'queued') {
      const { availableAt } = open
      const late = availableAt !== undefined && availableAt > this.store.options.now()
      return { status: 'queued', ...sent, ...(late ? { availableAt } : {}) }
    }
    const { ticket } = open
    const claim = { claimedBy: ticket.worker, claimedAt: ticket.at }
    if (open.status === 'dead') {
      return { status: 'dead', ...sent, ...claim, reason: open.reason, diedAt: open.diedAt }
    }
    const { until } = ticket
    return {
      status: 'claimed',
      ...sent,
      ...claim,
      ...(until === undefined ? {} : { leaseUntil: until }),
    }
  }

  settled({ mailboxId }: Room, found: LetterFound, settlement: Settlement) {
    const { at, attempt, claimedAt, outcome, status, worker } = settlement
    const sent = { ...sentOf(mailboxId, found), attempts: attempt }
    const common = { ...sent, claimedBy: worker, claimedAt, settledAt: at }
    return status === 'failed'
      ? ({ status, ...common, error: typeof outcome === 'string' ? outcome : '' } as const)
      : ({ status, ...common, result: outcome } as const)
  }

  /** As it was just sent. */
  queued(mailboxId: string, found: LetterFound): MailboxMessage {
    const { availableAt } = found.letter
    const sent = { ...sentOf(mailboxId, found), attempts: 0 }
    return { status: 'queued', ...sent, ...(availableAt === undefined ? {} : { availableAt }) }
  }

  decode(stream: string, entry: Entry): LetterFound {
    return { sequence: entry.sequence, letter: decodeEntry(letter, stream, entry) }
  }

  stop(): void {
    for (const { box } of this.rooms.values()) box.stop()
  }
}

function noMessage({ mailboxId }: Room, messageId: string): MeshError {
  const message = `mailbox '${mailboxId}' has no message '${messageId}'`
  return new MeshError('not-found', message, { detail: { mailboxId, messageId } })
}

/** A copy: the letter may be shown again. */
function sentOf(mailboxId: string, { letter: sent, sequence }: LetterFound) {
  const { id, by, cause, at, payload, priority = 0 } = sent
  return {
    mailboxId,
    sequence,
    id,
    payload: copyJson(payload),
    by,
    ...(cause === undefined ? {} : { cause }),
    sentAt: at,
    priority,
  }
}

export function letterSubject({ root }: StreamName, messageId: string): string {
  return `${root}.${lanes.letter}.${digestOf(messageId)}`
}

export function settleSubject({ root }: StreamName, sequence: number): string {
  return `${root}.${lanes.settle}.${sequence}`
}
