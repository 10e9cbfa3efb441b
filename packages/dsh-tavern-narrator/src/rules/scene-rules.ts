/** The rules of an open scene: after each beat those run that it sets off, one after the other, each once. */
import type { Context } from '@deepseek-ai/cordis'
import type {} from '../events.ts'
import { asJson } from 'dsh-fabric-protocol'
import { findStanding, readWorld, type Run, type RunCast, stand } from 'dsh-tavern-cast'
import { narratorId, type PlacedBeat, type RuleName, type Scene } from 'dsh-tavern-protocol'
import { publishDecision } from './committing.ts'
import { beatCount, type Decision, decision, isIdle, type Ruled } from './decision.ts'
import { PATIENCE } from './limits.ts'
import type { RuleCall } from './program.ts'
import { RuleCursor } from './rule-cursor.ts'
import { RuleRunner } from './rule-runner.ts'
import { dueFor, hasConditions, holding, isRuleBeat, ruleBeatId } from './triggers.ts'

/** What one request leaves to the rules. */
export interface RuleTurn {
  /** Beats that may still be published. */
  room(): number
  /** Runs that may still be made; counted down. */
  runs: number
  /** The host's: nothing more is begun or written. */
  readonly until: AbortSignal
}

export interface SceneRulesOptions {
  readonly ctx: Context
  readonly cast: RunCast
  readonly programs: Readonly<Record<RuleName, string>>
}

/** `waits`: there was no room for it, or the host closes. */
type RunEnd = 'over' | 'waits'

/** Beats read at once. */
const PAGE = 100

export class SceneRules {
  readonly #ctx: Context
  readonly #run: Run
  readonly #runner: RuleRunner
  readonly #cursor: RuleCursor
  /** Failures in a row. */
  readonly #failures = new Map<RuleName, number>()

  constructor(options: SceneRulesOptions) {
    this.#ctx = options.ctx
    this.#run = options.cast.run
    this.#runner = new RuleRunner(options)
    this.#cursor = new RuleCursor(this.#run)
  }

  /** Gets the programs ready, so that the first run need not wait for it. */
  warm(): void {
    this.#runner.warm()
  }

  /** Looks at every beat since it last looked. */
  async look(turn: RuleTurn): Promise<void> {
    const run = this.#run
    await run.caughtUp()
    if ((await this.#resume(turn)) === 'waits') return
    for (;;) {
      const { sequence } = await this.#cursor.get()
      if (sequence >= run.stage.sequence) return
      for (const placed of await run.read(sequence, PAGE)) {
        if ((await this.#lookAt(placed, turn)) === 'waits') return
      }
    }
  }

  /** Runs one by name, whatever sets it off; the ids of what it became. */
  async runNamed(call: RuleCall, turn: RuleTurn): Promise<readonly string[]> {
    return (await this.#runOnce(call, turn))?.beats ?? []
  }

  /** What a beat set off before a process died, or before there was room for it. */
  async #resume(turn: RuleTurn): Promise<RunEnd> {
    const { sequence, due } = await this.#cursor.get()
    if (due.length === 0) return 'over'
    const [placed] = await this.#run.read(sequence - 1, 1)
    return placed ? await this.#runDue(placed, turn) : 'over'
  }

  async #lookAt(placed: PlacedBeat, turn: RuleTurn): Promise<RunEnd> {
    const { scene } = this.#run
    const looked = await this.#cursor.get()
    const { due, counts } = dueFor(scene, looked, placed)
    const next = { ...looked, sequence: placed.sequence, counts, due }
    if (!(await this.#cursor.move(next))) return 'waits'
    return due.length > 0 || mayMatter(scene, placed) ? await this.#runDue(placed, turn) : 'over'
  }

  /** Then, until nothing more becomes true, what has become true by it; each rule at most once for one beat. */
  async #runDue(placed: PlacedBeat, turn: RuleTurn): Promise<RunEnd> {
    const ran = new Set<RuleName>()
    for (;;) {
      const { due, ...looked } = await this.#cursor.get()
      for (const [index, rule] of due.entries()) {
        ran.add(rule)
        const left = due.slice(index)
        if (index > 0 && !(await this.#cursor.move({ ...looked, due: left }))) return 'waits'
        if (this.#isResting(rule)) continue
        if ((await this.#runFor(placed, rule, turn)) === 'waits') return 'waits'
      }
      const held = await this.#holding()
      const isNew = (rule: RuleName) => !looked.held.includes(rule) && !ran.has(rule)
      const next = held.filter(isNew)
      const isSame = due.length === 0 && held.length === looked.held.length && next.length === 0
      if (!isSame && !(await this.#cursor.move({ ...looked, held, due: next }))) return 'waits'
      if (next.length === 0) return 'over'
    }
  }

  async #holding(): Promise<readonly RuleName[]> {
    const { scene } = this.#run
    if (!hasConditions(scene)) return []
    const values = new Map((await readWorld(this.#run)).map(({ key, value }) => [key, value]))
    return holding(scene, (key) => values.get(key))
  }

  async #runFor({ id, beat }: PlacedBeat, rule: RuleName, turn: RuleTurn): Promise<RunEnd> {
    const { kind, author, text } = beat
    const call = { id: ruleBeatId(id, rule), rule, cause: id, seen: { kind, author, text } }
    return (await this.#runOnce(call, turn)) ? 'over' : 'waits'
  }

  /** Undefined when it cannot be now. Of several narrators, and of several attempts, the first decision stands. */
  async #runOnce(
    call: RuleCall,
    turn: RuleTurn,
  ): Promise<{ readonly beats: readonly string[] } | undefined> {
    const stood = await this.#standing(call.id)
    if (stood) return { beats: await publishDecision(this.#run, call, stood) }
    if (turn.runs === 0 || turn.room() < 1 || turn.until.aborted) return undefined
    turn.runs -= 1
    const ruled = await this.#runner.run(call, turn.until)
    if (turn.until.aborted || beatCount(ruled) > turn.room()) return undefined
    const decided = this.#decided(call.rule, ruled)
    if (isIdle(ruled)) return { beats: [] }
    const written = { id: call.id, value: asJson(decided), by: narratorId }
    const stands = decision.parse(await stand(this.#run, written))
    this.#ctx.emit('rule/decided', { runId: this.#run.id, id: call.id })
    return { beats: await publishDecision(this.#run, call, stands) }
  }

  async #standing(id: string): Promise<Decision | undefined> {
    const value = await findStanding(this.#run, id)
    return value === undefined ? undefined : decision.parse(value)
  }

  #decided(rule: RuleName, ruled: Ruled): Decision {
    if (ruled.status === 'done') {
      this.#failures.delete(rule)
      return ruled
    }
    const count = (this.#failures.get(rule) ?? 0) + 1
    this.#failures.set(rule, count)
    return { ...ruled, rests: count === PATIENCE }
  }

  #isResting(rule: RuleName): boolean {
    return (this.#failures.get(rule) ?? 0) >= PATIENCE
  }
}

/** A beat after which a condition may have become true that was not. */
function mayMatter(scene: Scene, placed: PlacedBeat): boolean {
  if (!hasConditions(scene)) return false
  return !isRuleBeat(placed) || 'changes' in placed.beat
}
