/** Mailboxes in JetStream: a stream each, an ordered log of letters and of commands about them. */
import { randomUUID } from 'node:crypto'
import type { MailboxMessage, MailboxRecord } from 'dsh-fabric-protocol'
import {
  checkCount,
  checkId,
  checkLetter,
  checkLimit,
  checkMailboxPlace,
  encodeJson,
} from '../bounds.ts'
import type { Letter, Mailboxes, MailboxPlace, Page, PruneResult } from '../mesh.ts'
import { ClaimedMailboxes } from '../claimed-mailboxes.ts'
import { Claims } from './claims.ts'
import { lanes, type StoredLetter } from './command.ts'
import { codes, orNothing } from './link.ts'
import { letterSubject, MailRoom, type Room } from './mail-room.ts'
import type { Place as OrderPlace } from './order.ts'
import { notFound } from './places.ts'
import { pruneMailbox } from './pruning.ts'
import { readPage } from './reader.ts'
import type { Store } from './store.ts'
import { encodeRecord, type Entry, parseJson, type StreamInfo } from './wire.ts'

interface Sending {
  readonly subject: string
  readonly data: Uint8Array
  readonly place: OrderPlace
}

type Status = 'queued' | 'claimed' | 'dead'

export class NatsMailboxes extends ClaimedMailboxes implements Mailboxes {
  private readonly store: Store
  private readonly mail: MailRoom
  protected readonly claims: Claims
  private readonly counts = new Map<string, { readonly head: number; readonly messages: number }>()

  constructor(store: Store) {
    super()
    this.store = store
    this.mail = new MailRoom(store)
    this.claims = new Claims(this.mail)
  }

  async create(place: MailboxPlace): Promise<MailboxRecord> {
    return this.make(place, 'create')
  }

  async open(place: MailboxPlace): Promise<MailboxRecord> {
    return this.make(place, 'open')
  }

  async find(mailboxId: string): Promise<MailboxRecord | undefined> {
    checkId('mailbox id', mailboxId)
    return this.store.link.admit(async () => {
      const info = await this.store.places.find(this.store.names.mailbox(mailboxId))
      return info === undefined ? undefined : this.record(info)
    })
  }

  async send(mailboxId: string, post: Letter): Promise<MailboxMessage> {
    checkId('mailbox id', mailboxId)
    checkLetter(post)
    const { link, names, options, order, places } = this.store
    const thing = `payload for mailbox '${mailboxId}'`
    const payload = encodeJson(thing, post.payload, options.payloadLimitBytes)
    const { id = randomUUID(), by, cause, priority = 0, delayMs = 0 } = post
    const at = options.now()
    const head = {
      id,
      call: randomUUID(),
      by,
      cause,
      at,
      ...(priority === 0 ? {} : { priority }),
      ...(delayMs === 0 ? {} : { availableAt: at + delayMs }),
    }
    const name = names.mailbox(mailboxId)
    const subject = letterSubject(name, id)
    const data = encodeRecord(head, 'payload', payload)
    const letter = { ...head, payload: parseJson(payload) }
    return link.admit(() =>
      order.write(name.stream, async (place) => {
        if (!places.isChecked(name)) await places.checked('mailbox', name, mailboxId)
        return this.post(mailboxId, letter, { subject, data, place })
      }),
    )
  }

  async findMessage(mailboxId: string, messageId: string): Promise<MailboxMessage | undefined> {
    checkId('mailbox id', mailboxId)
    checkId('message id', messageId)
    return this.reading(mailboxId, async (room) => {
      const found = await this.mail.findLetter(room, messageId)
      return found === undefined ? undefined : this.mail.findMessage(room, found)
    })
  }

  async read(mailboxId: string, page: Page = {}): Promise<readonly MailboxMessage[]> {
    checkId('mailbox id', mailboxId)
    const after = checkCount('after', page.after ?? 0)
    const limit = checkLimit(page.limit)
    return this.reading(mailboxId, async (room) => {
      const entries = await this.lettersAfter(room, after, limit)
      const letters = entries.map((entry) => this.mail.decode(room.name.stream, entry))
      const found = await Promise.all(letters.map((each) => this.mail.findMessage(room, each)))
      return found.flatMap((message) => message ?? [])
    })
  }

  async list(
    mailboxId: string,
    status: Status,
    page: Page = {},
  ): Promise<readonly MailboxMessage[]> {
    checkId('mailbox id', mailboxId)
    const after = checkCount('after', page.after ?? 0)
    const limit = checkLimit(page.limit)
    return this.reading(mailboxId, async (room) => {
      const all = Array.from(room.box.fold.all(this.store.options.now()))
      const wanted = all
        .filter((open) => open.status === status && open.sequence > after)
        .toSorted((a, b) => a.sequence - b.sequence)
        .slice(0, limit)
      const shown = wanted.map(async (open) => {
        const found = await this.mail.letterAt(room, open.sequence)
        return found === undefined ? [] : this.mail.shown(room, found, open)
      })
      return (await Promise.all(shown)).flat()
    })
  }

