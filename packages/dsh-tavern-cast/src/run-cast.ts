/** The characters of one run on this process: each claims its cues, performs them, and makes them beats. */
import type { Context } from '@deepseek-ai/cordis'
import type { Claim, MeshReach, Worker } from 'dsh-fabric-mesh'
import { asJson } from 'dsh-fabric-protocol'
import type { Card } from 'dsh-tavern-cards'
import {
  type CastMember,
  type CharacterId,
  characterOf,
  type Cue,
  cue as cueSchema,
  narratorId,
  type ParticipantId,
  type Route,
  seatName,
} from 'dsh-tavern-protocol'
import type { Cast } from './cast.ts'
import { sessionIdOf } from './cast.ts'
import { type Committed, commitPerformance } from './commit.ts'
import { CastError, storeFailed } from './error.ts'
import type {} from './events.ts'
import { failureOf } from './failure.ts'
import { guidance, narratorName } from './guidance.ts'
import { greetingSeed } from './greeting.ts'
import { performanceOf } from './performing.ts'
import { displayName, expandFor, personaText } from './persona.ts'
import type { Run } from './run.ts'
import type { SessionActor } from './session-actor.ts'
import { boardIdentity, publicMesh } from './public-mesh.ts'
import { Staging } from './staging.ts'

export interface RunCastOptions {
  readonly run: Run
  readonly worker: Worker
  /** Name of the person in the seat, for `{{user}}`. */
  readonly persona: string
  /** A model for everybody, before the scene's own. */
  readonly route: Route
}

interface Attempting {
  readonly cue: Cue
  readonly staging: Staging
}

export class RunCast {
  readonly run: Run
  readonly #ctx: Context
  readonly #cast: Cast
  readonly #options: RunCastOptions
  readonly #hosted = new Map<
    CharacterId,
    { readonly stop: AbortController; readonly done: Promise<void> }
  >()
  readonly #attempts = new Map<string, Attempting>()
  readonly #cards = new Map<CharacterId, Card>()
  readonly #reaches = new Map<CharacterId, MeshReach>()
  /** Aborts what is being performed now; replaced after each cancel. */
  #running = new AbortController()
  readonly #broken = new AbortController()
  #closing = false

  constructor(ctx: Context, cast: Cast, options: RunCastOptions) {
    this.#ctx = ctx
    this.#cast = cast
    this.run = options.run
    this.#options = options
  }

  /** Aborted, with the reason, when the store failed under a claim: the claim waits for a restart. */
  get broken(): AbortSignal {
    return this.#broken.signal
  }

  get persona(): string {
    return this.#options.persona
  }

