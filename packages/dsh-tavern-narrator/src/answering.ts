/** One turn request from claim to outcome: plan, grant, cue, wait, record. Doing it again after a crash finds its own traces. */
import type { Context } from '@deepseek-ai/cordis'
import { asJson, assertNever, type EndedMessage } from 'dsh-fabric-protocol'
import { findStanding, type RunCast, stand } from 'dsh-tavern-cast'
import {
  type Cue,
  cue as cueSchema,
  CueId,
  cueOutcome,
  type CueOutcome,
  type Line,
  narratorId,
  type Plan,
  type PlannedActor,
  type RequestOutcome,
  type Route,
} from 'dsh-tavern-protocol'
import { ask, type Decision } from './directing.ts'
import { direct } from './direction.ts'
import { type Limits, refusedBy } from './granting.ts'
import { directionInput, type PlayedRequest } from './members.ts'
import type { Act } from './act.ts'
import { cueFor, lineBeat, plannedActor } from './cueing.ts'
import { publishAct } from './narrating.ts'
import { ruleBeatId } from './rules/triggers.ts'
import type { RuleTurn, SceneRules } from './rules/scene-rules.ts'

/** Directing turns for one request at most; then it is the person's turn whatever the model says. */
const DIRECTING_TURNS = 4
/** After so many answers of no use, the scene is directed without the model. */
const UNUSABLE_ANSWERS = 2

export interface AnsweringOptions {
  readonly ctx: Context
  readonly cast: RunCast
  readonly route: Route
  limits(): Limits
  /** Absent for a scene that has none. */
  readonly rules?: SceneRules | undefined
  readonly ruleTurn: RuleTurn
  /** Claimed before this process started: plans may have been sent already. */
  readonly regained: boolean
  /** The person's: ends the request. */
  readonly signal: AbortSignal
  /** The host's: leaves the request as it is. */
  readonly until: AbortSignal
}

type Ended = Pick<RequestOutcome, 'status' | 'cap'>

export class Answering {
  readonly #options: AnsweringOptions
  readonly #request: PlayedRequest
  readonly #plans: Plan[] = []
  readonly #beats: string[] = []
  readonly #failures: RequestOutcome['failures'][number][] = []
  #index = 0
  #granted = 0
  /** Set once it is over; nothing is granted after. */
  #ended: Ended | undefined
  /** Somebody was to act and has no tokens left. */
  #isSpent = false

  constructor(request: PlayedRequest, options: AnsweringOptions) {
    this.#request = request
    this.#options = options
  }

