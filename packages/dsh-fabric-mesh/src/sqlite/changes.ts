/** The log of all state changes of a workspace, and the newest change of each key. */
import { RECORD, type RecordRow, partOf } from './log.ts'
import type { PartTails } from './part-tails.ts'
import { prefixEnd } from './prefix.ts'
import type { Aged } from './newest.ts'
import { PART } from './schema.ts'
import type { Workspace } from './places.ts'
import type { Sql } from './sql.ts'

/** Up to so many keys are listed; beyond, the changes are walked back, unless they are of a few keys over and over. */
const LISTED = 1000
const WALKED_AT_LEAST = 20_000
const AT_ONCE = 500

/** A state change with its key. */
export interface ChangeRow extends RecordRow {
  readonly key: string
}

/** The newest record of the log of `place pl`. */
const NEWEST = `record m ON m.n = (SELECT json_extract(p.refs, '$[#-1]') FROM part p
  WHERE p.place = pl.id ORDER BY p.part DESC LIMIT 1)`
const FIND = `SELECT ${RECORD}, pl.name AS key FROM place pl JOIN ${NEWEST} WHERE pl.id = ?`
const LIST = `SELECT ${RECORD}, pl.name AS key FROM place pl INDEXED BY live_key JOIN ${NEWEST}
  WHERE pl.workspace = ?1 AND pl.live = 1 AND pl.name >= ?2 AND pl.name > ?3 AND pl.name < ?4
  ORDER BY pl.name LIMIT ?5`

const AGES = `SELECT pl.id, pl.name, m.change AS age FROM place pl INDEXED BY live_key JOIN ${NEWEST}
  WHERE pl.workspace = ? AND pl.live = 1 AND pl.name > ? ORDER BY pl.name LIMIT ?`

/** The workspace's own log lists records of its keys. */
const LINE = `record m ON m.n = j.value AND m.change = p.part * ${PART} + j.key + 1`
const ALL = `part p CROSS JOIN json_each(p.refs) j CROSS JOIN ${LINE}
  CROSS JOIN place pl ON pl.id = m.place`
const ALL_AFTER = `SELECT ${RECORD}, pl.name AS key FROM ${ALL}
  WHERE p.place = ? AND p.part >= ? AND m.change > ? ORDER BY p.part, j.key LIMIT ?`
const AGES_BEFORE = `SELECT pl.id, pl.name, m.change AS age, m.payload IS NULL AS gone FROM ${ALL}
  WHERE p.place = ? AND p.part <= ? AND m.change < ? ORDER BY p.part DESC, j.key DESC LIMIT ?`
const DELETE_DEAD_PART = `DELETE FROM part AS p WHERE place = ?1 AND part = ?2
  AND part < (SELECT max(part) FROM part WHERE place = ?1)
  AND NOT EXISTS (SELECT 1 FROM json_each(p.refs) j CROSS JOIN ${LINE})`

export class Changes {
  private readonly sql: Sql
  private readonly tails: PartTails

  constructor(sql: Sql, tails: PartTails) {
    this.sql = sql
    this.tails = tails
  }

  /** A deleted key's newest change is its deletion. */
  newest(key: number): ChangeRow | undefined {
    this.tails.flushPlace(key)
    return this.sql.late<ChangeRow>(FIND).get(key)
  }

  /** The newest change of each key that is not deleted, by key. */
  list(
    workspace: Workspace,
    range: { readonly prefix: string; readonly after: string; readonly limit: number },
  ): readonly ChangeRow[] {
    const { prefix, after, limit } = range
    const list = this.sql<ChangeRow>(LIST)
    return list.all(workspace.id, prefix, after, prefixEnd(prefix), limit)
  }

  /** Oldest first. */
  after(workspace: Workspace, change: number, limit: number): readonly ChangeRow[] {
    const part = Math.floor(change / PART)
    return this.sql<ChangeRow>(ALL_AFTER).all(workspace.changes, part, change, limit)
  }

  /** Of keys that are not deleted, at least the most recently changed. `states`: how many such keys there are. */
  newestOfKeys(
    workspace: Workspace,
    wanted: { readonly states: number; readonly limit: number },
  ): Iterable<Aged> {
    const { states, limit } = wanted
    const walked = states <= LISTED ? undefined : this.lastChanged(workspace, { states, limit })
    return walked ?? this.ages(workspace)
  }

  private *ages(workspace: Workspace): Generator<Aged> {
    let after = ''
    for (;;) {
      const rows = this.sql<Aged>(AGES).all(workspace.id, after, AT_ONCE)
      yield* rows
      if (rows.length < AT_ONCE) return
      after = rows.at(-1)?.name ?? ''
    }
  }

  /** Walks back through the changes: where a key comes first, it is its newest. Undefined when it is too far. */
  private lastChanged(
    workspace: Workspace,
    wanted: { readonly states: number; readonly limit: number },
  ): readonly Aged[] | undefined {
    const seen = new Set<number>()
    const found: Aged[] = []
    let before = Number.MAX_SAFE_INTEGER
    for (let walked = 0; walked < WALKED_AT_LEAST + wanted.states; walked += AT_ONCE) {
      const ages = this.sql<Aged & { gone: number }>(AGES_BEFORE)
      const rows = ages.all(workspace.changes, partOf(before), before, AT_ONCE)
      for (const { gone, ...key } of rows) {
        if (seen.has(key.id)) continue
        seen.add(key.id)
        if (gone === 0) found.push(key)
        if (found.length === wanted.limit) return found
      }
      if (rows.length < AT_ONCE) return found
      before = rows.at(-1)?.age ?? 0
    }
    return undefined
  }

  /** After records of keys were removed: the lines of the workspace's log that list nothing any more. */
  removeDead(workspace: Workspace, removed: readonly RecordRow[]): void {
    const parts = new Set(removed.map((row) => partOf(row.change ?? 0)))
    for (const part of parts) {
      this.sql(DELETE_DEAD_PART).run(workspace.changes, part)
    }
  }
}
