/** A workspace of the mesh in JetStream, and its snapshot. */
import type { TopicRecord } from 'dsh-fabric-protocol'
import { checkLimit } from '../bounds.ts'
import type { MeshWorkspace, Snapshot } from '../mesh.ts'
import { messagesIn, NatsMailboxes } from './mailboxes.ts'
import { kindOf } from './names.ts'
import { factsOf } from './places.ts'
import { NatsStates } from './states.ts'
import type { Store } from './store.ts'
import { countOf, NatsTopics } from './topics.ts'
import type { StreamInfo } from './wire.ts'

export class NatsWorkspace implements MeshWorkspace {
  readonly identity: string
  readonly topics: NatsTopics
  readonly states: NatsStates
  readonly mailboxes: NatsMailboxes
  private readonly store: Store

  constructor(store: Store) {
    this.store = store
    this.identity = store.identity
    this.topics = new NatsTopics(store)
    this.states = new NatsStates(store)
    this.mailboxes = new NatsMailboxes(store)
  }

  /** Looks at every topic and mailbox of the workspace, at no message but the newest of each topic it shows. */
  async snapshot(limit?: number): Promise<Snapshot> {
    const most = checkLimit(limit)
    return this.store.link.admit(() => this.snapshotNow(most))
  }

  stop(): void {
    this.states.stop()
    this.mailboxes.stop()
  }

  private async snapshotNow(limit: number): Promise<Snapshot> {
    const { link, names } = this.store
    const all = await link.streams(names.all)
    const topics = all.filter(({ config }) => kindOf(config.name) === 'topic')
    const boxes = all.filter(({ config }) => kindOf(config.name) === 'mailbox')
    const newest = newestOf(boxes, limit)
    const shown = new Set(newest)
    const others = boxes.filter((info) => !shown.has(info))
    const [topicRecords, mailboxes, { records, states }] = await Promise.all([
      Promise.all(newestOf(topics, limit).map((info) => this.topicRecord(info))),
      Promise.all(newest.map((info) => this.mailboxes.record(info))),
      this.states.newest(limit),
    ])
    let otherMessages = 0
    for (const info of others) otherMessages += await this.mailboxes.count(info) // one open at a time
    return {
      topics: byAge(topicRecords),
      states: records,
      mailboxes: byAge(mailboxes),
      totals: {
        topics: topics.length,
        topicMessages: sum(topics.map(({ state }) => countOf(state))),
        states,
        mailboxes: boxes.length,
        mailboxMessages: sum(mailboxes.map(messagesIn)) + otherMessages,
      },
      truncated: Math.max(topics.length, states, boxes.length) > limit,
    }
  }

  private topicRecord(info: StreamInfo): Promise<TopicRecord> {
    return this.topics.record(this.store.names.topic(factsOf(info).id), info)
  }
}

function changedAt({ created, state }: StreamInfo): number {
  return Date.parse(state.last_seq === 0 ? created : state.last_ts)
}

/** By the server's clock, which is the same for all. */
function newestOf(streams: readonly StreamInfo[], limit: number): readonly StreamInfo[] {
  return streams.toSorted((a, b) => changedAt(a) - changedAt(b)).slice(-limit)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Oldest to newest; of two changed in the same millisecond, by id. */
function byAge<Item extends { readonly id: string; readonly updatedAt: number }>(
  items: readonly Item[],
): readonly Item[] {
  return items.toSorted((a, b) => a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1))
}
