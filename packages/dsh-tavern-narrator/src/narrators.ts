/** The narrators of the runs that this process hosts. */
import { type Context, Service } from '@deepseek-ai/cordis'
import type { Worker } from 'dsh-fabric-mesh'
import { type RunCast, runOfSession } from 'dsh-tavern-cast'
import type { Route, RuleName, RunId } from 'dsh-tavern-protocol'
import type { Limits } from './granting.ts'
import { Narrator } from './narrator.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    narrators: Narrators
  }
}

export interface NarratorOptions {
  readonly cast: RunCast
  readonly worker: Worker
  /** Other names under which this home may hold claims of an earlier opening. */
  readonly formerWorkers?: readonly Worker[]
  readonly route: Route
  readonly limits: Limits
  /** Texts of the scene's rules, by name. */
  readonly programs?: Readonly<Record<RuleName, string>>
}

export class Narrators extends Service {
  static inject = ['cast', 'mesh']
  private readonly own: Context
  private readonly running = new Map<RunId, Narrator>()

  constructor(ctx: Context) {
    super(ctx, 'narrators')
    this.own = ctx
    ctx.effect(
      () => async () => {
        await Promise.all([...this.running.values()].map((narrator) => narrator.close()))
      },
      'narrators.close',
    )
  }

  /** A resident narrator for this run; it answers its mailbox until closed. */
  open(options: NarratorOptions): Narrator {
    const { id } = options.cast.run
    const narrator = new Narrator(this.own, options, () => this.running.delete(id))
    this.running.set(id, narrator)
    return narrator
  }

  find(sessionId: string): Narrator | undefined {
    const runId = runOfSession(sessionId)
    return runId === undefined ? undefined : this.running.get(runId)
  }
}

export default Narrators
