/** State in JetStream: a stream for each workspace, a subject for each key, swaps conditional on its newest change. */
import { randomUUID } from 'node:crypto'
import type { StateChange, StateRecord } from 'dsh-fabric-protocol'
import { z } from 'zod'
import { checkChange, checkCount, checkId, checkLimit, checkPrefix, encodeJson } from '../bounds.ts'
import { MeshError } from '../error.ts'
import type { DeleteResult, Page, States, Swap, SwapResult } from '../mesh.ts'
import { follow } from './follow.ts'
import { KeyChanges } from './key-changes.ts'
import { KEY_HEADER, KeyIndex, KIND_HEADER } from './key-index.ts'
import { codes, orNothing } from './link.ts'
import { digestOf, type StreamName } from './names.ts'
import type { Place as OrderPlace } from './order.ts'
import { readPage } from './reader.ts'
import type { Store } from './store.ts'
import { anyJson, copyJson, decodeEntry, parseJson, encodeRecord, type Entry } from './wire.ts'

const REMEMBERED = 4096
const BESIDE = {
  key: z.string(),
  version: z.number(),
  id: z.string().optional(),
  /** Of the call that wrote it. */
  call: z.string(),
  by: z.string(),
  cause: z.string().optional(),
  at: z.number(),
}
const storedChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('set'), ...BESIDE, value: anyJson }),
  z.object({ kind: z.literal('deleted'), ...BESIDE, value: z.null() }),
])

type Change = Omit<Swap, 'value'> & { readonly kind: 'set' | 'deleted'; readonly json: string }

/** A change as stored. */
interface Stored {
  readonly sequence: number
  readonly change: z.infer<typeof storedChange>
}

type Changed =
  | { readonly status: 'changed'; readonly stored: Stored; readonly replayed: boolean }
  | { readonly status: 'conflict'; readonly current: Stored | undefined }

export class NatsStates implements States {
  private readonly store: Store
  private readonly name: StreamName
  private readonly changes: KeyChanges
  /** The newest change of a key as this process last saw it; a swap on an old one is refused by the server. */
  private readonly seen = new Map<string, Stored>()
  private readonly changing = new Map<string, Promise<unknown>>()
  private index: KeyIndex | undefined

  constructor(store: Store) {
    this.store = store
    this.name = store.names.states()
    this.changes = new KeyChanges(store.link, (entry) => this.decode(entry).change.id)
  }

  async find(key: string): Promise<StateRecord | undefined> {
    checkId('state key', key)
    return this.store.link.admit(async () => {
      const newest = await this.newestOf(key)
      return newest === undefined ? undefined : recordOf(newest)
    })
  }

  async list(
    prefix: string,
    page: { readonly after?: string; readonly limit?: number } = {},
  ): Promise<readonly StateRecord[]> {
    checkPrefix(prefix)
    const limit = checkLimit(page.limit)
    return this.store.link.admit(async () => {
      const index = await this.freshIndex()
      if (index === undefined) return []
      return this.records(index.page(prefix, page.after ?? '', limit))
    })
  }

  async compareAndSwap(swap: Swap): Promise<SwapResult> {
    checkChange(swap)
    const { value, ...request } = swap
    const thing = `value of state key '${swap.key}'`
    const json = encodeJson(thing, value, this.store.options.payloadLimitBytes)
    const changed = await this.change({ ...request, kind: 'set', json })
    if (changed.status === 'conflict') return conflictOf(changed.current)
    const record = recordOf(changed.stored)
    if (record === undefined) throw misused(swap, 'a deletion')
    return { status: 'swapped', record, replayed: changed.replayed }
  }

  async delete(request: Omit<Swap, 'value'>): Promise<DeleteResult> {
    checkChange(request)
    const changed = await this.change({ ...request, kind: 'deleted', json: 'null' })
    if (changed.status === 'conflict') return conflictOf(changed.current)
    if (changed.stored.change.kind === 'set') throw misused(request, 'a swap')
    return { status: 'deleted', version: changed.stored.change.version }
  }

  async history(key: string, page: Page = {}): Promise<readonly StateChange[]> {
    checkId('state key', key)
    const after = checkCount('after', page.after ?? 0)
    const limit = checkLimit(page.limit)
    const { link } = this.store
    return link.admit(async () => {
      const info = await this.store.places.find(this.name)
      if (info === undefined) return []
      const filter = this.subjectOf(key)
      const head = info.state.last_seq
      const entries = await readPage(link, this.name.stream, {
        filter,
        from: after + 1,
        head,
        limit,
      })
      return entries.map((entry) => stateChangeOf(this.decode(entry)))
    })
  }

