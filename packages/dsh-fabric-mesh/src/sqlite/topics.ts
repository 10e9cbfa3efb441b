/** Topics in SQLite. */
import type { TopicMessage, TopicRecord } from 'dsh-fabric-protocol'
import { z } from 'zod'
import { checkCount, checkId, checkLimit, checkTopicPost, encodeJson } from '../bounds.ts'
import type { Page, Place, Post, PruneResult, PublishResult, Topics } from '../mesh.ts'
import { follow } from './follow.ts'
import type { Draft, RecordRow } from './log.ts'
import { PlaceDoor } from './place-door.ts'
import type { PlaceRow } from './places.ts'
import type { Store } from './store.ts'

/** How many messages one commit of a prune deletes: the event loop turns between them. */
const PRUNED_AT_ONCE = 200
const WATCH_PAGE = 100

const addressees = z.array(z.string()).readonly()

type TopicPost = Post & { readonly to?: readonly string[] }

export class SqliteTopics implements Topics {
  private readonly store: Store
  private readonly identity: string
  private readonly door: PlaceDoor<Place, TopicRecord>

  constructor(store: Store, identity: string) {
    this.store = store
    this.identity = identity
    this.door = new PlaceDoor(store, identity, {
      kind: 'topic',
      added: () => undefined,
      show: (row) => this.record(row),
    })
  }

  create(place: Place): Promise<TopicRecord> {
    return this.door.create(place)
  }

  open(place: Place): Promise<TopicRecord> {
    return this.door.open(place)
  }

  find(topicId: string): Promise<TopicRecord | undefined> {
    return this.door.find(topicId)
  }

  async publish(topicId: string, post: TopicPost): Promise<TopicMessage> {
    const draft = this.draft(topicId, post)
    return this.store.write((touched) => {
      const topic = this.door.require(topicId)
      const known = this.published(topic, post.id)
      if (known !== undefined) return this.message(topicId, known)
      touched.add(topic)
      return this.message(topicId, this.append(topic, post, draft))
    })
  }

  async publishAt(
    topicId: string,
    post: TopicPost & { readonly expectedHead: number },
  ): Promise<PublishResult> {
    const draft = this.draft(topicId, post)
    const expected = checkCount('expectedHead', post.expectedHead)
    return this.store.write((touched) => {
      const topic = this.door.require(topicId)
      const known = this.published(topic, post.id)
      if (known !== undefined) {
        return { status: 'published', message: this.message(topicId, known), replayed: true }
      }
      const headSequence = this.store.log.head(topic)
      if (headSequence !== expected) return { status: 'conflict', headSequence }
      touched.add(topic)
      const message = this.message(topicId, this.append(topic, post, draft))
      return { status: 'published', message, replayed: false }
    })
  }

  async findMessage(topicId: string, messageId: string): Promise<TopicMessage | undefined> {
    checkId('topic id', topicId)
    checkId('message id', messageId)
    return this.store.read(() => {
      const row = this.store.log.findById(this.door.require(topicId), messageId)
      return row === undefined ? undefined : this.message(topicId, row)
    })
  }

  async read(topicId: string, page: Page = {}): Promise<readonly TopicMessage[]> {
    checkId('topic id', topicId)
    const after = checkCount('after', page.after ?? 0)
    const limit = checkLimit(page.limit)
    return this.store.read(() => {
      const rows = this.store.log.after(this.door.require(topicId), after, limit)
      return this.readable(topicId, rows)
    })
  }

  async tail(
    topicId: string,
    page: { readonly limit?: number; readonly before?: number } = {},
  ): Promise<readonly TopicMessage[]> {
    checkId('topic id', topicId)
    const before = checkCount('before', page.before ?? Number.MAX_SAFE_INTEGER)
    const limit = checkLimit(page.limit)
    return this.store.read(() => {
      const rows = this.store.log.before(this.door.require(topicId), before, limit)
      return this.readable(topicId, rows).toReversed()
    })
  }

