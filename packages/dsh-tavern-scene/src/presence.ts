/** Which hosts are there for which scene: who holds a home's place in a scene refreshes their record, and the others judge it by their own clocks. */
import { randomUUID } from 'node:crypto'
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { asJson } from 'dsh-fabric-protocol'
import type { SceneId } from 'dsh-tavern-protocol'
import { z } from 'zod'
import type { HostIdentity } from './host-identity.ts'
import { pause } from './pause.ts'

const hostRecord = z
  .object({
    name: z.string(),
    leaseMs: z.int().positive(),
    status: z.enum(['here', 'left']),
    /** Roles of the scene that it wants to host, also in a run that is to begin. */
    wants: z.array(z.string()).readonly(),
  })
  .readonly()
export type HostRecord = z.infer<typeof hostRecord>

/** `unsure`: seen too shortly to tell whether it refreshes its record. */
export type HostStatus = 'here' | 'away' | 'left' | 'unsure'

export interface SeenHost {
  readonly id: string
  readonly scene: SceneId
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

/** What this home says of itself in a scene. */
interface Own {
  readonly wants: HostRecord['wants']
  readonly status: 'silent' | HostRecord['status']
  readonly version: number
}

/** The hosts of one scene. */
export interface SceneHosts {
  readonly self: HostIdentity
  /** Every host that was ever here; itself too. */
  readonly hosts: readonly SeenHost[]
  statusOf(id: string): HostStatus
  look(): Promise<void>
  /** Resolves once it can be told of each of them whether it is here: at most their leases long. */
  known(ids: readonly string[], signal?: AbortSignal): Promise<void>
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

/** While somebody waits for a verdict, hosts are looked at so often. */
const LOOK_MS = 250

export class Presence {
  readonly self: HostIdentity
  readonly #options: PresenceOptions
  readonly #clock: () => number
  /** By key, those of every scene that is looked at. */
  readonly #sights = new Map<string, Sight>()
  readonly #told = new Map<string, HostStatus>()
  readonly #own = new Map<SceneId, Own>()
  readonly #scenes = new Set<SceneId>()
  readonly #stop = new AbortController()
  readonly #lookedAt = new Map<SceneId, number>()
  /** One sign of this home at a time: each needs the version of the one before. */
  #beating: Promise<void> = Promise.resolve()
  #wake: () => void = () => {}
  #running: Promise<void> | undefined

  constructor(options: PresenceOptions) {
    this.self = options.self
    this.#options = options
    this.#clock = options.clock ?? (() => performance.now())
  }