  async prune(mailboxId: string, retain: number): Promise<PruneResult> {
    checkId('mailbox id', mailboxId)
    checkCount('retain', retain)
    const { link, names, order } = this.store
    const { stream } = names.mailbox(mailboxId)
    return link.admit(() =>
      order.write(stream, async ({ earlier }) => {
        await earlier
        return pruneMailbox(this.mail, await this.mail.room(mailboxId), retain)
      }),
    )
  }

  async record(info: StreamInfo): Promise<MailboxRecord> {
    return this.recordIn(this.mail.roomOf(info), info)
  }

  /** How many messages it has; the number is kept for as long as its log stands where it stood. */
  async count(info: StreamInfo): Promise<number> {
    const { config, state } = info
    if (state.last_seq === 0) return 0
    const known = this.counts.get(config.name)
    if (known?.head === state.last_seq) return known.messages
    const messages = await this.mail.visit(info, async (room) =>
      messagesIn(await this.recordIn(room, info)),
    )
    this.counts.set(config.name, { head: state.last_seq, messages })
    return messages
  }

  private async recordIn(room: Room, info: StreamInfo): Promise<MailboxRecord> {
    await room.box.ready
    await room.box.upTo(info.state.last_seq)
    return this.mail.record(room)
  }

  stop(): void {
    this.mail.stop()
  }

  private async make(place: MailboxPlace, how: 'create' | 'open'): Promise<MailboxRecord> {
    checkMailboxPlace(place)
    const { link, names, order, places } = this.store
    const name = names.mailbox(place.id)
    return link.admit(() =>
      order.write(name.stream, async () => {
        const info = await places[how]('mailbox', name, place)
        return info.state.last_seq === 0 ? this.mail.empty(info) : this.record(info)
      }),
    )
  }

  /** The letter with the id is there once, whoever sends it how often, for as long as its record is kept. */
  private async post(
    mailboxId: string,
    letter: StoredLetter,
    sending: Sending,
  ): Promise<MailboxMessage> {
    const { data, place, subject } = sending
    const { link, names } = this.store
    const { stream } = names.mailbox(mailboxId)
    const again = link.patience()
    for (let lastOfSubject = 0; ;) {
      const writing = link.publish(subject, data, {
        stream,
        lastOfSubject,
        earlier: place.earlier,
      })
      place.sent()
      const published = await orNothing(codes.noStream, writing)
      if (published === undefined) throw notFound('mailbox', mailboxId)
      const room = this.mail.known(mailboxId)
      if (published.status === 'stored') {
        const { sequence } = published
        room?.box.hear({ subject, sequence, data }, { kind: 'letter', value: letter })
        return this.mail.queued(mailboxId, { sequence, letter })
      }
      const entry = await link.findLast(stream, subject)
      if (entry === undefined) {
        lastOfSubject = 0 // what refused it is still on its way, or was removed meanwhile
        await again(`what refused a message of mailbox '${mailboxId}' cannot be seen`)
        continue
      }
      const first = this.mail.decode(stream, entry)
      if (first.letter.call === letter.call) return this.mail.queued(mailboxId, first)
      const fresh = room ?? (await this.mail.room(mailboxId))
      await fresh.box.fresh()
      if ((await this.mail.findLetter(fresh, letter.id)) !== undefined) {
        const message = await this.mail.findMessage(fresh, first)
        if (message !== undefined) return message
      }
      lastOfSubject = entry.sequence // pruned, its record not yet removed
    }
  }

  private reading<T>(mailboxId: string, run: (room: Room) => Promise<T>): Promise<T> {
    return this.store.link.admit(async () => {
      const room = await this.mail.room(mailboxId)
      await room.box.fresh()
      return run(room)
    })
  }

  private async lettersAfter(room: Room, after: number, limit: number): Promise<readonly Entry[]> {
    const { box, name } = room
    const filter = `${name.root}.${lanes.letter}.*`
    const found: Entry[] = []
    for (let from = after + 1; found.length < limit;) {
      const page = { filter, from, head: box.fold.head, limit: limit - found.length }
      const entries = await readPage(this.store.link, name.stream, page)
      if (entries.length === 0) break
      found.push(...entries.filter(({ sequence }) => !box.fold.isGone(sequence)))
      from = (entries.at(-1)?.sequence ?? from) + 1
    }
    return found
  }
}

export function messagesIn({ queued, claimed, completed, failed, dead }: MailboxRecord): number {
  return queued + claimed + completed + failed + dead
}