  async prune(topicId: string, retain: number): Promise<PruneResult> {
    checkId('topic id', topicId)
    checkCount('retain', retain)
    let deleted = 0
    for (;;) {
      const done = await this.store.write(() => this.pruneSome(topicId, retain))
      deleted += done.deleted
      if (done.deleted < PRUNED_AT_ONCE) return { deleted, retained: done.retained }
    }
  }

  watch(
    topicId: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<TopicMessage> {
    const { after, signal } = options
    let cursor = after
    const next = async (): Promise<readonly TopicMessage[]> => {
      for (;;) {
        const page = await this.store.read(() => this.pageAfter(topicId, cursor))
        cursor = page.to
        if (page.isEnd || page.messages.length > 0 || signal.aborted) return page.messages
      }
    }
    const place = async (): Promise<number> => {
      checkId('topic id', topicId)
      checkCount('after', after)
      return this.store.read(() => this.door.require(topicId))
    }
    return follow(this.store, { place, next, signal })
  }

  /** By the number of its place; inside a read. */
  show(topic: number): TopicRecord {
    return this.door.shown(topic)
  }

  /** What is needed of a post before its write. */
  private draft(topicId: string, post: TopicPost): Pick<Draft, 'payload' | 'recipients'> {
    checkTopicPost(topicId, post)
    const thing = `payload for topic '${topicId}'`
    const payload = encodeJson(thing, post.payload, this.store.options.payloadLimitBytes)
    return { payload, recipients: post.to === undefined ? undefined : JSON.stringify(post.to) }
  }

  private published(topic: number, id: string | undefined): RecordRow | undefined {
    return id === undefined ? undefined : this.store.log.findById(topic, id)
  }

  private append(
    topic: number,
    { id, by, cause }: TopicPost,
    draft: Pick<Draft, 'payload' | 'recipients'>,
  ): RecordRow {
    const { log, names, options } = this.store
    return log.append(topic, { at: options.now(), by: names.intern(by), id, cause, ...draft })
  }

  private readable(topicId: string, rows: readonly RecordRow[]): readonly TopicMessage[] {
    return this.store.quarantine.readable(rows, (row) => this.message(topicId, row))
  }

  /** A page of nothing but damaged messages still moves the cursor. */
  private pageAfter(topicId: string, cursor: number) {
    const rows = this.store.log.after(this.door.require(topicId), cursor, WATCH_PAGE)
    const messages = this.readable(topicId, rows)
    return { messages, to: rows.at(-1)?.seq ?? cursor, isEnd: rows.length === 0 }
  }

  private pruneSome(topicId: string, retain: number): PruneResult {
    const { log, places } = this.store
    const topic = this.door.require(topicId)
    const head = log.head(topic)
    const excess = Math.max(0, this.stored(topic, head) - retain)
    const rows = log.after(topic, 0, Math.min(excess, PRUNED_AT_ONCE))
    if (rows.length > 0) {
      log.remove(topic, rows)
      places.countPruned(this.identity, { topic: rows.length })
    }
    return { deleted: rows.length, retained: this.stored(topic, head) }
  }

  /** Only the oldest are ever deleted, so what is stored has no gap. */
  private stored(topic: number, head: number): number {
    const first = this.store.log.after(topic, 0, 1)[0]
    return first === undefined ? 0 : head - first.seq + 1
  }

  private record(row: PlaceRow): TopicRecord {
    const { log, names } = this.store
    const headSequence = log.head(row.id)
    const newest = headSequence === 0 ? undefined : log.find(row.id, headSequence)
    return {
      id: row.name,
      label: row.label ?? row.name,
      by: names.text(row.by),
      createdAt: row.createdAt,
      updatedAt: newest?.at ?? row.createdAt,
      headSequence,
    }
  }

  private message(topicId: string, row: RecordRow): TopicMessage {
    const where = { table: 'record', row: row.n }
    const { cause, recipients } = row
    return {
      topicId,
      sequence: row.seq,
      id: row.id ?? '',
      payload: this.store.decode(row.payload ?? '', where),
      by: this.store.names.text(row.by),
      ...(cause === null ? {} : { cause }),
      ...(recipients === null ? {} : { to: this.store.decodeWith(addressees, recipients, where) }),
      publishedAt: row.at,
    }
  }
}
