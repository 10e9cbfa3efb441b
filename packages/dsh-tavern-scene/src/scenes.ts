/** The scenes service: which scenes there are, and the one host of each that is open here. */
import { join } from 'node:path'
import { type Context, Service } from '@deepseek-ai/cordis'
import z from '@deepseek-ai/schemastery'
import { type MeshWorkspace, type Worker, workerKey } from 'dsh-fabric-mesh'
import type {} from '@deepseek-ai/dsh-session-persistence'
import { Run, runOfSession } from 'dsh-tavern-cast'
import type { Limits } from 'dsh-tavern-narrator'
import type { Route, Scene, SceneId } from 'dsh-tavern-protocol'
import { SceneError } from './error.ts'
import { OpenScene } from './open-scene.ts'
import { speakerNamed } from './request.ts'
import { beginRun, findRun, type StoredRun } from './runs.ts'
import { findScene, listScenes, readScene } from './scene-files.ts'
import { stageProvider, StageRoute } from './stage-route.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    scenes: Scenes
  }
}

export interface Config {
  /** Folders with scenes; an earlier one wins. */
  readonly roots: string[]
  /** Folder of the tavern in the DSH home: holds the worker's secret. */
  readonly folder: string
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
}

/** The mesh workspace of every scene in a home. */
const WORKSPACE = 'tavern'

export class Scenes extends Service {
  static inject = ['mesh', 'cast', 'narrators', 'llm', 'sessionPersistence']
  static Config: z<Config> = z.object({
    roots: z.array(z.string()).required(),
    folder: z.string().required(),
  })

  private readonly own: Context
  private readonly roots: readonly string[]
  private readonly folder: string
  private readonly opened = new Map<SceneId, Promise<OpenScene>>()

  constructor(ctx: Context, config: Config) {
    super(ctx, 'scenes')
    this.own = ctx
    this.roots = config.roots
    this.folder = config.folder
    ctx.effect(
      () => ctx.llm.registerAdapter([stageProvider], new StageRoute(ctx)),
      'scenes.stage-route',
    )
    ctx.effect(
      () => async () => {
        const opening = [...this.opened.values()]
        const open = await Promise.allSettled(opening)
        await Promise.all(
          open.flatMap((scene) => (scene.status === 'fulfilled' ? [scene.value.close()] : [])),
        )
      },
      'scenes.close',
    )
  }

  async list(): Promise<readonly string[]> {
    return await listScenes(this.roots)
  }

  async read(id: SceneId): Promise<Scene> {
    return await readScene(this.roots, id)
  }

  /** The newest run of a scene, for reading; undefined when it was never played here. */
  async findRun(id: SceneId): Promise<StoredRun | undefined> {
    return await findRun(this.workspace, id)
  }

  get workspace(): MeshWorkspace {
    return this.own.mesh.workspace(WORKSPACE)
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
    this.own.cast.take(id)
    try {
      return await this.host(await this.runFor(id, options), options)
    } catch (error) {
      this.own.cast.leave(id)
      throw error
    }
  }

  private async runFor(id: SceneId, { start, seed }: OpenOptions): Promise<StoredRun> {
    const stored = start === 'new' ? undefined : await findRun(this.workspace, id)
    if (stored) return stored
    if (start === 'resume') {
      await this.read(id)
      throw new SceneError('nothing-to-resume', `scene '${id}' was never played in this home`)
    }
    const { path, scene } = await findScene(this.roots, id)
    await this.requireCharacters(path, scene)
    const after = await this.newestSession(id)
    return await beginRun(this.workspace, scene, { seed: seed ?? scene.seed, after })
  }

  private async requireCharacters(path: string, { cast }: Scene): Promise<void> {
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

  private async host({ id, scene, seed }: StoredRun, options: OpenOptions): Promise<OpenScene> {
    const persona = options.persona ?? scene.persona.name
    const worker: Worker = { id: 'tavern', secret: workerKey(join(this.folder, 'worker.key')) }
    const route = options.route ?? {}
    this.requireProviders(scene, route)
    const run = await Run.open({
      ctx: this.own,
      id,
      scene,
      seed,
      workspace: this.workspace,
      seat: speakerNamed(persona).id,
    })
    const cast = this.own.cast.open({ run, worker, persona, route })
    const narrator = this.own.narrators.open({ cast, worker, route, limits: options.limits ?? {} })
    const open = new OpenScene({
      cast,
      narrator,
      closed: () => this.own.cast.leave(scene.id),
    })
    try {
      await cast.load()
      await open.begin()
      return open
    } catch (error) {
      await open.close()
      throw error
    }
  }
}

export default Scenes