  /** Names by character id, of all the scene's cast. */
  get names(): ReadonlyMap<CharacterId, string> {
    return new Map([...this.#cards].map(([id, card]) => [id, displayName(card)]))
  }

  /** The name people read for anyone in the scene. */
  nameOf(participant: ParticipantId): string {
    if (participant === narratorId) return narratorName[this.run.scene.language]
    const character = characterOf(participant)
    if (character === undefined) return seatName(participant)
    const card = this.#cards.get(character)
    return card ? displayName(card) : character
  }

  cardOf(character: CharacterId): Card {
    const card = this.#cards.get(character)
    if (!card)
      throw new CastError('unknown-character', `'${character}' is not in '${this.run.scene.id}'`)
    return card
  }

  /** Reads every card of the cast; fails naming the first that cannot be read. */
  async load(): Promise<void> {
    const members = this.run.scene.cast
    const cards = await Promise.all(members.map(({ character }) => this.#cast.cards.get(character)))
    for (const [index, { character }] of members.entries()) {
      const card = cards[index]
      if (card) this.#cards.set(character, card)
    }
  }

  /** Opens a character's session; it is on this process until closed. */
  async enter(character: CharacterId): Promise<SessionActor> {
    if (this.#closing) throw new CastError('closed', `'${this.run.id}' is closed`)
    const { provider, model } = this.routeOf(character)
    const { run } = this
    return await this.#cast.actors.open({
      sessionId: sessionIdOf(run.id, character),
      preset: character,
      provider,
      model,
      note: guidance[run.scene.language].cutOff,
      ...(run.scene.greeting === character
        ? {
            seed: () =>
              greetingSeed(sessionIdOf(run.id, character), this.greeting(), { provider, model }),
          }
        : {}),
    })
  }

  /** The opening words of the character that greets, '' when the scene has none. */
  greeting(): string {
    const { greeting } = this.run.scene
    if (greeting === undefined) return ''
    const card = this.cardOf(greeting)
    return expandFor(card, this.persona, card.firstMessage)
  }

  /** Starts answering this character's mailbox; first what it had claimed when a process died. */
  host(character: CharacterId): void {
    if (this.#hosted.has(character)) return
    const stop = new AbortController()
    const done = this.#answerAll(character, stop.signal).catch((error: unknown) => {
      this.fail(error)
    })
    this.#hosted.set(character, { stop, done })
  }

  /** Stops what is being performed, or was cued and is not yet; it leaves no beat. Holds until renewed. */
  cancel(): void {
    this.#running.abort()
  }

  /** A new request: what was cancelled before is of the past. */
  renew(): void {
    if (!this.#closing && this.#running.signal.aborted) this.#running = new AbortController()
  }

  /** Nothing more is answered here until the run is opened again; `reason` is what failed. */
  fail(reason: unknown): void {
    this.#broken.abort(reason)
  }

  /** What was being performed is cut off and stays claimed, for the next host. */
  async close(): Promise<void> {
    this.#closing = true
    this.#running.abort()
    for (const { stop } of this.#hosted.values()) stop.abort()
    await Promise.all([...this.#hosted.values()].map(({ done }) => done))
    this.#hosted.clear()
    const ids = this.run.scene.cast.map(({ character }) => sessionIdOf(this.run.id, character))
    await Promise.all(
      [...ids, sessionIdOf(this.run.id, 'narrator')].map((id) => this.#cast.actors.close(id)),
    )
    this.#cast.close(this)
  }

  stagingOf(sessionId: string): Staging | undefined {
    return this.#attempts.get(sessionId)?.staging
  }

  cueOf(sessionId: string): { readonly character: CharacterId; readonly cue: Cue } | undefined {
    const cue = this.#attempts.get(sessionId)?.cue
    return cue && { character: cue.character, cue }
  }

  /** What a character's session reaches of the mesh; undefined for any other session. */
  reachOf(sessionId: string): MeshReach | undefined {
    const member = this.run.scene.cast.find(
      ({ character }) => sessionIdOf(this.run.id, character) === sessionId,
    )
    if (!member) return undefined
    const { character } = member
    const reach = this.#reaches.get(character) ?? this.#publicMesh(character)
    this.#reaches.set(character, reach)
    return reach
  }

  #publicMesh(character: CharacterId): MeshReach {
    const { run } = this
    const board = this.#ctx.mesh.workspace(boardIdentity(run.id))
    return publicMesh({ run, character, board })
  }

  personaOf(sessionId: string, card: Card): string {
    const member = this.run.scene.cast.find(
      ({ character }) => sessionIdOf(this.run.id, character) === sessionId,
    )
    return personaText({
      card,
      user: this.persona,
      language: this.run.scene.language,
      secrets: member?.secrets ?? [],
    })
  }

  member(character: CharacterId): CastMember | undefined {
    return this.run.scene.cast.find((member) => member.character === character)
  }

  /** The person's choice for this cue, then for all, then the scene's for this character, then the host's. */
  routeOf(
    character: CharacterId,
    cued?: Route,
  ): { readonly provider: string; readonly model: string } {
    const member = this.member(character)
    const all = this.#options.route
    const base = this.#cast.defaultModel
    return {
      provider: cued?.provider ?? all.provider ?? member?.provider ?? base.provider,
      model: cued?.model ?? all.model ?? member?.model ?? base.model,
    }
  }

  async #answerAll(character: CharacterId, signal: AbortSignal): Promise<void> {
    const { mailboxes } = this.run.workspace
    const mailbox = this.run.mailboxOf(character)
    const { worker } = this.#options
    for (const claim of await mailboxes.claimsOf(mailbox, worker))
      await this.#answer(mailbox, claim)
    while (!signal.aborted) {
      const claim = await mailboxes.claimNext(mailbox, worker, signal)
      if (claim) await this.#answer(mailbox, claim)
    }
  }

  async #answer(mailbox: string, claim: Claim): Promise<void> {
    const cue = cueSchema.parse(claim.message.payload)
    const { signal } = this.#running
    this.#ctx.emit('cue/claimed', { cue })
    const { outcome, beats } = await this.#perform(cue, signal)
    if (outcome.status === 'cancelled' && this.#closing) return
    await Promise.all(beats.map(([id, beat]) => this.run.publish(id, beat)))
    const settled = this.run.workspace.mailboxes.settle(mailbox, claim.message.id, {
      token: claim.token,
      outcome:
        outcome.status === 'failed' || outcome.status === 'cancelled'
          ? { status: 'failed', error: JSON.stringify(outcome) }
          : { status: 'completed', result: asJson(outcome) },
    })
    this.#ctx.emit('cue/settling', { cue })
    await settled
    this.#ctx.emit('cue/settled', { cue, outcome })
  }

  async #perform(cue: Cue, signal: AbortSignal): Promise<Committed> {
    const sessionId = sessionIdOf(this.run.id, cue.character)
    const staging = new Staging(this.run, cue.character)
    this.#attempts.set(sessionId, { cue, staging })
    try {
      const actor = await this.enter(cue.character)
      const answer = await performanceOf(this.#ctx, this, { cue, actor, signal })
      if (answer.status === 'failed' || answer.status === 'cancelled') {
        return { outcome: answer, beats: [] }
      }
      this.#ctx.emit('performance/finished', { runId: this.run.id, cueId: cue.id })
      return await commitPerformance(this, cue, answer)
    } catch (error) {
      if (storeFailed(error)) throw error
      return { outcome: failureOf(error), beats: [] }
    } finally {
      this.#attempts.delete(sessionId)
    }
  }
}