  /** Is there for a scene from now on, and looks at the others. Only for who holds the home's place in it. */
  async start(scene: SceneId): Promise<void> {
    if (this.#isHere(scene)) return
    this.#say(scene, { status: 'here' })
    await this.#beat(scene)
    await this.observe(scene)
  }

  /** Looks at the others; by itself this makes no host. */
  async observe(scene: SceneId): Promise<void> {
    await this.#look(scene)
    this.#running ??= this.#run()
  }

  /** Says which roles of a scene it wants, once it is there; others leave them to it when the scene begins. */
  async want(scene: SceneId, roles: readonly string[]): Promise<void> {
    this.#say(scene, { wants: roles })
    if (this.#isHere(scene)) await this.#beat(scene)
  }

  /** Leaves a scene, unless it wants roles of the scene's next run. */
  async leave(scene: SceneId): Promise<void> {
    const own = this.#own.get(scene)
    if (own && own.wants.length > 0) return
    this.#scenes.delete(scene)
    if (own?.status !== 'here') return
    this.#say(scene, { status: 'left' })
    await this.#beat(scene)
  }

  /** Leaves them all: the others need not wait for the leases to pass. */
  async stop(): Promise<void> {
    if (this.#stop.signal.aborted) return
    this.#stop.abort()
    this.#wake()
    const here = [...this.#own.keys()].filter((scene) => this.#isHere(scene))
    for (const scene of here) this.#say(scene, { status: 'left' })
    await Promise.all(here.map((scene) => this.#beat(scene)))
    await this.#running
  }

  of(scene: SceneId): SceneHosts {
    const hosts = () => this.#hosts(scene)
    return {
      self: this.self,
      get hosts() {
        return hosts()
      },
      statusOf: (id) => this.#statusOf(scene, id),
      look: () => this.#look(scene),
      known: (ids, signal) => this.#known(scene, ids, signal),
    }
  }

  #hosts(scene: SceneId): readonly SeenHost[] {
    const prefix = prefixOf(scene)
    const keys = [...this.#sights.keys()].filter((key) => key.startsWith(prefix))
    return keys.map((key) => this.#seen(scene, key.slice(prefix.length)))
  }

  #statusOf(scene: SceneId, id: string): HostStatus {
    if (id === this.self.id && this.#isHere(scene)) return 'here'
    const sight = this.#sights.get(`${prefixOf(scene)}${id}`)
    if (!sight) return 'away'
    const { record, since, hasChanged } = sight
    if (record.status === 'left') return 'left'
    const unchangedMs = (this.#lookedAt.get(scene) ?? since) - since
    if (unchangedMs >= record.leaseMs) return 'away'
    return hasChanged ? 'here' : 'unsure'
  }

  async #known(scene: SceneId, ids: readonly string[], signal?: AbortSignal): Promise<void> {
    await this.#look(scene)
    while (ids.some((id) => this.#statusOf(scene, id) === 'unsure')) {
      if (signal?.aborted || this.#stop.signal.aborted) return
      await pause(LOOK_MS, signal)
      await this.#look(scene)
    }
  }

  /** Reads every host's record. A record is judged by looks alone: what was not looked at did not stand still. */
  async #look(scene: SceneId): Promise<void> {
    this.#scenes.add(scene)
    const before = this.#lookedAt.get(scene)
    const records = await this.#options.workspace.states.list(prefixOf(scene), { limit: 500 })
    const now = this.#clock()
    for (const { key, version, value } of records) {
      const read = hostRecord.safeParse(value)
      if (!read.success) continue // of another build: it is nobody we could move a role to
      const sight = this.#sights.get(key)
      const leaseMs = Math.max(read.data.leaseMs, this.#options.leaseMs)
      const isBlind = before !== undefined && now - before > leaseMs
      if (sight?.version === version && !isBlind) continue
      const hasChanged = sight !== undefined && sight.version !== version
      this.#sights.set(key, { record: read.data, version, since: now, hasChanged })
    }
    this.#lookedAt.set(scene, now)
    this.#tell(scene)
  }

  async #run(): Promise<void> {
    const every = this.#options.leaseMs / 3
    while (!this.#stop.signal.aborted) {
      await this.#sleep(every)
      if (this.#stop.signal.aborted) return
      // whoever plays on this store is told of its failure; a look that failed is no look
      await Promise.allSettled([...this.#scenes].map((scene) => this.#round(scene)))
    }
  }

  async #round(scene: SceneId): Promise<void> {
    if (this.#isHere(scene)) await this.#beat(scene)
    await this.#look(scene)
  }

  #isHere(scene: SceneId): boolean {
    return this.#own.get(scene)?.status === 'here'
  }

  #say(scene: SceneId, said: Partial<Own>): void {
    const own = this.#own.get(scene) ?? { wants: [], status: 'silent', version: 0 }
    this.#own.set(scene, { ...own, ...said })
  }

  async #beat(scene: SceneId): Promise<void> {
    const beating = this.#beating.then(() => this.#write(scene))
    this.#beating = beating.catch(() => {}) // who asked is told
    await beating
  }

  /**
   * What stands at last is what it says now: once it has left, no sign that was on its way says
   * otherwise. That it has left is not said over another process of this home, which took its place.
   */
  async #write(scene: SceneId): Promise<void> {
    const { workspace, self, leaseMs } = this.#options
    const key = `${prefixOf(scene)}${self.id}`
    for (;;) {
      const own = this.#own.get(scene)
      if (!own || own.status === 'silent') return
      const { wants, status } = own
      const value = asJson({ name: self.name, leaseMs, status, wants })
      const { version: expectedVersion } = own
      const swap = { key, expectedVersion, value, by: self.id, id: randomUUID() }
      const swapped = await workspace.states.compareAndSwap(swap)
      const stands = swapped.status === 'swapped' ? swapped.record : swapped.current
      this.#say(scene, { version: stands?.version ?? 0 })
      if (swapped.status === 'swapped' || status === 'left') return
    }
  }

  #tell(scene: SceneId): void {
    for (const { id } of this.#hosts(scene)) {
      if (id === this.self.id) continue
      const key = `${prefixOf(scene)}${id}`
      const status = this.#statusOf(scene, id)
      const before = this.#told.get(key)
      if (status === before || status === 'unsure') continue
      this.#told.set(key, status)
      // that a host is here is no news to who has just come
      if (before !== undefined || status !== 'here') this.#options.changed(this.#seen(scene, id))
    }
  }

  #seen(scene: SceneId, id: string): SeenHost {
    const record = this.#sights.get(`${prefixOf(scene)}${id}`)?.record
    const isSelf = id === this.self.id && this.#isHere(scene)
    const name = (isSelf ? this.self.name : record?.name) ?? id
    return { id, scene, name, status: this.#statusOf(scene, id), wants: record?.wants ?? [] }
  }

  async #sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#wake = resolve
    await promise
    clearTimeout(timer)
  }
}

function prefixOf(scene: SceneId): string {
  return `host/${scene}/`
}
