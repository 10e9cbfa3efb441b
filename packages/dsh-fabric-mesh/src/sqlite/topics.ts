/** Topics in SQLite. */
import type { TopicMessage, TopicRecord } from 'dsh-fabric-protocol'
import {
  checkAuthor,
  checkCount,
  checkId,
  checkLimit,
  checkPlace,
  encodeJson,
} from '../bounds.ts'
import { MeshError } from '../error.ts'
import type { Page, Place, Post, PruneResult, Topics } from '../mesh.ts'
import { follow } from './follow.ts'
import type { RecordRow } from './log.ts'
import type { PlaceRow } from './places.ts'
import type { Store } from './store.ts'

/** How many messages one commit of a prune deletes: the event loop turns between them. */
const PRUNED_AT_ONCE = 200
const WATCH_PAGE = 100

export class SqliteTopics implements Topics {
  private readonly store: Store
  private readonly identity: string

  constructor(store: Store, identity: string) {
    this.store = store
    this.identity = identity
  }

  async create(place: Place): Promise<TopicRecord> {
    checkPlace('topic', place)
    return this.store.write(() => {
      if (this.number(place.id) === undefined) return this.add(place)
      const message = `topic '${place.id}' exists already`
      throw new MeshError('already-exists', message, { detail: { topicId: place.id } })
    })
  }

  async open(place: Place): Promise<TopicRecord> {
    checkPlace('topic', place)
    const known = await this.find(place.id)
    if (known !== undefined) return known
    return this.store.write(() => {
      const number = this.number(place.id)
      return number === undefined ? this.add(place) : this.record(number)
    })
  }

  async find(topicId: string): Promise<TopicRecord | undefined> {
    checkId('topic id', topicId)
    return this.store.read(() => {
      const number = this.number(topicId)
      return number === undefined ? undefined : this.record(number)
    })
  }

  async publish(
    topicId: string,
    post: Post & { readonly to?: readonly string[] },
  ): Promise<TopicMessage> {
    checkId('topic id', topicId)
    checkAuthor(post)
    if (post.id !== undefined) checkId('message id', post.id)
    for (const addressee of post.to ?? []) checkId('addressee', addressee)
    const thing = `payload for topic '${topicId}'`
    const payload = encodeJson(thing, post.payload, this.store.options.payloadLimitBytes)
    const recipients = post.to === undefined ? undefined : JSON.stringify(post.to)

    const row = await this.store.write((touched) => {
      const { log, names, options } = this.store
      const topic = this.require(topicId)
      const known = post.id === undefined ? undefined : log.findById(topic, post.id)
      if (known !== undefined) return known
      touched.add(topic)
      const by = names.intern(post.by)
      const { id, cause } = post
      return log.append(topic, { at: options.now(), by, id, cause, recipients, payload })
    })
    return this.message(topicId, row)
  }

  async findMessage(topicId: string, messageId: string): Promise<TopicMessage | undefined> {
    checkId('topic id', topicId)
    checkId('message id', messageId)
    return this.store.read(() => {
      const row = this.store.log.findById(this.require(topicId), messageId)
      return row === undefined ? undefined : this.message(topicId, row)
    })
  }

  async read(topicId: string, page: Page = {}): Promise<readonly TopicMessage[]> {
    checkId('topic id', topicId)
    const after = checkCount('after', page.after ?? 0)
    const limit = checkLimit(page.limit)
    return this.store.read(() => this.messages(topicId, after, limit))
  }

  async tail(
    topicId: string,
    page: { readonly limit?: number; readonly before?: number } = {},
  ): Promise<readonly TopicMessage[]> {
    checkId('topic id', topicId)
    const before = checkCount('before', page.before ?? Number.MAX_SAFE_INTEGER)
    const limit = checkLimit(page.limit)
    return this.store.read(() => {
      const rows = this.store.log.before(this.require(topicId), before, limit)
      return rows.map((row) => this.message(topicId, row)).toReversed()
    })
  }

  async prune(topicId: string, retain: number): Promise<PruneResult> {
    checkId('topic id', topicId)
    checkCount('retain', retain)
    let deleted = 0
    for (;;) {
      const done = await this.store.write(() => this.pruneSome(this.require(topicId), retain))
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
      const page = await this.read(topicId, { after: cursor, limit: WATCH_PAGE })
      cursor = page.at(-1)?.sequence ?? cursor
      return page
    }
    const place = (): Promise<number> => this.store.read(() => this.require(topicId))
    return follow(this.store, { place, next, signal })
  }

  /** All topics of the workspace, for its snapshot; inside a read. */
  all(): readonly { readonly record: TopicRecord; readonly messages: number }[] {
    const workspace = this.store.places.findWorkspace(this.identity)
    if (workspace === undefined) return []
    return this.store.places.all(workspace, 'topic').map((row) => {
      const record = this.recordOf(row)
      return { record, messages: this.stored(row.id, record.headSequence) }
    })
  }

  private pruneSome(topic: number, retain: number): PruneResult {
    const { log } = this.store
    const head = log.head(topic)
    const excess = Math.max(0, this.stored(topic, head) - retain)
    const rows = log.after(topic, 0, Math.min(excess, PRUNED_AT_ONCE))
    log.remove(topic, rows)
    return { deleted: rows.length, retained: this.stored(topic, head) }
  }

  /** Only the oldest are ever deleted, so what is stored has no gap. */
  private stored(topic: number, head: number): number {
    const first = this.store.log.after(topic, 0, 1)[0]
    return first === undefined ? 0 : head - first.seq + 1
  }

  private add(place: Place): TopicRecord {
    const { names, options, places } = this.store
    const workspace = places.openWorkspace(this.identity)
    const by = names.intern(place.by)
    const { id: name, label } = place
    return this.record(places.add(workspace, 'topic', { name, label, by, at: options.now() }))
  }

  private number(topicId: string): number | undefined {
    return this.store.places.find(this.identity, 'topic', topicId)
  }

  private require(topicId: string): number {
    const number = this.number(topicId)
    if (number !== undefined) return number
    throw new MeshError('not-found', `there is no topic '${topicId}'`, { detail: { topicId } })
  }

  private messages(topicId: string, after: number, limit: number): readonly TopicMessage[] {
    const rows = this.store.log.after(this.require(topicId), after, limit)
    return rows.map((row) => this.message(topicId, row))
  }

  private record(number: number): TopicRecord {
    const row = this.store.places.get(number)
    if (row === undefined) throw new MeshError('store-invalid', `table place has no row ${number}`)
    return this.recordOf(row)
  }

  private recordOf(row: PlaceRow): TopicRecord {
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
      ...(recipients === null ? {} : { to: this.store.decode(recipients, where) }),
      publishedAt: row.at,
    }
  }
}
