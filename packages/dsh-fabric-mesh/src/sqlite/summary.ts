/**
 * What a workspace's snapshot shows, kept up to date by what is new since the last one: built once from everything, then
 * from new records and new places, and the counters of mailboxes in which something is open. Nothing is written for it.
 */
import type { Changes } from './changes.ts'
import { type Aged, KEPT, Newest } from './newest.ts'
import { type Workspace, kinds } from './places.ts'
import type { Sql } from './sql.ts'
import { type Counts, type NewRecord, SummaryRows } from './summary-rows.ts'

const AT_ONCE = 1000
/** Beyond so many new records for each place, building again is cheaper. */
const NEW_PER_PLACE = 4
const NEW_AT_LEAST = 10_000
const MOST_SUMMARIES = 64
/** Changed mailboxes remembered between two looks. */
const MOST_TOUCHED = 4096

export interface Summarised {
  readonly topics: readonly Aged[]
  readonly states: readonly Aged[]
  readonly mailboxes: readonly Aged[]
  readonly totals: {
    readonly topics: number
    readonly topicMessages: number
    readonly states: number
    readonly mailboxes: number
    readonly mailboxMessages: number
  }
}

/** Of topics and of mailboxes. */
class Kind {
  readonly newest = new Newest()
  count = 0
  /** Every message ever: what was deleted is counted elsewhere. */
  messages = 0
}

interface Built {
  readonly topics: Kind
  readonly mailboxes: Kind
  readonly states: Newest
  /** Mailboxes in which something is not settled: others change by a new record only. */
  readonly open: Set<number>
  /**
   * Messages that were deleted before it was built. After a prune it is built again: another place may be the newest, and
   * what it had not counted in must not be counted out.
   */
  readonly pruned: number
  record: number
  place: number
  version: number
}

/** One for each workspace whose snapshot was asked for. */
export class Summaries {
  private readonly sql: Sql
  private readonly changes: Changes
  private readonly all = new Map<number, Summary>()

  constructor(sql: Sql, changes: Changes) {
    this.sql = sql
    this.changes = changes
  }

  /** This process changed the mailbox, or tried to. */
  touch(mailbox: number): void {
    for (const summary of this.all.values()) summary.touch(mailbox)
  }

  of(workspace: Workspace): Summary {
    const known = this.all.get(workspace.id)
    if (known !== undefined) return known
    if (this.all.size >= MOST_SUMMARIES) this.all.clear()
    const summary = new Summary(this.sql, this.changes, workspace)
    this.all.set(workspace.id, summary)
    return summary
  }
}

class Summary {
  private readonly rows: SummaryRows
  private readonly changes: Changes
  private readonly workspace: Workspace
  private built: Built | undefined
  private readonly touched = new Set<number>()

  constructor(sql: Sql, changes: Changes, workspace: Workspace) {
    this.rows = new SummaryRows(sql, workspace.id)
    this.changes = changes
    this.workspace = workspace
  }

  touch(mailbox: number): void {
    this.touched.add(mailbox)
    if (this.touched.size <= MOST_TOUCHED) return
    this.built = undefined
    this.touched.clear()
  }

  /** Inside a read. */
  look(limit: number): Summarised {
    try {
      const built = this.upToDate() ?? this.build()
      return this.show(this.isEnough(built, limit) ? built : this.build(), limit)
    } catch (error) {
      this.built = undefined // half a look
      throw error
    }
  }

  private upToDate(): Built | undefined {
    const { built, rows } = this
    if (built?.pruned !== prunedOf(rows.counts())) return undefined
    const last = rows.lastRecord()
    const known = built.topics.count + built.mailboxes.count
    if (last - built.record > NEW_AT_LEAST + NEW_PER_PLACE * known) return undefined

    this.addPlaces(built)
    const changed = this.addRecords(built)
    const version = rows.dataVersion()
    if (version !== built.version) for (const mailbox of built.open) changed.add(mailbox)
    for (const mailbox of this.touched) changed.add(mailbox)
    this.touched.clear()
    built.version = version
    for (const mailbox of changed) this.addMailbox(built, mailbox)
    return built
  }

