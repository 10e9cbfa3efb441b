/** A run's resident narrator: it claims turn requests from its mailbox, has them answered, and settles them. */
import type { Context } from '@deepseek-ai/cordis'
import type { Claim } from 'dsh-fabric-mesh'
import { asJson } from 'dsh-fabric-protocol'
import type { Run, RunCast } from 'dsh-tavern-cast'
import { turnRequest } from 'dsh-tavern-protocol'
import { Answering, type AnsweringOptions } from './answering.ts'
import type {} from './events.ts'
import type { Limits } from './granting.ts'
import type { NarratorOptions } from './narrators.ts'
import { narratorPrompt } from './prompt.ts'

export class Narrator {
  readonly cast: RunCast
  readonly #ctx: Context
  readonly #options: NarratorOptions
  readonly #closed: () => void
  readonly #stop = new AbortController()
  #limits: Limits
  #answering: AbortController | undefined
  #done: Promise<void> = Promise.resolve()

  /** `closed` is told once it answers no more. */
  constructor(ctx: Context, options: NarratorOptions, closed: () => void) {
    this.#ctx = ctx
    this.#options = options
    this.#closed = closed
    this.#limits = options.limits
    this.cast = options.cast
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
    this.#done = this.#answerAll().catch((error: unknown) => {
      if (!this.#stop.signal.aborted)
        this.#ctx.emit('narrator/failed', { runId: this.run.id, error })
    })
  }

  /** Stops granting cues for the request in hand, and what is being performed. */
  cancel(): void {
    this.#answering?.abort()
    this.cast.cancel()
  }

  /** What it had claimed stays claimed, for the next host of this run. */
  async close(): Promise<void> {
    this.#stop.abort()
    this.#answering?.abort()
    await this.cast.close()
    await this.#done
    this.#closed()
  }

  prompt(): string {
    return narratorPrompt(this.cast)
  }

  async #answerAll(): Promise<void> {
    const { mailboxes } = this.run.workspace
    const { worker } = this.#options
    const box = this.run.narratorMailbox
    const until = AbortSignal.any([this.#stop.signal, this.cast.broken])
    for (const claim of await mailboxes.claimsOf(box, worker)) {
      await this.#answer(claim, { regained: true, until })
    }
    while (!until.aborted) {
      const claim = await mailboxes.claimNext(box, worker, until)
      if (claim) await this.#answer(claim, { regained: false, until })
    }
    if (!this.#stop.signal.aborted) throw this.cast.broken.reason
  }

  async #answer(
    claim: Claim,
    { regained, until }: Pick<AnsweringOptions, 'regained' | 'until'>,
  ): Promise<void> {
    const answering = new AbortController()
    this.#answering = answering
    const request = turnRequest.parse(claim.message.payload)
    const outcome = await new Answering(request, {
      ctx: this.#ctx,
      cast: this.cast,
      route: this.#options.route,
      limits: () => this.#limits,
      regained,
      signal: answering.signal,
      until,
    }).answer()
    this.#answering = undefined
    if (until.aborted) return
    await this.run.workspace.mailboxes.settle(this.run.narratorMailbox, claim.message.id, {
      token: claim.token,
      outcome: { status: 'completed', result: asJson(outcome) },
    })
    this.#ctx.emit('request/settled', { runId: this.run.id, requestId: request.id, outcome })
  }
}
