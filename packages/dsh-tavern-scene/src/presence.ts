/** Which hosts are there: each refreshes a record of its own, and the others judge it by their own clocks. */
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { asJson } from 'dsh-fabric-protocol'
import type { SceneId } from 'dsh-tavern-protocol'
import { z } from 'zod'
import type { HostIdentity } from './host-identity.ts'

const hostRecord = z
  .object({
    name: z.string(),
    leaseMs: z.int().positive(),
    status: z.enum(['here', 'left']),
    /** Roles it wants to host, by scene, also of a run that is to begin. */
    wants: z.record(z.string(), z.array(z.string()).readonly()),
  })
  .readonly()
export type HostRecord = z.infer<typeof hostRecord>

/** `unsure`: seen too shortly to tell whether it refreshes its record. */
export type HostStatus = 'here' | 'away' | 'left' | 'unsure'

export interface SeenHost {
  readonly id: string
  readonly name: string
  readonly status: HostStatus
  readonly wants: HostRecord['wants']
}

interface Sight {
  readonly record: HostRecord
  readonly version: number
  /** Of this process's clock, when the record was first seen as it is. */
  readonly since: number
  readonly hasChanged: boolean
}

export interface PresenceOptions {
  readonly workspace: MeshWorkspace
  readonly self: HostIdentity
  readonly leaseMs: number
  /** Told of a host that came, went, or is no longer refreshed. */
  readonly changed: (host: SeenHost) => void
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number
}

const PREFIX = 'host/'
/** While somebody waits for a verdict, hosts are looked at so often. */
const LOOK_MS = 250

export class Presence {
  readonly self: HostIdentity
  readonly #options: PresenceOptions
  readonly #clock: () => number
  readonly #sights = new Map<string, Sight>()
  readonly #told = new Map<string, HostStatus>()
  readonly #stop = new AbortController()
  #wants: HostRecord['wants'] = {}
  #isHere = false
  #version = 0
  #lookedAt: number | undefined
  #wake: () => void = () => {}
  #running: Promise<void> | undefined

  constructor(options: PresenceOptions) {
    this.self = options.self
    this.#options = options
    this.#clock = options.clock ?? (() => performance.now())
  }

  /** Is there from now on, and looks at the others. */
  async start(): Promise<void> {
    if (this.#isHere) return
    this.#isHere = true
    await this.#beat()
    await this.observe()
  }

  /** Looks at the others; by itself this makes no host. */
  async observe(): Promise<void> {
    await this.look()
    this.#running ??= this.#run()
  }

  /** Says which roles of a scene it wants; others leave them to it when the scene begins. */
  async want(scene: SceneId, roles: readonly string[]): Promise<void> {
    this.#wants = { ...this.#wants, [scene]: roles }
    if (this.#isHere) await this.#beat()
  }

  /** Leaves: the others need not wait for the lease to pass. */
  async stop(): Promise<void> {
    if (this.#stop.signal.aborted) return
    this.#stop.abort()
    this.#wake()
    if (this.#isHere) await this.#beat()
    await this.#running
  }

  /** Every host that was ever here; itself too. */
  get hosts(): readonly SeenHost[] {
    return [...this.#sights.keys()].map((id) => this.#seen(id))
  }

  statusOf(id: string): HostStatus {
    if (id === this.self.id && this.#isHere) return 'here'
    const sight = this.#sights.get(id)
    if (!sight) return 'away'
    const { record, since, hasChanged } = sight
    if (record.status === 'left') return 'left'
    const unchangedMs = (this.#lookedAt ?? since) - since
    if (unchangedMs >= record.leaseMs) return 'away'
    return hasChanged ? 'here' : 'unsure'
  }

  nameOf(id: string): string | undefined {
    if (id === this.self.id && this.#isHere) return this.self.name
    return this.#sights.get(id)?.record.name
  }

  /** Resolves once it can be told of each of them whether it is here: at most their leases long. */
  async known(ids: readonly string[], signal?: AbortSignal): Promise<void> {
    await this.look()
    while (ids.some((id) => this.statusOf(id) === 'unsure')) {
      if (signal?.aborted || this.#stop.signal.aborted) return
      await pause(LOOK_MS, signal)
      await this.look()
    }
  }

  /** Reads every host's record. A record is judged by looks alone: what was not looked at did not stand still. */
  async look(): Promise<void> {
    const before = this.#lookedAt
    const records = await this.#options.workspace.states.list(PREFIX, { limit: 500 })
    const now = this.#clock()
    for (const { key, version, value } of records) {
      const read = hostRecord.safeParse(value)
      if (!read.success) continue // of another build: it is nobody we could move a role to
      const id = key.slice(PREFIX.length)
      const sight = this.#sights.get(id)
      const leaseMs = Math.max(read.data.leaseMs, this.#options.leaseMs)
      const isBlind = before !== undefined && now - before > leaseMs
      if (sight?.version === version && !isBlind) continue
      const hasChanged = sight !== undefined && sight.version !== version
      this.#sights.set(id, { record: read.data, version, since: now, hasChanged })
    }
    this.#lookedAt = now
    this.#tell()
  }

  async #run(): Promise<void> {
    const every = this.#options.leaseMs / 3
    while (!this.#stop.signal.aborted) {
      await this.#sleep(every)
      if (this.#stop.signal.aborted) return
      try {
        if (this.#isHere) await this.#beat()
        await this.look()
      } catch {
        // whoever plays on this store is told of its failure; a look that failed is no look
      }
    }
  }

  /** Once it has left, no sign that was on its way says otherwise. */
  async #beat(): Promise<void> {
    const { workspace, self, leaseMs } = this.#options
    const key = `${PREFIX}${self.id}`
    for (;;) {
      const status = this.#stop.signal.aborted ? 'left' : 'here'
      const value = asJson({ name: self.name, leaseMs, status, wants: this.#wants })
      const swap = { key, expectedVersion: this.#version, value, by: self.id }
      const swapped = await workspace.states.compareAndSwap(swap)
      if (swapped.status === 'swapped') {
        this.#version = swapped.record.version
        return
      }
      this.#version = swapped.current?.version ?? 0
    }
  }

  #tell(): void {
    for (const id of this.#sights.keys()) {
      if (id === this.self.id) continue
      const status = this.statusOf(id)
      const before = this.#told.get(id)
      if (status === before || status === 'unsure') continue
      this.#told.set(id, status)
      // that a host is here is no news to who has just come
      if (before !== undefined || status !== 'here') this.#options.changed(this.#seen(id))
    }
  }

  #seen(id: string): SeenHost {
    const record = this.#sights.get(id)?.record
    const name = this.nameOf(id) ?? id
    return { id, name, status: this.statusOf(id), wants: record?.wants ?? {} }
  }

  async #sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#wake = resolve
    await promise
    clearTimeout(timer)
  }
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal?.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}
