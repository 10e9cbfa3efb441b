/** The cast service: sessions of characters on stage, the runs this process hosts, and who may host. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { castDirectory } from './cast-directory.ts'
import { type Context, Service } from '@deepseek-ai/cordis'
import z from '@deepseek-ai/schemastery'
import type { Card } from 'dsh-tavern-cards'
import type {} from '@deepseek-ai/dsh-agent-default-model'
import type {} from '@deepseek-ai/dsh-session-persistence'
import type { MeshAccess } from 'dsh-fabric-mesh'
import type { CharacterId, Cue, RunId, SceneId } from 'dsh-tavern-protocol'
import { CharacterCards } from './cards.ts'
import { CastError } from './error.ts'
import { host, type Hosting } from './hosting.ts'
import { personaText } from './persona.ts'
import { RunCast, type RunCastOptions } from './run-cast.ts'
import { SessionActors } from './session-actors.ts'
import type { Staging } from './staging.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    cast: Cast
  }
}

export interface Config {
  /** Folder of the tavern in the DSH home: hosting locks, and the cast's working directory. */
  readonly folder: string
}

export class Cast extends Service {
  static inject = [
    'mesh',
    'agents',
    'agentPresets',
    'agentDefaultModel',
    'sessions',
    'sessionPersistence',
  ]
  static Config: z<Config> = z.object({ folder: z.string().required() })

  readonly cards: CharacterCards
  readonly actors: SessionActors
  /** Not `this.ctx`: through a caller's context that is the caller's, and so would be our agents. */
  private readonly own: Context
  private readonly folder: string
  private readonly runs = new Map<RunId, RunCast>()
  /** Scenes that are open here, or being opened. */
  private readonly taken = new Set<SceneId>()
  private readonly places = new Map<SceneId, Extract<Hosting, { status: 'held' }>>()

  constructor(ctx: Context, config: Config) {
    super(ctx, 'cast')
    this.own = ctx
    mkdirSync(config.folder, { recursive: true })
    this.folder = config.folder
    this.cards = new CharacterCards(ctx)
    this.actors = new SessionActors(ctx, castDirectory(this.folder))
    // a session that a client opened holds its scene's place too, until it is gone
    ctx.on('agent/disposed', ({ agent }) => {
      const scene = sceneOfSession(agent.id)
      if (scene !== undefined) queueMicrotask(() => this.releaseUnused(scene))
    })
    ctx.on('mesh/access', ({ sessionId }) => this.meshAccess(sessionId))
    ctx.effect(
      () => async () => {
        await Promise.all([...this.runs.values()].map((run) => run.close()))
        for (const place of this.places.values()) place.release()
        this.places.clear()
      },
      'cast.close',
    )
  }

  /** Becomes the one living host of a scene, or fails with `hosted-elsewhere`, saying who is. */
  take(scene: SceneId): void {
    this.acquire(scene)
    this.taken.add(scene)
  }

  /** Gives the place up, at once or when the last live session of the scene is gone from this process. */
  leave(scene: SceneId): void {
    this.taken.delete(scene)
    this.releaseUnused(scene)
  }

  /** Refuses a session of a scene that another process hosts; sessions that are not ours pass. */
  requireHost(sessionId: string): void {
    const scene = sceneOfSession(sessionId)
    if (scene !== undefined) this.acquire(scene)
  }

  private releaseUnused(scene: SceneId): void {
    const isLive = this.own.agents.list().some(({ id }) => sceneOfSession(id) === scene)
    if (isLive || this.taken.has(scene)) return
    this.places.get(scene)?.release()
    this.places.delete(scene)
  }

  private acquire(scene: SceneId): void {
    if (this.places.has(scene)) return
    const place = host(join(this.folder, 'scenes-open', `${scene}.lock`), {
      pid: process.pid,
      startedAt: new Date().toISOString(),
    })
    if (place.status === 'held') {
      this.places.set(scene, place)
      return
    }
    const who = place.host
      ? `process ${place.host.pid} since ${place.host.startedAt}`
      : 'another process'
    throw new CastError('hosted-elsewhere', `'${scene}' is being played by ${who}`, {
      detail: { scene, host: place.host },
    })
  }

  /** Puts a run's characters on this process; close it before another may host them. */
  open(options: RunCastOptions): RunCast {
    const run = new RunCast(this.own, this, options)
    this.runs.set(options.run.id, run)
    return run
  }

  close(run: RunCast): void {
    if (this.runs.get(run.run.id) === run) this.runs.delete(run.run.id)
  }

  /** The attempt in progress of a session, for its tools. */
  stagingOf(sessionId: string): Staging | undefined {
    return this.findRun(sessionId)?.stagingOf(sessionId)
  }

  /** The character and cue a request of this session belongs to, for the trace. */
  cueOf(sessionId: string): { readonly character: CharacterId; readonly cue: Cue } | undefined {
    return this.findRun(sessionId)?.cueOf(sessionId)
  }

  /** Of the mesh a session of ours reaches what its run lets its character see; others are not ours to say. */
  private meshAccess(sessionId: string): MeshAccess | undefined {
    if (!sessionId.startsWith(SESSION_PREFIX)) return undefined
    const reach = this.findRun(sessionId)?.reachOf(sessionId)
    if (reach) return { kind: 'restricted', reach }
    return { kind: 'refused', reason: 'only a character of a scene that is open reaches a mesh' }
  }

  /** The system prompt of a session: as its run has it, or the card alone outside any run. */
  personaFor(sessionId: string | undefined, card: Card): string {
    const own =
      sessionId === undefined ? undefined : this.findRun(sessionId)?.personaOf(sessionId, card)
    return own ?? personaText({ card, user: 'User', language: 'en', secrets: [] })
  }

  /** The model an actor uses unless its scene, or the person, says otherwise. */
  get defaultModel(): { readonly provider: string; readonly model: string } {
    const { provider, model } = this.own.agentDefaultModel.currentSelection()
    return { provider, model }
  }

  private findRun(sessionId: string): RunCast | undefined {
    const runId = runOfSession(sessionId)
    return runId === undefined ? undefined : this.runs.get(runId)
  }
}

export default Cast

const SESSION_PREFIX = 'tavern.'

/** A character's session in a run: `tavern.<scene>.<count>.<character>`. */
export function sessionIdOf(runId: RunId, actor: string): string {
  return `${SESSION_PREFIX}${runId}.${actor}`
}

/** The run of a session of ours, undefined for others. */
export function runOfSession(sessionId: string): RunId | undefined {
  return /^tavern\.([a-z0-9-]+\.[1-9][0-9]*)\.[a-z0-9-]+$/.exec(sessionId)?.[1]
}

function sceneOfSession(sessionId: string): SceneId | undefined {
  const runId = runOfSession(sessionId)
  return runId?.slice(0, runId.lastIndexOf('.'))
}
