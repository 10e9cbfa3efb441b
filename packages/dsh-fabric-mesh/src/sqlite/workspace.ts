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

  /** Its cost does not grow with what is stored; the first one of a process looks at every topic and mailbox. */
  async snapshot(limit?: number): Promise<Snapshot> {
    const most = checkLimit(limit)
    return this.store.read(() => this.snapshotNow(most))
  }

  private snapshotNow(limit: number): Snapshot {
    const { places, summaries } = this.store
    const workspace = places.findWorkspace(this.identity)
    if (workspace === undefined) return nothing
    const { topics, states, mailboxes, totals } = summaries.of(workspace).look(limit)
    return {
      topics: topics.map(({ id }) => this.topics.show(id)),
      states: this.states.show(states.map(({ id }) => id)),
      mailboxes: mailboxes.map(({ id }) => this.mailboxes.show(id)),
      totals,
      truncated: Math.max(totals.topics, totals.states, totals.mailboxes) > limit,
    }
  }
}

const nothing: Snapshot = {
  topics: [],
  states: [],
  mailboxes: [],
  totals: { topics: 0, topicMessages: 0, states: 0, mailboxes: 0, mailboxMessages: 0 },
  truncated: false,
}
