/** A workspace of the mesh in SQLite, and its snapshot. */
import { checkLimit } from '../bounds.ts'
import type { MeshWorkspace, Snapshot } from '../mesh.ts'
import { SqliteMailboxes } from './mailboxes.ts'
import { SqliteStates } from './states.ts'
import type { Store } from './store.ts'
import { SqliteTopics } from './topics.ts'

export class SqliteWorkspace implements MeshWorkspace {
  readonly identity: string
  readonly topics: SqliteTopics
  readonly states: SqliteStates
  readonly mailboxes: SqliteMailboxes
  private readonly store: Store

  constructor(store: Store, identity: string) {
    this.store = store
    this.identity = identity
    this.topics = new SqliteTopics(store, identity)
    this.states = new SqliteStates(store, identity)
    this.mailboxes = new SqliteMailboxes(store, identity)
  }

  /** Looks at every topic and mailbox of the workspace, at no message. */
  async snapshot(limit?: number): Promise<Snapshot> {
    const most = checkLimit(limit)
    return this.store.read(() => this.snapshotNow(most))
  }

  private snapshotNow(limit: number): Snapshot {
    const topics = this.topics.all()
    const mailboxes = this.mailboxes.all()
    const { records, states } = this.states.newest(limit)
    const topicMessages = sum(topics.map((topic) => topic.messages))
    const mailboxMessages = sum(
      mailboxes.map(
        ({ queued, claimed, completed, failed }) => queued + claimed + completed + failed,
      ),
    )
    return {
      topics: newest(
        topics.map((topic) => topic.record),
        limit,
      ),
      states: records.toReversed(),
      mailboxes: newest(mailboxes, limit),
      totals: {
        topics: topics.length,
        topicMessages,
        states,
        mailboxes: mailboxes.length,
        mailboxMessages,
      },
      truncated: Math.max(topics.length, states, mailboxes.length) > limit,
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Oldest to newest; of two changed in the same millisecond, by id. */
function newest<Item extends { readonly id: string; readonly updatedAt: number }>(
  items: readonly Item[],
  limit: number,
): readonly Item[] {
  const byAge = items.toSorted((a, b) => a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1))
  return byAge.slice(-limit)
}