  async answer(): Promise<RequestOutcome> {
    if (this.#request.kind === 'line') await this.#publishLine(this.#request.line)
    await this.#look()
    if (this.#isDirected()) await this.#directed()
    else await this.#play(await this.#plan())
    const ended = this.#ended ?? this.#outcome()
    return {
      status: ended.status,
      plans: this.#plans,
      beats: this.#beats,
      failures: this.#failures,
      ...(ended.cap ? { cap: ended.cap } : {}),
    }
  }

  #outcome(): Ended {
    if (this.#beats.length > 0) return { status: 'answered' }
    return this.#isSpent ? { status: 'capped', cap: 'character-tokens' } : { status: 'nobody' }
  }

  /** A whisper, and a turn handed over, have chosen their actors already. */
  #isDirected(): boolean {
    if (this.#options.cast.run.scene.direction !== 'directed') return false
    if (this.#request.kind === 'line') return this.#request.line.audience.kind === 'everyone'
    return this.#request.kind === 'auto'
  }

  /** What happened since sets off the rules of the scene, before anybody acts on it. */
  async #look(): Promise<void> {
    const { rules, ruleTurn } = this.#options
    if (rules && !this.#isStopped()) await rules.look(ruleTurn)
  }

  /** The submitter publishes it too; the same id is one beat. */
  async #publishLine(line: Line): Promise<void> {
    await this.#options.cast.run.publish(line.id, lineBeat(line))
  }

  async #plan(fallbackFrom?: 'directed'): Promise<Plan> {
    const sent = await this.#sentPlan()
    if (sent) return sent
    const plan = direct(directionInput(this.#options.cast, this.#request))
    return fallbackFrom ? { ...plan, fallbackFrom } : plan
  }

  /** The plan whose first cue a dead process had sent. */
  async #sentPlan(): Promise<Plan | undefined> {
    return (await this.#sentCue())?.plan
  }

  /** The cue of this index that a dead process had sent, or was about to, to whomever. */
  async #sentCue(): Promise<Cue | undefined> {
    if (!this.#options.regained) return undefined
    const { run, isShared } = this.#options.cast
    const id = CueId(this.#request.id, this.#index)
    const standing = isShared ? await findStanding(run, standingId(id)) : undefined
    if (standing !== undefined) return cueSchema.parse(standing)
    for (const { character } of run.scene.cast) {
      const message = await run.workspace.mailboxes.findMessage(run.mailboxOf(character), id)
      if (message) return cueSchema.parse(message.payload)
    }
    return undefined
  }

  /** Where two narrators may have the request in hand, both send what the quicker one decided. */
  async #newCue(actor: PlannedActor, plan: Plan | undefined): Promise<Cue> {
    const { run, isShared } = this.#options.cast
    const cue = cueFor({ run, request: this.#request, index: this.#index, actor, plan })
    if (!isShared) return cue
    const standing = { id: standingId(cue.id), value: asJson(cue), by: narratorId }
    return cueSchema.parse(await stand(run, standing))
  }

  async #play(plan: Plan): Promise<void> {
    this.#plans.push(plan)
    const first = this.#index
    for (const actor of plan.actors) {
      if (this.#ended) return
      // an actor that is passed over sends no cue, so the plan rides on the first one sent
      await this.#cue(actor, this.#index === first ? plan : undefined)
    }
  }

  /** The narrator's own session decides, turn by turn, until it ends the request. */
  async #directed(): Promise<void> {
    let unusable = 0
    for (let turn = 0; turn < DIRECTING_TURNS && !this.#ended; turn += 1) {
      if (this.#refused()) return
      const decision = await this.#ask(turn, unusable > 0)
      if (decision.status === 'cancelled') {
        this.#ended = { status: 'cancelled' }
        return
      }
      if (decision.status === 'decided') {
        if (await this.#act(turn, decision)) return
        continue
      }
      unusable += 1
      const { code, message } = decision
      this.#failures.push({ cueId: this.#turnId(turn), character: 'narrator', code, message })
      if (unusable >= UNUSABLE_ANSWERS) return await this.#play(await this.#plan('directed'))
    }
  }

  #turnId(turn: number): string {
    return `${this.#request.id}!${turn}`
  }

  async #ask(turn: number, again: boolean): Promise<Decision> {
    const { ctx, cast, route, signal } = this.#options
    return await ask(ctx, cast, {
      turnId: this.#turnId(turn),
      request: this.#request,
      left: cast.run.scene.caps.beatsPerLine - this.#granted,
      again,
      route,
      signal,
    })
  }

  /** True once the narrator ended the request. */
  async #act(
    turn: number,
    { acts, spoken }: Extract<Decision, { status: 'decided' }>,
  ): Promise<boolean> {
    const actors = acts.flatMap(plannedActor)
    if (
      actors.length === acts.length ||
      acts.every(({ kind }) => kind === 'cue' || kind === 'end')
    ) {
      await this.#options.cast.run.spend('narrator', this.#turnId(turn), spoken.usage)
    }
    this.#plans.push({ direction: 'directed', actors, draws: [] })
    let unpriced: typeof spoken | undefined = spoken
    for (const [index, act] of acts.entries()) {
      if (this.#ended || act.kind === 'end') return true
      const id = `${this.#turnId(turn)}/${index}`
      if (act.kind === 'cue') {
        for (const actor of plannedActor(act)) await this.#cue(actor)
      } else if (act.kind === 'rule') {
        if (!this.#refused()) await this.#runRule(act, id)
      } else if (!this.#refused()) {
        this.#granted += 1
        const { run } = this.#options.cast
        const spent = unpriced ? { spoken: unpriced } : {}
        await publishAct(run, act, { id, cause: this.#request.id, ...spent })
        this.#beats.push(id)
        unpriced = undefined
        await this.#look()
      }
    }
    return false
  }

  async #runRule({ rule, note }: Extract<Act, { kind: 'rule' }>, actId: string): Promise<void> {
    const { rules, ruleTurn, cast } = this.#options
    if (!rules) return
    this.#granted += 1
    const author = { id: narratorId, name: cast.nameOf(narratorId) }
    const seen = { kind: 'asked', author, text: note }
    const call = { id: ruleBeatId(actId, rule), rule, cause: this.#request.id, seen }
    this.#beats.push(...(await rules.runNamed(call, ruleTurn)))
    await this.#look()
  }

  async #cue(actor: PlannedActor, plan?: Plan): Promise<void> {
    const { ctx, cast } = this.#options
    const { run } = cast
    const decided = await this.#sentCue()
    if (!decided && (this.#refused(actor) || !run.stage.onStage.includes(actor.character))) return
    const cue = decided ?? (await this.#newCue(actor, plan))
    const mailbox = run.mailboxOf(cue.character)
    if (!(await run.workspace.mailboxes.findMessage(mailbox, cue.id))) {
      if (this.#isStopped()) return
      await run.workspace.mailboxes.send(mailbox, {
        id: cue.id,
        payload: asJson(cue),
        by: narratorId,
        cause: this.#request.id,
      })
      ctx.emit('cue/queued', { cue })
    }
    this.#index += 1
    const settled = await run.workspace.mailboxes.whenSettled(mailbox, cue.id, this.#options.until)
    await run.caughtUp()
    if (!settled) {
      this.#ended = { status: 'cancelled' }
      return
    }
    this.#record(cue, settled)
    await this.#look()
  }

  #isStopped(): boolean {
    if (this.#options.signal.aborted) this.#ended ??= { status: 'cancelled' }
    return this.#ended !== undefined
  }

  /** Ends the request when a cap, or the person, stands in the way of one more turn. */
  #refused(actor?: PlannedActor): boolean {
    if (this.#isStopped()) return true
    const { cast } = this.#options
    const cap = refusedBy({
      scene: cast.run.scene,
      stage: cast.run.stage,
      limits: this.#options.limits(),
      kind: this.#request.kind,
      granted: this.#granted,
      ...(actor ? { actor: actor.character } : {}),
    })
    // one character's spent budget silences that character, not the scene
    if (cap === 'character-tokens') this.#isSpent = true
    else if (cap) this.#ended = { status: 'capped', cap }
    return cap !== undefined
  }

  #record(cue: Cue, settled: EndedMessage): void {
    const outcome = outcomeOf(settled)
    switch (outcome.status) {
      case 'spoken':
      case 'silent':
        this.#beats.push(...outcome.beats)
        this.#granted += Math.max(1, outcome.beats.length)
        return
      case 'failed': {
        const { code, message } = outcome
        this.#failures.push({ cueId: cue.id, character: cue.character, code, message })
        this.#granted += 1
        return
      }
      case 'cancelled':
        this.#ended = { status: 'cancelled' }
        return
      default:
        assertNever(outcome)
    }
  }
}

/** Beside what stands for the cue itself: its performance. */
function standingId(cueId: string): string {
  return `${cueId}/cue`
}

/** A cue that nobody could be made to answer counts as failed. */
function outcomeOf(ended: EndedMessage): CueOutcome {
  switch (ended.status) {
    case 'completed':
      return cueOutcome.parse(ended.result)
    case 'failed':
      return cueOutcome.parse(JSON.parse(ended.error))
    case 'dead':
      return { status: 'failed', code: 'GIVEN_UP', message: ended.reason }
    default:
      return assertNever(ended)
  }
}
