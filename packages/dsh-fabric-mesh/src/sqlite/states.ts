/** State in SQLite: each key is a log of its changes, whose sequence is the version. */
import type { StateChange, StateRecord } from 'dsh-fabric-protocol'
import { checkChange, checkCount, checkId, checkLimit, checkPrefix, encodeJson } from '../bounds.ts'
import { MeshError } from '../error.ts'
import type { DeleteResult, Page, States, Swap, SwapResult } from '../mesh.ts'
import type { ChangeRow } from './changes.ts'
import { follow } from './follow.ts'
import type { RecordRow } from './log.ts'
import type { Store } from './store.ts'

/** How many changes beyond the limit one write may delete: a lowered limit is reached bit by bit. */
const FORGOTTEN_AT_ONCE = 2
const WATCH_PAGE = 500

type Change = Omit<Swap, 'value'> & { readonly payload: string | null }

type Changed =
  | { readonly status: 'changed'; readonly row: RecordRow; readonly replayed: boolean }
  | { readonly status: 'conflict'; readonly current: ChangeRow | undefined }

export class SqliteStates implements States {
  private readonly store: Store
  private readonly identity: string

  constructor(store: Store, identity: string) {
    this.store = store
    this.identity = identity
  }

  async find(key: string): Promise<StateRecord | undefined> {
    checkId('state key', key)
    return this.store.read(() => {
      const current = this.current(this.number(key))
      return current === undefined ? undefined : this.record(key, current)
    })
  }

  async list(
    prefix: string,
    page: { readonly after?: string; readonly limit?: number } = {},
  ): Promise<readonly StateRecord[]> {
    checkPrefix(prefix)
    const limit = checkLimit(page.limit)
    const after = page.after ?? ''
    return this.store.read(() => {
      const workspace = this.store.places.findWorkspace(this.identity)
      if (workspace === undefined) return []
      const rows = this.store.changes.list(workspace, { prefix, after, limit })
      return this.store.quarantine.readable(rows, (row) => this.record(row.key, row))
    })
  }

  async compareAndSwap(swap: Swap): Promise<SwapResult> {
    checkChange(swap)
    const { value, key } = swap
    const { payloadLimitBytes } = this.store.options
    const payload = encodeJson(`value of state key '${key}'`, value, payloadLimitBytes)
    return this.store.write((touched) => {
      const changed = this.change({ ...swap, payload }, touched)
      if (changed.status === 'conflict') return this.conflict(key, changed.current)
      const { row, replayed } = changed
      return { status: 'swapped', record: this.record(key, row), replayed }
    })
  }

  async delete(request: Omit<Swap, 'value'>): Promise<DeleteResult> {
    checkChange(request)
    return this.store.write((touched) => {
      const changed = this.change({ ...request, payload: null }, touched)
      if (changed.status === 'conflict') return this.conflict(request.key, changed.current)
      return { status: 'deleted', version: changed.row.seq }
    })
  }

  async history(key: string, page: Page = {}): Promise<readonly StateChange[]> {
    checkId('state key', key)
    const after = checkCount('after', page.after ?? 0)
    const limit = checkLimit(page.limit)
    return this.store.read(() => {
      const number = this.number(key)
      if (number === undefined) return []
      const version = this.versionAt(number, after)
      const rows = this.store.log.after(number, version, limit)
      return this.store.quarantine.readable(rows, (row) => this.stateChange(key, row))
    })
  }