  watch(
    prefix: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<StateChange> {
    const { after, signal } = options
    return follow(this.store.link, {
      signal,
      open: async () => {
        checkPrefix(prefix)
        checkCount('after', after)
        await this.opened()
        return { stream: this.name.stream, from: after + 1 }
      },
      show: (pushed) => {
        const key = decodeURIComponent(pushed.header(KEY_HEADER))
        return key.startsWith(prefix) ? stateChangeOf(this.decode(pushed)) : undefined
      },
    })
  }

  /** The most recently changed, oldest first, and how many there are. */
  async newest(
    limit: number,
  ): Promise<{ readonly records: readonly StateRecord[]; readonly states: number }> {
    const index = await this.freshIndex()
    if (index === undefined) return { records: [], states: 0 }
    const states = index.size
    return { records: await this.records(index.newest(limit)), states }
  }

  stop(): void {
    this.index?.stop()
  }

  /** A key is changed by one call of this process at a time; different keys do not wait for each other's answer. */
  private change(change: Change): Promise<Changed> {
    const { link, order } = this.store
    const { key } = change
    return link.admit(() => {
      const before = this.changing.get(key)
      const known = before === undefined ? this.expected(change) : undefined
      known?.catch(() => undefined) // awaited below
      const running = order.write(this.name.stream, async (place) => {
        await this.opened()
        await before
        return this.attempt(change, await (known ?? this.expected(change)), place)
      })
      const finished = running.then(ignore, ignore)
      this.changing.set(key, finished)
      void finished.then(() => {
        if (this.changing.get(key) === finished) this.changing.delete(key)
      })
      return running
    })
  }

  /** What the key's newest change probably is: the server refuses what was built on anything else. */
  private async expected(change: Change): Promise<Stored | undefined> {
    const seen = this.seen.get(change.key)
    if (seen !== undefined || change.expectedVersion === 0) return seen
    return this.newestOf(change.key)
  }

  private async attempt(
    change: Change,
    guess: Stored | undefined,
    place: OrderPlace,
  ): Promise<Changed> {
    const { link } = this.store
    const subject = this.subjectOf(change.key)
    const call = randomUUID()
    let current = guess
    const again = link.patience()
    for (let asked = false; ; asked = true) {
      const won = await this.wonBefore(change, current)
      if (won !== undefined) return { status: 'changed', stored: won, replayed: true }
      if (!fits(change, current)) {
        if (asked) return { status: 'conflict', current }
        current = await this.newestOf(change.key)
        continue
      }
      const { data, draft } = this.draftOf(change, current, call)
      const publishing = link.publish(subject, data, {
        stream: this.name.stream,
        lastOfSubject: current?.sequence ?? 0,
        earlier: place.earlier,
        more: { [KEY_HEADER]: encodeURIComponent(change.key), [KIND_HEADER]: change.kind },
      })
      place.sent()
      const published = await publishing
      const base = current?.sequence ?? 0
      let sequence = published.status === 'stored' ? published.sequence : undefined
      if (sequence === undefined) {
        const beating = await this.firstAfter(subject, base)
        if (beating === undefined) {
          this.seen.delete(change.key) // what this process saw may have been removed by hand
          await again(`what refused a change of state key '${change.key}' cannot be seen`)
          continue
        }
        if (beating.change.call === call) sequence = beating.sequence
      }
      if (sequence !== undefined) {
        const stored = { sequence, change: draft }
        this.see(change.key, stored)
        this.changes.add(subject, { id: change.id, sequence }, base)
        return { status: 'changed', stored, replayed: false }
      }
      current = await this.newestOf(change.key)
    }
  }

  /** What was swapped in on the change at the sequence: perhaps this call's own value, whose answer was lost. */
  private async firstAfter(subject: string, sequence: number): Promise<Stored | undefined> {
    const next = await this.store.link.findNext(this.name.stream, subject, sequence + 1)
    return next === undefined ? undefined : this.decode(next)
  }

  private async wonBefore(
    change: Change,
    current: Stored | undefined,
  ): Promise<Stored | undefined> {
    const { id, key, kind } = change
    if (id === undefined || current === undefined) return undefined
    const won = current.change.id === id ? current : await this.olderWith(id, key, current)
    if (won !== undefined && won.change.kind !== kind) {
      throw misused(change, won.change.kind === 'deleted' ? 'a deletion' : 'a swap')
    }
    return won
  }

  private async olderWith(id: string, key: string, current: Stored): Promise<Stored | undefined> {
    if (current.change.version === 1) return undefined
    const { stream } = this.name
    const request = { subject: this.subjectOf(key), id, newest: current.sequence }
    const sequence = await this.changes.find(stream, request)
    if (sequence === undefined) return undefined
    const entry = await this.store.link.findAt(stream, sequence)
    return entry === undefined ? undefined : this.decode(entry)
  }

  private draftOf(change: Change, current: Stored | undefined, call: string) {
    const { id, key, kind, by, cause, json } = change
    const version = (current?.change.version ?? 0) + 1
    const head = { key, version, id, call, by, cause, at: this.store.options.now() }
    const data = encodeRecord({ kind, ...head }, 'value', json)
    const draft: Stored['change'] =
      kind === 'set' ? { kind, ...head, value: parseJson(json) } : { kind, ...head, value: null }
    return { data, draft }
  }

  /** Deleted ones too; from the stream's leader. */
  private async newestOf(key: string): Promise<Stored | undefined> {
    const { link } = this.store
    const entry = await orNothing(
      codes.noStream,
      link.findLast(this.name.stream, this.subjectOf(key)),
    )
    if (entry === undefined) {
      this.seen.delete(key)
      return undefined
    }
    return this.see(key, this.decode(entry))
  }

  private see(key: string, newest: Stored): Stored {
    const oldest = this.seen.keys().next()
    if (this.seen.size >= REMEMBERED && oldest.done !== true) this.seen.delete(oldest.value)
    this.seen.set(key, newest)
    return newest
  }

  private async records(
    keys: readonly { readonly key: string; readonly sequence: number }[],
  ): Promise<readonly StateRecord[]> {
    const found = await Promise.all(
      keys.map(async ({ key, sequence }) => {
        const entry = await this.store.link.findAt(this.name.stream, sequence)
        return entry === undefined ? this.newestOf(key) : this.decode(entry)
      }),
    )
    return found.flatMap((each) => (each === undefined ? [] : (recordOf(each) ?? [])))
  }

  /** Undefined while the workspace has no state. */
  private async freshIndex(): Promise<KeyIndex | undefined> {
    const info = await this.store.places.find(this.name)
    if (info === undefined) return undefined
    if (this.index?.hasFailed !== false)
      this.index = new KeyIndex(this.store.link, this.name.stream)
    await this.index.upTo(info.state.last_seq)
    return this.index
  }

  private async opened(): Promise<void> {
    await this.store.places.openStates(this.name, this.store.options.historyLimit)
  }

  private subjectOf(key: string): string {
    return `${this.name.root}.${digestOf(key)}`
  }

  private decode(entry: Entry): Stored {
    return { sequence: entry.sequence, change: decodeEntry(storedChange, this.name.stream, entry) }
  }
}

function fits({ expectedVersion, kind }: Change, current: Stored | undefined): boolean {
  const live = current?.change.kind === 'set' ? current.change.version : 0
  return live === expectedVersion && !(kind === 'deleted' && live === 0)
}

function conflictOf(current: Stored | undefined) {
  return {
    status: 'conflict',
    current: current === undefined ? undefined : recordOf(current),
  } as const
}

/** Undefined for a deletion. */
function recordOf({ change }: Stored): StateRecord | undefined {
  if (change.kind === 'deleted') return undefined
  const { key, version, value, by, cause, at } = change
  return {
    key,
    version,
    value: copyJson(value),
    by,
    ...(cause === undefined ? {} : { cause }),
    updatedAt: at,
  }
}

function stateChangeOf({ sequence, change }: Stored): StateChange {
  const { key, version, by, cause, at } = change
  const common = {
    sequence,
    key,
    version,
    by,
    ...(cause === undefined ? {} : { cause }),
    changedAt: at,
  }
  if (change.kind === 'deleted') return { kind: 'deleted', ...common }
  return { kind: 'set', ...common, value: change.value }
}

function misused({ id = '', key }: Pick<Swap, 'id' | 'key'>, was: string): MeshError {
  return new MeshError('invalid-argument', `change '${id}' of state key '${key}' was ${was}`, {
    detail: { key, id },
  })
}

function ignore(): void {}
