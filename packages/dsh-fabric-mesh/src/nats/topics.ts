/** Topics in JetStream: a stream each, so that its sequences are those of the topic; a subject for each message id. */
import { randomUUID } from 'node:crypto'
import type { TopicMessage, TopicRecord } from 'dsh-fabric-protocol'
import { z } from 'zod'
import {
  checkCount,
  checkId,
  checkLimit,
  checkPlace,
  checkTopicPost,
  encodeJson,
} from '../bounds.ts'
import type { Page, Place, Post, PruneResult, PublishResult, Topics } from '../mesh.ts'
import { follow } from './follow.ts'
import { orNothing, codes } from './link.ts'
import { digestOf, type StreamName } from './names.ts'
import { factsOf, notFound } from './places.ts'
import { readPage } from './reader.ts'
import type { Store } from './store.ts'
import {
  anyJson,
  decodeEntry,
  parseJson,
  encodeRecord,
  type Entry,
  type StreamInfo,
} from './wire.ts'

const stored = z.object({
  id: z.string(),
  /** Of the call that wrote it. */
  call: z.string(),
  by: z.string(),
  cause: z.string().optional(),
  to: z.array(z.string()).readonly().optional(),
  at: z.number(),
  payload: anyJson,
})

type TopicPost = Post & { readonly to?: readonly string[] }

type Posted =
  | { readonly status: 'published'; readonly message: TopicMessage; readonly replayed: boolean }
  | { readonly status: 'moved' }

export class NatsTopics implements Topics {
  private readonly store: Store

  constructor(store: Store) {
    this.store = store
  }

  async create(place: Place): Promise<TopicRecord> {
    checkPlace('topic', place)
    const { names, order, places, link } = this.store
    const name = names.topic(place.id)
    return link.admit(() =>
      order.write(name.stream, async () =>
        this.record(name, await places.create('topic', name, place)),
      ),
    )
  }

  async open(place: Place): Promise<TopicRecord> {
    checkPlace('topic', place)
    const { names, order, places, link } = this.store
    const name = names.topic(place.id)
    return link.admit(() =>
      order.write(name.stream, async () =>
        this.record(name, await places.open('topic', name, place)),
      ),
    )
  }

  async find(topicId: string): Promise<TopicRecord | undefined> {
    checkId('topic id', topicId)
    return this.store.link.admit(async () => {
      const name = this.store.names.topic(topicId)
      const info = await this.store.places.find(name)
      return info === undefined ? undefined : this.record(name, info)
    })
  }

  async publish(topicId: string, post: TopicPost): Promise<TopicMessage> {
    const posted = await this.post(topicId, post)
    if (posted.status === 'published') return posted.message
    throw this.store.link.unavailable(`topic '${topicId}' refused a message without a condition`)
  }

  async publishAt(
    topicId: string,
    post: TopicPost & { readonly expectedHead: number },
  ): Promise<PublishResult> {
    checkCount('expected head', post.expectedHead)
    const { link, names } = this.store
    const name = names.topic(topicId)
    const once = { ...post, id: post.id ?? randomUUID(), call: randomUUID() }
    const again = link.patience()
    for (;;) {
      const posted = await this.post(topicId, once, post.expectedHead)
      if (posted.status === 'published') return posted
      const headSequence = (await link.admit(() => link.info(name.stream))).state.last_seq
      if (headSequence === post.expectedHead) {
        await again(`what refused a message of topic '${topicId}' cannot be seen`)
        continue
      }
      // what moved the head may be this very message: an earlier try that could not be seen before
      const entry = await link.admit(() => link.findLast(name.stream, subjectOf(name, once.id)))
      if (entry === undefined) return { status: 'conflict', headSequence }
      return this.postedAs(topicId, entry, once.call)
    }
  }

  async findMessage(topicId: string, messageId: string): Promise<TopicMessage | undefined> {
    checkId('topic id', topicId)
    checkId('message id', messageId)
    return this.store.link.admit(async () => {
      const name = await this.checked(topicId)
      const entry = await this.store.link.findLast(name.stream, subjectOf(name, messageId))
      return entry === undefined ? undefined : this.message(topicId, name, entry)
    })
  }

  async read(topicId: string, page: Page = {}): Promise<readonly TopicMessage[]> {
    checkId('topic id', topicId)
    const after = checkCount('after', page.after ?? 0)
    const limit = checkLimit(page.limit)
    return this.range(topicId, ({ first_seq: first, last_seq: last }) => {
      const from = Math.max(after + 1, first)
      return { from, head: Math.min(last, from + limit - 1), limit }
    })
  }

  async tail(
    topicId: string,
    page: { readonly limit?: number; readonly before?: number } = {},
  ): Promise<readonly TopicMessage[]> {
    checkId('topic id', topicId)
    const before = checkCount('before', page.before ?? Number.MAX_SAFE_INTEGER)
    const limit = checkLimit(page.limit)
    return this.range(topicId, ({ first_seq: first, last_seq: last }) => {
      const head = Math.min(last, before - 1)
      return { from: Math.max(first, head - limit + 1), head, limit }
    })
  }

