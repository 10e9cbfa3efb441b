/** The scenes service: which scenes there are, and the one host of each that is open here. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, Service } from '@deepseek-ai/cordis'
import z from '@deepseek-ai/schemastery'
import type { MeshWorkspace, Worker } from 'dsh-fabric-mesh'
import type {} from '@deepseek-ai/dsh-session-persistence'
import type {} from 'dsh-fabric-code-runtime-quickjs'
import { CastError, newestChange, Run, runOfSession } from 'dsh-tavern-cast'
import type { Limits } from 'dsh-tavern-narrator'
import { narratorId, type Route, type Scene, type SceneId } from 'dsh-tavern-protocol'
import { awaitGreeting, claimFree, withoutWanted } from './claiming.ts'
import { SceneError } from './error.ts'
import { homeHost } from './host-identity.ts'
import { OpenScene } from './open-scene.ts'
import type { Presence, SeenHost } from './presence.ts'
import { speakerNamed } from './request.ts'
import { type Role, Roles, type RolesOptions } from './roles.ts'
import { beginRun, countKey, findRun, type StoredRun } from './runs.ts'
import { begunByHost, takeOverLater } from './seat-beside.ts'
import { SharedMesh } from './shared-mesh.ts'
import { requireRules } from './rule-files.ts'
import { findScene, listScenes, readScene } from './scene-files.ts'
import { stageProvider, StageRoute } from './stage-route.ts'
import { homeWorker } from './worker.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    scenes: Scenes
  }
  interface Events {
    /** Another host came, left, or is no longer heard of. */
    'host/changed'(host: SeenHost): void
    /** The shared mesh does not answer; what is asked of it is asked again until it does. */
    'mesh/waiting'(error: Error): void
    'mesh/back'(): void
    /** The living host of this home's scene has gone, and this process took its place. */
    'scene/taken-over'(payload: { readonly scene: OpenScene }): void
  }
}

export interface Config {
  /** Folders with scenes; an earlier one wins. */
  readonly roots: string[]
  /** Folder of the tavern in the DSH home: holds the worker's secret. */
  readonly folder: string
  /** Other homes play on this mesh too: each role of a run has one host among them. */
  readonly shared?: boolean
  /** The name of this host for people; the machine's when absent. */
  readonly hostName?: string
  /** A host whose record stands still so long is away. */
  readonly leaseMs?: number
}

export interface OpenOptions {
  /** `new` begins again, `resume` fails when nothing was begun, absent does what fits. */
  readonly start?: 'new' | 'resume'
  /** Only for a run that begins: the scene's own when absent. */
  readonly seed?: number
  /** The name the person goes by. */
  readonly persona?: string
  /** A model for everybody. */
  readonly route?: Route
  readonly limits?: Limits
  /** Where another process of this home hosts the scene, sit down beside it instead of failing. */
  readonly attach?: boolean
}

export interface HostOptions {
  readonly roles: readonly Role[]
  readonly route?: Route
}

const DEFAULT_LEASE_MS = 15_000

/** The mesh workspace of every scene in a home. */
const WORKSPACE = 'tavern'

export class Scenes extends Service {
  static inject = ['mesh', 'cast', 'narrators', 'llm', 'sessionPersistence']
  static Config: z<Config> = z.object({
    roots: z.array(z.string()).required(),
    folder: z.string().required(),
    shared: z.boolean().default(false),
    hostName: z.string(),
    leaseMs: z.number().step(1).min(300).default(DEFAULT_LEASE_MS),
  })

  private readonly own: Context
  private readonly config: Config
  private readonly roots: readonly string[]
  private readonly folder: string
  private readonly opened = new Map<SceneId, Promise<OpenScene>>()
  private shared: SharedMesh | undefined

  constructor(ctx: Context, config: Config) {
    super(ctx, 'scenes')
    this.own = ctx
    this.config = config
    this.roots = config.roots
    this.folder = config.folder
    ctx.effect(
      () => ctx.llm.registerAdapter([stageProvider], new StageRoute(ctx)),
      'scenes.stage-route',
    )
    ctx.effect(
      () => async () => {
        await this.leave()
      },
      'scenes.close',
    )
  }