  private addPlaces(built: Built): void {
    for (;;) {
      const found = this.rows.newPlaces(built.place, AT_ONCE)
      for (const { id, kind, name, createdAt } of found) {
        built.place = id
        if (kind === kinds.topic) {
          built.topics.count += 1
          built.topics.newest.set({ id, name, age: createdAt })
        }
        if (kind === kinds.mailbox) {
          built.mailboxes.count += 1
          this.addMailbox(built, id)
        }
      }
      if (found.length < AT_ONCE) break
    }
    built.place = this.rows.lastPlace()
  }

  /** Gives the mailboxes that got new messages. */
  private addRecords(built: Built): Set<number> {
    const changed = new Set<number>()
    for (;;) {
      const found = this.rows.newRecords(built.record, AT_ONCE)
      for (const record of found) {
        built.record = record.n
        if (record.kind === kinds.mailbox) changed.add(record.place)
        addRecord(built, record)
      }
      if (found.length < AT_ONCE) break
    }
    built.record = this.rows.lastRecord()
    return changed
  }

  private addMailbox({ mailboxes, open }: Built, id: number): void {
    const row = this.rows.mailbox(id)
    if (row === undefined) return
    mailboxes.newest.set({ id, name: row.name, age: row.age })
    if (row.open > 0) open.add(id)
    else open.delete(id)
  }

  private build(): Built {
    const { rows } = this
    const built: Built = {
      topics: new Kind(),
      mailboxes: new Kind(),
      states: new Newest(),
      open: new Set(),
      pruned: prunedOf(rows.counts()),
      record: rows.lastRecord(),
      place: rows.lastPlace(),
      version: rows.dataVersion(),
    }
    for (const { head, ...topic } of rows.topics()) addPlace(built.topics, topic, head)
    for (const { head, open, ...mailbox } of rows.mailboxes()) {
      addPlace(built.mailboxes, mailbox, head)
      if (open > 0) built.open.add(mailbox.id)
    }
    const { states } = rows.counts()
    const keys = this.changes.newestOfKeys(this.workspace, { states, limit: KEPT })
    for (const key of keys) built.states.set(key)
    this.touched.clear()
    this.built = built
    return built
  }

  /** Of what was deleted since it was built, the next older are not known. */
  private isEnough({ topics, mailboxes, states }: Built, limit: number): boolean {
    const keys = Math.min(limit, this.rows.counts().states)
    return topics.newest.has(limit) && mailboxes.newest.has(limit) && states.has(limit, keys)
  }

  private show({ topics, mailboxes, states }: Built, limit: number): Summarised {
    const counts = this.rows.counts()
    return {
      topics: topics.newest.list(limit),
      mailboxes: mailboxes.newest.list(limit),
      states: states.list(limit),
      totals: {
        topics: topics.count,
        topicMessages: topics.messages - counts.topicPruned,
        states: counts.states,
        mailboxes: mailboxes.count,
        mailboxMessages: mailboxes.messages - counts.mailPruned,
      },
    }
  }
}

function addPlace(kind: Kind, place: Aged, head: number): void {
  kind.count += 1
  kind.messages += head
  kind.newest.set(place)
}

function addRecord(built: Built, record: NewRecord): void {
  const { place: id, name, at, change, gone, kind } = record
  if (kind === kinds.mailbox) built.mailboxes.messages += 1
  if (kind === kinds.topic) {
    built.topics.messages += 1
    built.topics.newest.set({ id, name, age: at })
  }
  if (kind !== kinds.key) return
  if (gone === 1) built.states.delete(id)
  else built.states.set({ id, name, age: change ?? 0 })
}

function prunedOf({ topicPruned, mailPruned }: Counts): number {
  return topicPruned + mailPruned
}