  watch(
    prefix: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<StateChange> {
    const { after, signal } = options
    let cursor = after
    const page = async (): Promise<readonly ChangeRow[]> => {
      const rows = await this.store.read(() => this.changesAfter(cursor))
      cursor = rows.at(-1)?.change ?? cursor
      return rows
    }
    const next = async (): Promise<readonly StateChange[]> => {
      for (;;) {
        const rows = await page()
        const wanted = rows.filter((row) => row.key.startsWith(prefix))
        const changes = this.store.quarantine.readable(wanted, (row) =>
          this.stateChange(row.key, row),
        )
        if (rows.length === 0 || changes.length > 0 || signal.aborted) return changes
      }
    }
    const place = async (): Promise<number> => {
      checkPrefix(prefix)
      checkCount('after', after)
      return this.store.write(() => this.store.places.openWorkspace(this.identity).changes)
    }
    return follow(this.store, { place, next, signal })
  }

  /** The keys of these places, by their numbers, that can be read; inside a read. */
  show(keys: readonly number[]): readonly StateRecord[] {
    const rows = keys.flatMap((key) => this.current(key) ?? [])
    return this.store.quarantine.readable(rows, (row) => this.record(row.key, row))
  }

  private change(change: Change, touched: Set<number>): Changed {
    const known = this.number(change.key)
    const won = this.wonBefore(known, change)
    if (won !== undefined) return { status: 'changed', row: won, replayed: true }

    const current = this.current(known)
    const { expectedVersion, payload } = change
    const nothingToDelete = current === undefined && payload === null
    if ((current?.seq ?? 0) !== expectedVersion || nothingToDelete) {
      return { status: 'conflict', current }
    }
    const workspace = this.store.places.openWorkspace(this.identity)
    touched.add(workspace.changes)
    return { status: 'changed', row: this.apply(change, known), replayed: false }
  }

  private wonBefore(key: number | undefined, change: Change): RecordRow | undefined {
    if (key === undefined || change.id === undefined) return undefined
    const won = this.store.log.findById(key, change.id)
    if (won === undefined) return undefined
    if ((won.payload === null) === (change.payload === null)) return won
    const was = won.payload === null ? 'a deletion' : 'a swap'
    throw new MeshError(
      'invalid-argument',
      `change '${change.id}' of state key '${change.key}' was ${was}`,
      { detail: { key: change.key, id: change.id } },
    )
  }

  private apply(change: Change, known: number | undefined): RecordRow {
    const { log, names, options, places } = this.store
    const workspace = places.openWorkspace(this.identity)
    const at = options.now()
    const by = names.intern(change.by)
    const { cause, id, payload } = change
    const key = known ?? places.add(workspace, 'key', { name: change.key, by, at })
    const created = change.expectedVersion === 0
    if (created || payload === null) places.setLive(workspace, key, payload !== null)

    const number = log.tails.head(workspace.changes) + 1
    const row = log.append(key, {
      at,
      by,
      id,
      anonymous: true,
      change: number,
      cause,
      payload,
    })
    log.tails.append(workspace.changes, row.n)
    this.forgetOldest(key, row.seq)
    return row
  }

  private forgetOldest(key: number, version: number): void {
    const { log, options, places } = this.store
    if (version <= options.historyLimit) return
    const oldest = log.after(key, 0, FORGOTTEN_AT_ONCE)
    const forgotten = oldest.filter((row) => row.seq <= version - options.historyLimit)
    log.remove(key, forgotten)
    this.store.changes.removeDead(places.openWorkspace(this.identity), forgotten)
  }

  /** The newest version of the key that is not after the workspace's change `sequence`. */
  private versionAt(key: number, sequence: number): number {
    const { log } = this.store
    let low = (log.after(key, 0, 1)[0]?.seq ?? 1) - 1
    let high = log.head(key)
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((log.find(key, middle)?.change ?? 0) <= sequence) low = middle
      else high = middle - 1
    }
    return low
  }

  private changesAfter(sequence: number): readonly ChangeRow[] {
    const workspace = this.store.places.findWorkspace(this.identity)
    return workspace === undefined ? [] : this.store.changes.after(workspace, sequence, WATCH_PAGE)
  }

  private number(key: string): number | undefined {
    return this.store.places.find(this.identity, 'key', key)
  }

  /** Undefined for a key that is not there or deleted. */
  private current(key: number | undefined): ChangeRow | undefined {
    const newest = key === undefined ? undefined : this.store.changes.newest(key)
    return newest?.payload === null ? undefined : newest
  }

  private conflict(key: string, current: ChangeRow | undefined) {
    const record = current === undefined ? undefined : this.record(key, current)
    return { status: 'conflict', current: record } as const
  }

  private record(key: string, row: RecordRow): StateRecord {
    return {
      key,
      version: row.seq,
      value: this.store.decode(row.payload ?? '', { table: 'record', row: row.n }),
      by: this.store.names.text(row.by),
      ...(row.cause === null ? {} : { cause: row.cause }),
      updatedAt: row.at,
    }
  }

  private stateChange(key: string, row: RecordRow): StateChange {
    const common = {
      sequence: row.change ?? 0,
      key,
      version: row.seq,
      by: this.store.names.text(row.by),
      ...(row.cause === null ? {} : { cause: row.cause }),
      changedAt: row.at,
    }
    if (row.payload === null) return { kind: 'deleted', ...common }
    const value = this.store.decode(row.payload, { table: 'record', row: row.n })
    return { kind: 'set', ...common, value }
  }
}