  /** Closes every scene that is open here, and says to other hosts that this one has left. */
  async leave(): Promise<void> {
    const left = this.shared?.leaving()
    const open = await Promise.allSettled(this.opened.values())
    this.opened.clear()
    await Promise.all(
      open.flatMap((scene) => (scene.status === 'fulfilled' ? [scene.value.close()] : [])),
    )
    await (left ?? this.shared?.leaving())?.()
  }

  async list(): Promise<readonly string[]> {
    return await listScenes(this.roots)
  }

  async read(id: SceneId): Promise<Scene> {
    return await readScene(this.roots, id)
  }

  /** Reads a scene with all that it needs to be played: its characters, and its rules. */
  async check(id: SceneId): Promise<Scene> {
    const found = await findScene(this.roots, id)
    await this.requireCharacters(found.path, found.scene)
    await requireRules(this.own.get('checkedCode'), found)
    return found.scene
  }

  /** The newest run of a scene, for reading; undefined when it was never played here. */
  async findRun(id: SceneId): Promise<StoredRun | undefined> {
    return await findRun(this.workspace, id)
  }

  get workspace(): MeshWorkspace {
    return this.config.shared ? this.sharing.workspace : this.own.mesh.workspace(WORKSPACE)
  }

  get isShared(): boolean {
    return this.config.shared ?? false
  }

  /** The hosts of a shared mesh. */
  get presence(): Presence {
    return this.sharing.presence
  }

  /** Made when it is first asked for. */
  private get sharing(): SharedMesh {
    this.shared ??= new SharedMesh({
      workspace: this.own.mesh.workspace(WORKSPACE),
      self: homeHost(this.folder, this.config.hostName),
      leaseMs: this.leaseMs,
      changed: (host) => this.own.emit('host/changed', host),
      waiting: (error) => this.own.emit('mesh/waiting', error),
      back: () => this.own.emit('mesh/back'),
    })
    return this.shared
  }

  private get leaseMs(): number {
    return this.config.leaseMs ?? DEFAULT_LEASE_MS
  }

  /** The scene as it is open here already, or opened now. Fails with `hosted-elsewhere` of the cast. */
  async open(id: SceneId, options: OpenOptions = {}): Promise<OpenScene> {
    const known = this.opened.get(id)
    const opening = known ? this.again(known, id, options) : this.start(id, options)
    this.opened.set(id, opening)
    try {
      return await opening
    } catch (error) {
      if (this.opened.get(id) === opening) this.opened.delete(id)
      throw error
    }
  }

  /** The scene as it is open, unless it is to begin anew, is closing, or its store failed under it. */
  private async again(
    known: Promise<OpenScene>,
    id: SceneId,
    options: OpenOptions,
  ): Promise<OpenScene> {
    const scene = await known.catch(() => undefined)
    if (scene?.isUsable && options.start !== 'new') return scene
    await scene?.close()
    return await this.start(id, options)
  }

  private async start(id: SceneId, options: OpenOptions): Promise<OpenScene> {
    try {
      this.own.cast.take(id)
    } catch (error) {
      const mayAttach = options.attach && options.start !== 'new'
      if (!mayAttach || !(error instanceof CastError) || error.code !== 'hosted-elsewhere') {
        throw error
      }
      return await this.sitBeside(id, options)
    }
    return await this.placed(id, async () => {
      if (this.isShared) await this.presence.start(id)
      const stored = await this.runFor(id, options)
      const scene = await this.prepare(stored, { ...options, sits: 'host' })
      return await this.opening(scene, async () => {
        await scene.join({ shared: this.isShared })
        await this.claimFree(scene)
        await scene.begin()
        await this.awaitGreeting(scene)
      })
    })
  }

  /** The run whose number is above `after`, once it was begun; undefined when aborted first. Fails with `hosted-elsewhere` of the cast. */
  async begun(
    id: SceneId,
    { after = 0, signal }: { readonly after?: number; readonly signal: AbortSignal },
  ): Promise<StoredRun | undefined> {
    // only who has the home's place in the scene says that the home is there
    this.own.cast.take(id)
    const run = await this.nextBegun(id, { after, signal })
    if (!run && !this.opened.has(id)) this.giveUp(id)
    return run
  }

