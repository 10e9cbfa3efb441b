/** The cast service: sessions of characters on stage, the runs this process hosts, and who may host. */
import { join } from 'node:path'
import { type Context, Service } from '@deepseek-ai/cordis'
import z from '@deepseek-ai/schemastery'
import type { Card } from 'dsh-tavern-cards'
import type {} from '@deepseek-ai/dsh-agent-default-model'
import type {} from '@deepseek-ai/dsh-session-persistence'
import type {} from 'dsh-fabric-mesh'
import type { CharacterId, Cue, RunId } from 'dsh-tavern-protocol'
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
  private readonly places = new Map<RunId, Extract<Hosting, { status: 'held' }>>()

  constructor(ctx: Context, config: Config) {
    super(ctx, 'cast')
    this.own = ctx
    this.folder = config.folder
    this.cards = new CharacterCards(ctx)
    this.actors = new SessionActors(ctx, config.folder)
    ctx.effect(
      () => async () => {
        await Promise.all([...this.runs.values()].map((run) => run.close()))
        for (const place of this.places.values()) place.release()
        this.places.clear()
      },
      'cast.close',
    )
  }

  /** Becomes the one living host of a run, or fails with `hosted-elsewhere`, saying who is. */
  take(runId: RunId): void {
    if (this.places.has(runId)) return
    const place = host(join(this.folder, 'runs', `${runId}.lock`), {
      pid: process.pid,
      startedAt: new Date().toISOString(),
    })
    if (place.status === 'held') {
      this.places.set(runId, place)
      return
    }
    const who = place.host
      ? `process ${place.host.pid} since ${place.host.startedAt}`
      : 'another process'
    throw new CastError('hosted-elsewhere', `'${runId}' is being played by ${who}`, {
      detail: { runId, host: place.host },
    })
  }

  leave(runId: RunId): void {
    this.places.get(runId)?.release()
    this.places.delete(runId)
  }

  /** Refuses a session of a run that another process hosts; sessions that are not ours pass. */
  requireHost(sessionId: string): void {
    const owner = runOfSession(sessionId)
    if (owner !== undefined) this.take(owner)
  }

  /** Puts a run's characters on this process; close it before another may host them. */
  open(options: RunCastOptions): RunCast {
    const run = new RunCast(this.own, this, options)
    this.runs.set(options.run.id, run)
    return run
  }

  close(runId: RunId): void {
    this.runs.delete(runId)
  }

  /** The attempt in progress of a session, for its tools. */
  stagingOf(sessionId: string): Staging | undefined {
    return this.findRun(sessionId)?.stagingOf(sessionId)
  }

  /** The character and cue a request of this session belongs to, for the trace. */
  cueOf(sessionId: string): { readonly character: CharacterId; readonly cue: Cue } | undefined {
    return this.findRun(sessionId)?.cueOf(sessionId)
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

/** A character's session in a run: `tavern.<scene>.<count>.<character>`. */
export function sessionIdOf(runId: RunId, actor: string): string {
  return `tavern.${runId}.${actor}`
}

/** The run of a session of ours, undefined for others. */
export function runOfSession(sessionId: string): RunId | undefined {
  return /^tavern\.([a-z0-9-]+\.[1-9][0-9]*)\.[a-z0-9-]+$/.exec(sessionId)?.[1]
}
