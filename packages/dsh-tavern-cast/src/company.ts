/** What the processes of one run tell each other beside its beats: who sits, who hosts what, who is called what, what was stopped. */
import { createHash, randomUUID } from 'node:crypto'
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import type { JsonValue } from 'dsh-fabric-protocol'
import { participantId, type ParticipantId, type RunId } from 'dsh-tavern-protocol'
import { z } from 'zod'

export interface CompanyRecord {
  readonly version: number
  readonly value: JsonValue
}

/** `<kind>/<name>`, as in `host/mara`. */
export type CompanyKey = `${'seat' | 'guest' | 'host' | 'profile' | 'cancel'}/${string}`

const seated = z.object({ seat: participantId })

export class Company {
  readonly #workspace: MeshWorkspace
  readonly #prefix: string
  readonly #records = new Map<string, CompanyRecord>()
  /** Own writes on their way: what comes of them is no news. */
  readonly #swapping = new Map<string, Promise<unknown>>()
  /** Versions that whoever watches knows of; what was merely read is still to be told. */
  readonly #told = new Map<string, number>()
  #seats: readonly ParticipantId[] = []

  constructor(workspace: MeshWorkspace, runId: RunId) {
    this.#workspace = workspace
    this.#prefix = `run/${runId}/company/`
  }

  /** Reads what is there. */
  async load(): Promise<void> {
    for (let after: string | undefined; ;) {
      const page = await this.#workspace.states.list(this.#prefix, {
        limit: 500,
        ...(after ? { after } : {}),
      })
      for (const { key, version, value } of page) this.#set(this.#short(key), { version, value })
      after = page.at(-1)?.key
      if (page.length < 500) break
    }
  }

  find(key: CompanyKey): CompanyRecord | undefined {
    return this.#records.get(key)
  }

  /** Names under a kind, with their records. */
  of(
    kind: 'seat' | 'guest' | 'host' | 'profile' | 'cancel',
  ): readonly (readonly [string, CompanyRecord])[] {
    const prefix = `${kind}/`
    return [...this.#records].flatMap(([key, record]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), record] as const] : [],
    )
  }

  /** Everyone who ever sat down in a process of this run. */
  get seats(): readonly ParticipantId[] {
    return this.#seats
  }

  /** Of a seat's record. */
  seatOf(name: string): ParticipantId | undefined {
    const read = seated.safeParse(this.#records.get(`seat/${name}`)?.value)
    return read.success ? read.data.seat : undefined
  }

  /** False when another was quicker: what stands then is known here. */
  async swap(key: CompanyKey, value: JsonValue, by: string): Promise<boolean> {
    const swapping = this.#swap(key, value, by)
    this.#swapping.set(key, swapping)
    return await swapping.finally(() => {
      if (this.#swapping.get(key) === swapping) this.#swapping.delete(key)
    })
  }

  async #swap(key: CompanyKey, value: JsonValue, by: string): Promise<boolean> {
    const swapped = await this.#workspace.states.compareAndSwap({
      key: `${this.#prefix}${key}`,
      expectedVersion: this.#records.get(key)?.version ?? 0,
      value,
      by,
      id: randomUUID(), // made again because its answer was lost, it is the same swap
    })
    if (swapped.status === 'swapped') {
      this.#set(key, swapped.record)
      this.#told.set(key, swapped.record.version)
    } else if (swapped.current) this.#set(key, swapped.current)
    else this.#drop(key)
    return swapped.status === 'swapped'
  }

  /** Writes the record whatever stands there. */
  async put(key: CompanyKey, value: JsonValue, by: string): Promise<void> {
    while (!(await this.swap(key, value, by)));
  }

  async remove(key: CompanyKey, by: string): Promise<void> {
    const known = this.#records.get(key)
    if (!known) return
    await this.#workspace.states.delete({
      key: `${this.#prefix}${key}`,
      expectedVersion: known.version,
      by,
    })
    this.#drop(key)
  }

  /**
   * Says that this process is here, and tells of every change from then on, until aborted. What
   * others wrote before is known when it resolves, and what they stopped is told of.
   */
  async join(
    own: { readonly key: CompanyKey; readonly value: JsonValue; readonly by: string },
    watching: {
      readonly signal: AbortSignal
      readonly changed: (key: string) => void
    },
  ): Promise<{ readonly done: Promise<void> }> {
    await this.put(own.key, own.value, own.by)
    const after = await newestChange(this.#workspace, `${this.#prefix}${own.key}`)
    await this.load()
    for (const [name, { version }] of this.of('cancel')) {
      this.#told.set(`cancel/${name}`, version)
      watching.changed(`cancel/${name}`)
    }
    return { done: this.#watch(after, watching) }
  }

  async #watch(
    after: number,
    { signal, changed }: { readonly signal: AbortSignal; readonly changed: (key: string) => void },
  ): Promise<void> {
    for await (const change of this.#workspace.states.watch(this.#prefix, { after, signal })) {
      const key = this.#short(change.key)
      await this.#swapping.get(key)?.catch(() => {}) // whoever writes is told
      const isOld = change.version < (this.#records.get(key)?.version ?? 0)
      if (isOld || change.version <= (this.#told.get(key) ?? 0)) continue
      this.#told.set(key, change.version)
      if (change.kind === 'deleted') this.#drop(key)
      else this.#set(key, { version: change.version, value: change.value })
      changed(key)
    }
  }

  #set(key: string, { version, value }: CompanyRecord): void {
    this.#records.set(key, { version, value })
    if (key.startsWith('seat/')) this.#readSeats()
  }

  #drop(key: string): void {
    this.#records.delete(key)
  }

  #readSeats(): void {
    this.#seats = this.of('seat').flatMap(([name]) => this.seatOf(name) ?? [])
  }

  #short(key: string): string {
    return key.slice(this.#prefix.length)
  }
}

/** A seat's name may be longer than a key. */
export function seatKey(seat: ParticipantId): CompanyKey {
  return `seat/${createHash('sha256').update(seat).digest('hex').slice(0, 32)}`
}

/** The sequence of the newest change of a key: a watch from there misses nothing since. */
export async function newestChange(workspace: MeshWorkspace, key: string): Promise<number> {
  for (let after = 0; ;) {
    const page = await workspace.states.history(key, { after, limit: 500 })
    after = page.at(-1)?.sequence ?? after
    if (page.length < 500) return after
  }
}