  private async nextBegun(
    id: SceneId,
    { after, signal }: { readonly after: number; readonly signal: AbortSignal },
  ): Promise<StoredRun | undefined> {
    const { workspace } = this
    const isNew = (run: StoredRun | undefined) => run !== undefined && countOf(run) > after
    await this.presence.start(id)
    const cursor = await newestChange(workspace, `host/${id}/${this.presence.self.id}`)
    const known = await findRun(workspace, id)
    if (isNew(known)) return known
    const changes = workspace.states.watch(countKey(id), { after: cursor, signal })
    for await (const { key } of changes) {
      if (key !== countKey(id)) continue
      const run = await findRun(workspace, id)
      if (isNew(run)) return run
    }
    return undefined
  }

  /** Hosts roles of a run that was begun, and no seat; those that another host has stay with it. */
  async hostRoles(stored: StoredRun, { roles, route }: HostOptions): Promise<OpenScene> {
    const { id } = stored.scene
    this.own.cast.take(id)
    return await this.placed(id, async () => {
      const scene = await this.prepare(stored, route ? { route } : {})
      const opening = this.opening(scene, async () => {
        await scene.join({ shared: true })
        const { self } = this.presence
        for (const role of roles) {
          if (role !== narratorId && !scene.roles?.isMine(role)) scene.cast.cardOf(role)
        }
        await scene.roles?.claim(roles, () => self)
      })
      this.opened.set(id, opening)
      return await opening
    })
  }

  /** The roles of a run as they are, for a look and for a move. */
  async rolesOf(stored: StoredRun): Promise<Roles> {
    await this.presence.observe(stored.scene.id)
    const scene = await this.prepare(stored, {})
    const { roles } = scene
    if (!roles) throw new SceneError('unsupported', 'this mesh is not shared')
    await scene.cast.load()
    await roles.known()
    return roles
  }

  /** Gives the place up when what is done with it fails. */
  private async placed(id: SceneId, task: () => Promise<OpenScene>): Promise<OpenScene> {
    try {
      return await task()
    } catch (error) {
      this.giveUp(id)
      throw error
    }
  }

  private giveUp(id: SceneId): void {
    this.own.cast.leave(id)
    // a mesh that is away is not waited for: the lease says it too
    if (this.isShared) this.presence.leave(id).catch(() => {})
  }

  private async opening(scene: OpenScene, task: () => Promise<void>): Promise<OpenScene> {
    try {
      await scene.cast.load()
      await task()
      return scene
    } catch (error) {
      await scene.close()
      throw error
    }
  }

  /** A seat beside the living host of this home; when that one goes, its place is taken. */
  private async sitBeside(id: SceneId, options: OpenOptions): Promise<OpenScene> {
    if (this.isShared) await this.presence.observe(id)
    const stored = await begunByHost(this.workspace, id)
    const scene = await this.prepare(stored, { ...options, sits: 'beside' })
    await this.opening(scene, () => scene.join({ shared: true }))
    takeOverLater(scene, {
      take: () => this.own.cast.take(id),
      takeOver: () => this.takeOver(scene),
    })
    return scene
  }

  private async takeOver(scene: OpenScene): Promise<void> {
    await scene.run.caughtUp()
    if (this.isShared) await this.presence.start(scene.run.scene.id)
    await this.claimFree(scene)
    await scene.begin()
    this.own.emit('scene/taken-over', { scene })
  }

  private async claimFree(scene: OpenScene): Promise<void> {
    const { roles, run } = scene
    if (roles) await claimFree(scene, roles, this.presence.of(run.scene.id))
  }

  private async awaitGreeting(scene: OpenScene): Promise<void> {
    const { roles, run } = scene
    if (!roles) return
    const hosts = this.presence.of(run.scene.id)
    await awaitGreeting(scene, { roles, hosts, withinMs: this.leaseMs })
  }

  private async runFor(id: SceneId, { start, seed, persona }: OpenOptions): Promise<StoredRun> {
    const stored = start === 'new' ? undefined : await findRun(this.workspace, id)
    if (stored) return stored
    if (start === 'resume') {
      await this.read(id)
      throw new SceneError('nothing-to-resume', `scene '${id}' was never played in this home`)
    }
    const found = await findScene(this.roots, id)
    const { path, scene, programs } = found
    await this.requireCharacters(path, await this.ownOf(scene))
    await requireRules(this.own.get('checkedCode'), found)
    const after = await this.newestSession(id)
    return await beginRun(this.workspace, scene, {
      seed: seed ?? scene.seed,
      after,
      programs,
      ...(persona === undefined ? {} : { persona }),
    })
  }

