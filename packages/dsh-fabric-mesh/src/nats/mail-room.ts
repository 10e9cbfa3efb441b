/** A workspace's mailboxes as this process knows them, and their messages as the port shows them: never with a token. */
import type { MailboxMessage, MailboxRecord } from 'dsh-fabric-protocol'
import { MeshError } from '../error.ts'
import { Box } from './box.ts'
import { letter, lanes, type Settlement, settleCommand, type StoredLetter } from './command.ts'
import type { Open } from './fold.ts'
import { digestOf, type StreamName } from './names.ts'
import { factsOf, type PlaceFacts } from './places.ts'
import type { Store } from './store.ts'
import { decodeEntry, type Entry, type StreamInfo } from './wire.ts'

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
    const facts = factsOf(info)
    const known = this.rooms.get(facts.id)
    if (known !== undefined) return known
    const name = this.store.names.mailbox(facts.id)
    const { id, createdAt, ...rest } = facts
    const { leaseMs, maxAttempts } = rest
    const terms = {
      ...(leaseMs === undefined ? {} : { leaseMs }),
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
    }
    const { link, options } = this.store
    const box = new Box({ link, name, terms, createdAt, now: options.now })
    const room = { mailboxId: id, name, facts, box }
    this.rooms.set(id, room)
    return room
  }

  /** Of a box that is fresh. */
  record({ box, facts }: Room): MailboxRecord {
    const { fold } = box
    const { completed, failed, head, updatedAt } = fold
    const counts = fold.counts(this.store.options.now())
    return { ...facts, updatedAt, headSequence: head, ...counts, completed, failed }
  }

  /** The record of a letter; undefined for one that is not there or was pruned. Of a box that is fresh. */
  async findLetter(room: Room, messageId: string): Promise<Entry | undefined> {
    const { box, name } = room
    const entry = await this.store.link.findLast(name.stream, letterSubject(name, messageId))
    if (entry === undefined) return undefined
    await box.upTo(entry.sequence)
    return box.fold.isGone(entry.sequence) ? undefined : entry
  }

  /** Fails with `not-found`. */
  async requireLetter(room: Room, messageId: string): Promise<Entry> {
    const entry = await this.findLetter(room, messageId)
    if (entry !== undefined) return entry
    const { mailboxId } = room
    const message = `mailbox '${mailboxId}' has no message '${messageId}'`
    throw new MeshError('not-found', message, { detail: { mailboxId, messageId } })
  }

  async letterAt(room: Room, sequence: number): Promise<Entry | undefined> {
    return room.box.letters.get(sequence) ?? this.store.link.findAt(room.name.stream, sequence)
  }

  /** How a message that is open no more was settled. */
  async settlement(room: Room, sequence: number): Promise<Settlement | undefined> {
    const { stream } = room.name
    const entry = await this.store.link.findLast(stream, settleSubject(room.name, sequence))
    return entry === undefined ? undefined : decodeEntry(settleCommand, stream, entry)
  }

  /** As it stands now. */
  async message(room: Room, entry: Entry): Promise<MailboxMessage> {
    const open = room.box.fold.at(entry.sequence, this.store.options.now())
    if (open !== undefined) return this.shown(room, entry, open)
    const settlement = await this.settlement(room, entry.sequence)
    if (settlement !== undefined) return this.settled(room, entry, settlement)
    const { stream } = room.name
    const message = `message ${entry.sequence} of stream '${stream}' is damaged: it is neither open nor settled`
    throw new MeshError('store-invalid', message, { detail: { stream, sequence: entry.sequence } })
  }

  shown(room: Room, entry: Entry, open: Open): MailboxMessage {
    const sent = { ...this.sent(room.mailboxId, room.name.stream, entry), attempts: open.attempts }
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

  settled(room: Room, entry: Entry, settlement: Settlement) {
    const { at, attempt, claimedAt, outcome, status, worker } = settlement
    const sent = { ...this.sent(room.mailboxId, room.name.stream, entry), attempts: attempt }
    const common = { ...sent, claimedBy: worker, claimedAt, settledAt: at }
    return status === 'failed'
      ? ({ status, ...common, error: typeof outcome === 'string' ? outcome : '' } as const)
      : ({ status, ...common, result: outcome } as const)
  }

  /** As it was just sent. */
  queued(mailboxId: string, entry: Entry): MailboxMessage {
    const { stream } = this.store.names.mailbox(mailboxId)
    const { availableAt } = this.letter(stream, entry)
    const sent = { ...this.sent(mailboxId, stream, entry), attempts: 0 }
    return { status: 'queued', ...sent, ...(availableAt === undefined ? {} : { availableAt }) }
  }

  letter(stream: string, entry: Entry): StoredLetter {
    return decodeEntry(letter, stream, entry)
  }

  stop(): void {
    for (const { box } of this.rooms.values()) box.stop()
  }

  private sent(mailboxId: string, stream: string, entry: Entry) {
    const { id, by, cause, at, payload, priority = 0 } = this.letter(stream, entry)
    return {
      mailboxId,
      sequence: entry.sequence,
      id,
      payload,
      by,
      ...(cause === undefined ? {} : { cause }),
      sentAt: at,
      priority,
    }
  }
}

export function letterSubject({ root }: StreamName, messageId: string): string {
  return `${root}.${lanes.letter}.${digestOf(messageId)}`
}

export function settleSubject({ root }: StreamName, sequence: number): string {
  return `${root}.${lanes.settle}.${sequence}`
}
