/** Workspaces, and the places in them that have a log: topics, mailboxes, state keys. */
import { createHash } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'
import type { Sql } from './sql.ts'

const REMEMBERED = 8192

/** The numbers are stored. */
export const kinds = { topic: 0, mailbox: 1, key: 2, changes: 3 } as const
export type PlaceKind = keyof typeof kinds

export interface Workspace {
  readonly id: number
  /** The place of the log of its state changes. */
  readonly changes: number
}

export interface PlaceRow {
  readonly id: number
  readonly name: string
  readonly label: string | null
  readonly by: number
  readonly createdAt: number
}

export interface NewPlace {
  readonly name: string
  readonly label?: string | undefined
  readonly by: number
  readonly at: number
}

const FIND_WORKSPACE = 'SELECT id, changes FROM workspace WHERE digest = ?'
const ADD_WORKSPACE = 'INSERT INTO workspace (digest, identity, changes) VALUES (?, ?, 0)'
const SET_CHANGES = 'UPDATE workspace SET changes = ? WHERE id = ?'
const COUNT_STATES = 'UPDATE workspace SET states = states + ? WHERE id = ?'

const COUNT_PRUNED = `UPDATE workspace SET topic_pruned = topic_pruned + ?,
  mail_pruned = mail_pruned + ? WHERE id = ?`

const FIND_ID = 'SELECT id FROM place WHERE workspace = ? AND kind = ? AND name = ?'
const COLUMNS = 'id, name, label, by, created_at AS createdAt'
const GET = `SELECT ${COLUMNS} FROM place WHERE id = ?`
const ADD =
  'INSERT INTO place (workspace, kind, name, label, by, created_at) VALUES (?, ?, ?, ?, ?, ?)'
const SET_LIVE = 'UPDATE place SET live = ? WHERE id = ?'

export class Places {
  private readonly sql: Sql
  private readonly workspaces = new BoundedMap<string, Workspace>(REMEMBERED)
  private readonly ids = new BoundedMap<string, number>(REMEMBERED)

  constructor(sql: Sql) {
    this.sql = sql
  }

  findWorkspace(identity: string): Workspace | undefined {
    const known = this.workspaces.get(identity)
    if (known !== undefined) return known
    const row = this.sql<Workspace>(FIND_WORKSPACE).get(digest(identity))
    return row === undefined ? undefined : this.workspaces.set(identity, row)
  }

  /** Only inside a write. */
  openWorkspace(identity: string): Workspace {
    const known = this.findWorkspace(identity)
    if (known !== undefined) return known
    const id = Number(this.sql(ADD_WORKSPACE).run(digest(identity), identity).lastInsertRowid)
    const changes = Number(
      this.sql(ADD).run(id, kinds.changes, '', null, null, null).lastInsertRowid,
    )
    this.sql(SET_CHANGES).run(changes, id)
    return this.workspaces.set(identity, { id, changes })
  }

  /** The number of a place; its row is read only where it is shown. */
  find(identity: string, kind: PlaceKind, name: string): number | undefined {
    const workspace = this.findWorkspace(identity)
    if (workspace === undefined) return undefined
    const key = `${workspace.id} ${kind} ${name}`
    const known = this.ids.get(key)
    if (known !== undefined) return known
    const row = this.sql<{ id: number }>(FIND_ID).get(workspace.id, kinds[kind], name)
    return row === undefined ? undefined : this.ids.set(key, row.id)
  }

  get(id: number): PlaceRow | undefined {
    return this.sql<PlaceRow>(GET).get(id)
  }

  /** Only inside a write, and only when `find` found none. */
  add(workspace: Workspace, kind: 'topic' | 'mailbox' | 'key', place: NewPlace): number {
    const { name, by, at } = place
    const label = place.label === name ? null : (place.label ?? null)
    const added = this.sql(ADD).run(workspace.id, kinds[kind], name, label, by, at)
    return this.ids.set(`${workspace.id} ${kind} ${name}`, Number(added.lastInsertRowid))
  }

  /** Only inside a write. Messages that were deleted: a summary of before is of no use any more. */
  countPruned(
    identity: string,
    { topic = 0, mail = 0 }: { readonly topic?: number; readonly mail?: number },
  ): void {
    this.sql(COUNT_PRUNED).run(topic, mail, this.openWorkspace(identity).id)
  }

  /** A state key came to be, or was deleted. */
  setLive(workspace: Workspace, key: number, live: boolean): void {
    this.sql(SET_LIVE).run(live ? 1 : null, key)
    this.sql(COUNT_STATES).run(live ? 1 : -1, workspace.id)
  }

  forget(): void {
    this.workspaces.clear()
    this.ids.clear()
  }
}

function digest(identity: string): Uint8Array {
  return createHash('sha256').update(identity).digest()
}
