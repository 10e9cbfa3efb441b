/** A run's resident narrator: it claims turn requests from its mailbox, has them answered, and settles them. */
import type { Context } from '@deepseek-ai/cordis'
import { type Claim, MeshError } from 'dsh-fabric-mesh'
import { asJson } from 'dsh-fabric-protocol'
import { failureOf, type Run, type RunCast, sessionIdOf, storeFailed } from 'dsh-tavern-cast'
import { type RequestOutcome, type TurnRequest, turnRequest } from 'dsh-tavern-protocol'
import { Answering, type AnsweringOptions } from './answering.ts'
import type {} from './events.ts'
import { type Limits, roomFor } from './granting.ts'
import type { NarratorOptions } from './narrators.ts'
import { narratorPrompt } from './prompt.ts'
import { runAsked } from './rules/asked-rule.ts'
import { RUNS_PER_REQUEST } from './rules/limits.ts'
import { type RuleTurn, SceneRules } from './rules/scene-rules.ts'

export class Narrator {
  readonly cast: RunCast
  readonly #ctx: Context
  readonly #options: NarratorOptions
  readonly #closed: () => void
  /** Replaced when it starts again. */
  #stop = new AbortController()
  #isRunning = false
  #limits: Limits
  readonly #rules: SceneRules | undefined
  #inHand: { readonly requestId: string; readonly cancel: AbortController } | undefined
  /** Requests that were stopped before their turn came. */
  readonly #cancelled = new Set<string>()
  #done: Promise<void> = Promise.resolve()

  /** `closed` is told once it answers no more. */
  constructor(ctx: Context, options: NarratorOptions, closed: () => void) {
    this.#ctx = ctx
    this.#options = options
    this.#closed = closed
    this.#limits = options.limits
    this.cast = options.cast
    const { cast, programs } = options
    // a scene without rules starts nothing for them
    const hasRules = Object.keys(cast.run.scene.rules).length > 0
    this.#rules = hasRules ? new SceneRules({ ctx, cast, programs: programs ?? {} }) : undefined
  }

  get run(): Run {
    return this.cast.run
  }

  /** Caps of this sitting, beside the scene's own; they hold from the next grant on. */
  limit(limits: Limits): void {
    this.#limits = limits
  }

  /** Begins to answer; first what it had claimed when a process died. */
  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    if (this.#stop.signal.aborted) this.#stop = new AbortController()
    this.#rules?.warm()
    const { signal } = this.#stop
    this.#done = this.#answerAll(signal).catch((error: unknown) => {
      if (signal.aborted) return
      this.cast.fail(error)
      this.#ctx.emit('narrator/failed', { runId: this.run.id, error })
    })
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Answers no more: another process does. What it had claimed is left as it is. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#inHand?.cancel.abort()
    await this.#done
    this.#isRunning = false
    await this.#ctx.cast.actors.close(sessionIdOf(this.run.id, 'narrator'))
  }

  /** Stops these requests, whether in hand or still queued: no more cues, and no beat of the one being performed. */
  cancel(requestIds: Iterable<string>): void {
    for (const id of requestIds) {
      if (id !== this.#inHand?.requestId) this.#cancelled.add(id)
      else {
        this.#inHand.cancel.abort()
        this.cast.cancel(id)
      }
    }
  }

  /** What it had claimed stays claimed, for the next host of this run. */
  async close(): Promise<void> {
    this.#stop.abort()
    this.#inHand?.cancel.abort()
    await this.cast.close()
    await this.#done
    this.#isRunning = false
    this.#closed()
  }

  prompt(): string {
    return narratorPrompt(this.cast)
  }

  async #answerAll(stop: AbortSignal): Promise<void> {
    const { mailboxes } = this.run.workspace
    const { worker, formerWorkers = [] } = this.#options
    const box = this.run.narratorMailbox
    const until = AbortSignal.any([stop, this.cast.broken])
    for (const one of [worker, ...formerWorkers]) {
      for (const claim of await mailboxes.claimsOf(box, one)) {
        await this.#answer(claim, { regained: true, until })
      }
    }
    while (!until.aborted) {
      const claim = await mailboxes.claimNext(box, worker, until)
      if (claim) await this.#answer(claim, { regained: claim.message.attempts > 1, until })
    }
    if (!stop.aborted) throw this.cast.broken.reason
  }

  async #answer(
    claim: Claim,
    { regained, until }: Pick<AnsweringOptions, 'regained' | 'until'>,
  ): Promise<void> {
    if (until.aborted) return
    const requestId = claim.message.id
    const cancel = new AbortController()
    if (this.#cancelled.delete(requestId)) cancel.abort()
    this.#inHand = { requestId, cancel }
    await this.run.caughtUp()
    const outcome = await this.#outcome(claim, { regained, until, signal: cancel.signal })
    this.#inHand = undefined
    if (until.aborted) return
    if (!(await this.#settle(claim, outcome))) return
    this.#ctx.emit('request/settled', { runId: this.run.id, requestId, outcome })
  }

  /** False when the claim is no longer ours: another narrator has the request. */
  async #settle({ message, token }: Claim, outcome: RequestOutcome): Promise<boolean> {
    const { mailboxes } = this.run.workspace
    try {
      await mailboxes.settle(this.run.narratorMailbox, message.id, {
        token,
        outcome: { status: 'completed', result: asJson(outcome) },
      })
      return true
    } catch (error) {
      if (!(error instanceof MeshError)) throw error
      if (error.code !== 'claim-lost' && error.code !== 'not-claimed') throw error
      return false
    }
  }

  /** A request that cannot be answered is settled as such; only a fault of the store leaves it claimed. */
  async #outcome(
    { message }: Claim,
    options: Pick<AnsweringOptions, 'regained' | 'until' | 'signal'>,
  ): Promise<RequestOutcome> {
    try {
      const request = turnRequest.parse(message.payload)
      const { cast } = this
      const turn = this.#ruleTurn(request.kind, options.until)
      if (request.kind === 'rule') return await runAsked(cast, this.#rules, { request, turn })
      return await new Answering(request, {
        ctx: this.#ctx,
        cast,
        route: this.#options.route,
        limits: () => this.#limits,
        rules: this.#rules,
        ruleTurn: turn,
        ...options,
      }).answer()
    } catch (error) {
      if (storeFailed(error)) throw error
      const { code, message: found } = failureOf(error)
      const failure = { cueId: message.id, character: 'narrator', code, message: found }
      return { status: 'nobody', plans: [], beats: [], failures: [failure] }
    }
  }

  #ruleTurn(kind: TurnRequest['kind'], until: AbortSignal): RuleTurn {
    const { scene } = this.run
    const room = () => roomFor({ scene, stage: this.run.stage, limits: this.#limits, kind })
    return { room, runs: RUNS_PER_REQUEST, until }
  }
}