  /** Without those whose cards others have. */
  private async ownOf(scene: Scene): Promise<Scene> {
    if (!this.isShared) return scene
    await this.presence.start(scene.id)
    return await withoutWanted(scene, this.presence.of(scene.id))
  }

  private async requireCharacters(path: string, { cast }: Pick<Scene, 'cast'>): Promise<void> {
    const read = cast.map(({ character }) => this.own.cast.cards.get(character))
    for (const [index, card] of (await Promise.allSettled(read)).entries()) {
      if (card.status === 'fulfilled') continue
      const cause: unknown = card.reason
      const found = cause instanceof Error ? cause.message : String(cause)
      const key = `cast[${index}].character`
      throw new SceneError('unknown-character', `${path}: ${key}: ${found}`, { cause })
    }
  }

  /** Where the mesh was lost and session logs were not, a new run must not find the old ones. */
  private async newestSession(scene: SceneId): Promise<number> {
    const headers = await this.own.sessionPersistence.list()
    const runs = headers
      .map(({ id }) => runOfSession(id))
      .filter((run) => run?.startsWith(`${scene}.`))
    return Math.max(0, ...runs.map((run) => Number(run?.slice(scene.length + 1))))
  }

  /** A provider that is not there, or that is a scene itself, is no actor's. */
  private requireProviders(scene: Scene, route: Route): void {
    const known = this.own.llm.listProviders().map(({ id }) => id)
    const asked = [route, scene.narrator, ...scene.cast].flatMap(({ provider }) => provider ?? [])
    const wrong = asked.find((id) => id === stageProvider || !known.includes(id))
    if (wrong === undefined) return
    const usable = known.filter((id) => id !== stageProvider).join(', ')
    throw new SceneError(
      'unsupported',
      `no provider '${wrong}' for an actor (providers: ${usable})`,
    )
  }

  /** What this home claimed under another name, when its mesh was shared, or was not. */
  private formerWorkers(key: string): readonly Worker[] {
    if (this.isShared) return [homeWorker(key)]
    const wasShared = existsSync(join(this.folder, 'host.id'))
    return wasShared ? [homeWorker(key, homeHost(this.folder).id)] : []
  }

  private rolesWith(parts: Omit<RolesOptions, 'presence'>): Roles {
    return new Roles({ ...parts, presence: this.presence.of(parts.cast.run.scene.id) })
  }

  /** Everything of an open scene, at rest. */
  private async prepare(
    { id, scene, seed, programs, ...begun }: StoredRun,
    options: OpenOptions & { readonly sits?: 'host' | 'beside' },
  ): Promise<OpenScene> {
    const route = options.route ?? {}
    this.requireProviders(scene, route)
    const hostId = this.isShared ? this.presence.self.id : undefined
    const key = join(this.folder, 'worker.key')
    const worker: Worker = homeWorker(key, hostId)
    const formerWorkers = this.formerWorkers(key)
    const { sits } = options
    const persona = options.persona ?? (sits ? undefined : begun.persona) ?? scene.persona.name
    const run = await Run.open({
      ctx: this.own,
      id,
      scene,
      seed,
      workspace: this.workspace,
      ...(sits ? { seat: speakerNamed(persona).id } : {}),
    })
    const { isShared: shared } = this
    const workers = [worker, ...formerWorkers]
    const cast = this.own.cast.open({ run, worker, formerWorkers, shared, persona, route })
    const narrator = this.own.narrators.open({
      cast,
      worker,
      formerWorkers,
      route,
      limits: options.limits ?? {},
      ...(programs ? { programs } : {}),
    })
    return new OpenScene({
      cast,
      narrator,
      ...(shared ? { roles: this.rolesWith({ cast, narrator, workers }) } : {}),
      guest: hostId ?? `${process.pid}`,
      idSuffix: idSuffix(sits, hostId),
      closed: () => this.giveUp(scene.id),
    })
  }
}

export default Scenes

/** What two processes say at once must not have one id; a home's only host need not tell its own apart. */
function idSuffix(sits: 'host' | 'beside' | undefined, hostId: string | undefined): string {
  const parts = [
    hostId?.slice(0, 6),
    sits === 'beside' ? randomBytes(3).toString('hex') : undefined,
  ]
  return parts.flatMap((part) => (part === undefined ? [] : [`.${part}`])).join('')
}

/** The count of a run in its id. */
function countOf({ id }: StoredRun): number {
  return Number(id.slice(id.lastIndexOf('.') + 1))
}