  async prune(topicId: string, retain: number): Promise<PruneResult> {
    checkId('topic id', topicId)
    checkCount('retain', retain)
    const { link, names, order, places } = this.store
    const name = names.topic(topicId)
    return link.admit(() =>
      order.write(name.stream, async ({ earlier }) => {
        await earlier
        const { state } = await places.require('topic', name, topicId)
        const through = state.last_seq - retain
        const deleted = Math.max(0, through - Math.max(1, state.first_seq) + 1)
        if (deleted > 0) await link.purge(name.stream, { through })
        return { deleted, retained: countOf(state) - deleted }
      }),
    )
  }

  watch(
    topicId: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<TopicMessage> {
    const { after, signal } = options
    return follow(this.store.link, {
      signal,
      open: async () => {
        checkId('topic id', topicId)
        checkCount('after', after)
        const name = await this.checked(topicId)
        return { stream: name.stream, from: after + 1 }
      },
      show: (pushed) => this.message(topicId, this.store.names.topic(topicId), pushed),
    })
  }

  async record(name: StreamName, info: StreamInfo): Promise<TopicRecord> {
    const { id, label, by, createdAt } = factsOf(info)
    const headSequence = info.state.last_seq
    const newest =
      headSequence === 0 ? undefined : await this.store.link.findAt(name.stream, headSequence)
    const updatedAt = newest === undefined ? createdAt : decodeEntry(stored, name.stream, newest).at
    return { id, label, by, createdAt, updatedAt, headSequence }
  }

  private async post(
    topicId: string,
    post: TopicPost & { readonly call?: string },
    head?: number,
  ): Promise<Posted> {
    checkTopicPost(topicId, post)
    const { link, names, options, order } = this.store
    const thing = `payload for topic '${topicId}'`
    const payload = encodeJson(thing, post.payload, options.payloadLimitBytes)
    const { id = randomUUID(), call = randomUUID(), by, cause, to } = post
    const draft = { id, call, by, cause, to, at: options.now() }
    const data = encodeRecord(draft, 'payload', payload)
    const name = names.topic(topicId)
    const subject = subjectOf(name, id)
    const condition = {
      stream: name.stream,
      lastOfSubject: 0,
      ...(head === undefined ? {} : { last: head }),
    }

    return link.admit(() =>
      order.write(name.stream, async ({ earlier, sent }) => {
        if (!this.store.places.isChecked(name)) await this.checked(topicId)
        const again = link.patience()
        for (;;) {
          const publishing = this.missing(
            topicId,
            link.publish(subject, data, { ...condition, earlier }),
          )
          sent()
          const published = await publishing
          if (published.status === 'stored') {
            const content = { ...draft, payload: parseJson(payload) }
            const message = messageOf(topicId, published.sequence, content)
            return { status: 'published', message, replayed: false }
          }
          const entry = await link.findLast(name.stream, subject)
          if (entry !== undefined) return this.postedAs(topicId, entry, call)
          if (head !== undefined) return { status: 'moved' }
          await again(`what refused a message of topic '${topicId}' cannot be seen`)
        }
      }),
    )
  }

  private async range(
    topicId: string,
    pageOf: (state: StreamInfo['state']) => {
      readonly from: number
      readonly head: number
      readonly limit: number
    },
  ): Promise<readonly TopicMessage[]> {
    const { link, names, places } = this.store
    return link.admit(async () => {
      const name = names.topic(topicId)
      const { state } = await places.require('topic', name, topicId)
      const entries = await readPage(link, name.stream, pageOf(state))
      return entries.map((entry) => this.message(topicId, name, entry))
    })
  }

  private async checked(topicId: string): Promise<StreamName> {
    const name = this.store.names.topic(topicId)
    await this.store.places.checked('topic', name, topicId)
    return name
  }

  private async missing<T>(topicId: string, call: Promise<T>): Promise<T> {
    const done = await orNothing(codes.noStream, call)
    if (done === undefined) throw notFound('topic', topicId)
    return done
  }

  private postedAs(topicId: string, entry: Entry, call: string) {
    const content = decodeEntry(stored, this.store.names.topic(topicId).stream, entry)
    const message = messageOf(topicId, entry.sequence, content)
    return { status: 'published', message, replayed: content.call !== call } as const
  }

  private message(topicId: string, name: StreamName, entry: Entry): TopicMessage {
    return messageOf(topicId, entry.sequence, decodeEntry(stored, name.stream, entry))
  }
}

function messageOf(
  topicId: string,
  sequence: number,
  content: z.infer<typeof stored>,
): TopicMessage {
  const { id, by, cause, to, at, payload } = content
  return {
    topicId,
    sequence,
    id,
    payload,
    by,
    ...(cause === undefined ? {} : { cause }),
    ...(to === undefined ? {} : { to: [...to] }),
    publishedAt: at,
  }
}

function subjectOf(name: StreamName, messageId: string): string {
  return `${name.root}.${digestOf(messageId)}`
}

/** Only the oldest are ever deleted, so what is stored has no gap. */
export function countOf(state: StreamInfo['state']): number {
  return state.messages
}
