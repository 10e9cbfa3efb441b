/** The characters of one run on this process: each claims its cues, performs them, and makes them beats. */
import type { Context } from '@deepseek-ai/cordis'
import { type Claim, MeshError, type MeshReach, type Worker } from 'dsh-fabric-mesh'
import { asJson } from 'dsh-fabric-protocol'
import type { Card } from 'dsh-tavern-cards'
import {
  type CastMember,
  type CharacterId,
  characterOf,
  type Cue,
  type CueOutcome,
  cue as cueSchema,
  narratorId,
  type ParticipantId,
  type RequestOutcome,
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
import { expandFor, personaText } from './persona.ts'
import { type Profile, profile as profileSchema, profileOf, unknownProfile } from './profile.ts'
import type { Run } from './run.ts'
import type { SessionActor } from './session-actor.ts'
import { boardIdentity, publicMesh } from './public-mesh.ts'
import { Staging } from './staging.ts'
import { findStanding, standingPerformance } from './standing.ts'

export interface RunCastOptions {
  readonly run: Run
  readonly worker: Worker
  /** Other names under which this home may hold claims of an earlier opening. */
  readonly formerWorkers?: readonly Worker[]
  /** Other machines may host characters of this run. */
  readonly shared?: boolean
  /** Name of the person in the seat, for `{{user}}`. */
  readonly persona: string
  /** A model for everybody, before the scene's own. */
  readonly route: Route
}

interface Attempting {
  readonly cue: Cue
  readonly staging: Staging
}

interface Hosted {
  /** Aborted when this process is no longer the character's host: what it claimed is left as it is. */
  readonly stop: AbortController
  readonly done: Promise<void>
}

/** Failed cues of this process that are remembered: whoever waits for their request was told. */
const TOLD = 200

export class RunCast {
  readonly run: Run
  readonly #ctx: Context
  readonly #cast: Cast
  readonly #options: RunCastOptions
  readonly #hosted = new Map<CharacterId, Hosted>()
  readonly #attempts = new Map<string, Attempting>()
  readonly #cards = new Map<CharacterId, Card>()
  readonly #reaches = new Map<CharacterId, MeshReach>()
  /** Requests that were stopped: nothing more is performed for them. */
  readonly #cancelled = new Set<string>()
  /** What is being performed now, by the request it answers. */
  readonly #performing = new Map<string, AbortController>()
  readonly #told = new Set<string>()
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

  /** Others may host some of the cast, or come to host what is hosted here. */
  get isShared(): boolean {
    return this.#options.shared ?? false
  }

  /** Names by character id, of all the scene's cast. */
  get names(): ReadonlyMap<CharacterId, string> {
    const ids = this.run.scene.cast.map(({ character }) => character)
    return new Map(ids.map((id) => [id, this.profileOf(id).name]))
  }

  /** The name people read for anyone in the scene. */
  nameOf(participant: ParticipantId): string {
    if (participant === narratorId) return narratorName[this.run.scene.language]
    const character = characterOf(participant)
    return character === undefined ? seatName(participant) : this.profileOf(character).name
  }

  /** What is known here of a character: as its host has it, else by its card. */
  profileOf(character: CharacterId): Profile {
    const record = this.run.company.find(`profile/${character}`)
    const told = record && profileSchema.safeParse(record.value)
    if (told?.success) return told.data
    const card = this.#cards.get(character)
    return card ? profileOf(card) : unknownProfile(character)
  }

  /** Only who hosts a character need have its card. Fails with `unknown-character`. */
  cardOf(character: CharacterId): Card {
    const card = this.#cards.get(character)
    if (!card)
      throw new CastError(
        'unknown-character',
        `the card of '${character}' in '${this.run.scene.id}' is not here`,
      )
    return card
  }

  hasCard(character: CharacterId): boolean {
    return this.#cards.has(character)
  }

  /** Reads every card of the cast; fails naming the first that cannot be read, unless others may have it. */
  async load(): Promise<void> {
    const members = this.run.scene.cast
    const cards = await Promise.all(
      members.map(async ({ character }) => {
        const reading = this.#cast.cards.get(character)
        return this.isShared ? await reading.catch(unlessAbsent) : await reading
      }),
    )
    for (const [index, { character }] of members.entries()) {
      const card = cards[index]
      if (card) this.#cards.set(character, card)
    }
  }

  /** Looks for a card that was not here when the run was opened. */
  async findCard(character: CharacterId): Promise<void> {
    if (this.#cards.has(character)) return
    const card = await this.#cast.cards.get(character).catch(unlessAbsent)
    if (card) this.#cards.set(character, card)
  }

  /** Tells the others how a character of this process is called. */
  async publishProfile(character: CharacterId): Promise<void> {
    const { about, ...called } = profileOf(this.cardOf(character))
    // nobody but a narrator that directs reads what the card says of it
    const own = { ...called, about: this.run.scene.direction === 'directed' ? about : '' }
    const told = this.run.company.find(`profile/${character}`)
    if (JSON.stringify(told?.value) === JSON.stringify(own)) return
    await this.run.company.put(`profile/${character}`, asJson(own), this.#options.worker.id)
  }

  /** Opens a character's session; it is on this process until closed. */
  async enter(character: CharacterId): Promise<SessionActor> {
    if (this.#closing) throw new CastError('closed', `'${this.run.id}' is closed`)
    if (this.isShared) this.cardOf(character) // it may have been moved here without its card
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

  /** The opening words of the character that greets, '' when the scene has none, or their card is elsewhere. */
  greeting(): string {
    const { greeting } = this.run.scene
    if (greeting === undefined || !this.hasCard(greeting)) return ''
    const card = this.cardOf(greeting)
    return expandFor(card, this.persona, card.firstMessage)
  }

  /** Starts answering this character's mailbox; first what it had claimed when a process died. */
  host(character: CharacterId): void {
    if (this.#hosted.has(character) || this.#closing) return
    const stop = new AbortController()
    const done = this.#answerAll(character, stop.signal).catch((error: unknown) => {
      this.fail(error)
    })
    this.#hosted.set(character, { stop, done })
  }

  /** Stops answering it: another process does. What is being performed is cut off, and its claim left as it is. */
  async unhost(character: CharacterId): Promise<void> {
    const hosted = this.#hosted.get(character)
    if (!hosted) return
    hosted.stop.abort()
    await hosted.done
    this.#hosted.delete(character)
    await this.#cast.actors.close(sessionIdOf(this.run.id, character))
  }

  isHosted(character: CharacterId): boolean {
    return this.#hosted.has(character)
  }

  /** Stops what is being performed for this request, or was cued and is not yet; it leaves no beat. */
  cancel(requestId: string): void {
    this.#cancelled.add(requestId)
    this.#performing.get(requestId)?.abort()
  }

  /** Tells of cues that failed in other processes: those of this one were told of when they did. */
  tellFailures(failures: RequestOutcome['failures']): void {
    for (const failure of failures) {
      if (this.#told.has(failure.cueId)) continue
      if (this.member(failure.character)) {
        this.#ctx.emit('cue/failed', { runId: this.run.id, failure })
      }
    }
  }

  /** Nothing more is answered here until the run is opened again; `reason` is what failed. */
  fail(reason: unknown): void {
    this.#broken.abort(reason)
  }

  /** What was being performed is cut off and stays claimed, for the next host. */
  async close(): Promise<void> {
    this.#closing = true
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

  async #answerAll(character: CharacterId, stop: AbortSignal): Promise<void> {
    const { mailboxes } = this.run.workspace
    const mailbox = this.run.mailboxOf(character)
    const { worker, formerWorkers = [] } = this.#options
    for (const one of [worker, ...formerWorkers]) {
      for (const claim of await mailboxes.claimsOf(mailbox, one)) {
        await this.#answer(mailbox, claim, stop)
      }
    }
    while (!stop.aborted) {
      const claim = await mailboxes.claimNext(mailbox, worker, stop)
      if (claim) await this.#answer(mailbox, claim, stop)
    }
  }

  async #answer(mailbox: string, claim: Claim, stop: AbortSignal): Promise<void> {
    if (stop.aborted) return
    const cue = cueSchema.parse(claim.message.payload)
    this.#ctx.emit('cue/claimed', { cue })
    const { outcome, beats } =
      (await this.#settledElsewhere(cue, claim)) ?? (await this.#perform(cue, stop))
    if (outcome.status === 'cancelled' && stop.aborted) return
    await Promise.all(beats.map(([id, beat]) => this.run.publish(id, beat)))
    if (!(await this.#settle(mailbox, claim, { cue, outcome }))) return
    this.#ctx.emit('cue/settled', { cue, outcome })
  }

  /** False when the claim is no longer ours: another has the cue, and what stands of it stays. */
  async #settle(
    mailbox: string,
    { message, token }: Claim,
    { cue, outcome }: { readonly cue: Cue; readonly outcome: CueOutcome },
  ): Promise<boolean> {
    const settling = this.run.workspace.mailboxes.settle(mailbox, message.id, {
      token,
      outcome:
        outcome.status === 'failed' || outcome.status === 'cancelled'
          ? { status: 'failed', error: JSON.stringify(outcome) }
          : { status: 'completed', result: asJson(outcome) },
    })
    this.#ctx.emit('cue/settling', { cue })
    try {
      await settling
    } catch (error) {
      if (!isLost(error)) throw error
      this.#ctx.emit('cue/lost', { cue })
      return false
    }
    if (outcome.status === 'failed') this.#tell(cue.id)
    return true
  }

  /**
   * A cue that was claimed before, by whomever: what was written down for it is what it comes to, or
   * the beat it became. Undefined when it left nothing.
   */
  async #settledElsewhere(cue: Cue, { message }: Claim): Promise<Committed | undefined> {
    if (message.attempts < 2) return undefined
    const standing = await findStanding(this.run, cue.id)
    if (standing !== undefined) {
      return await commitPerformance(this, cue, standingPerformance(this.run, cue.id, standing))
    }
    if (!(await this.run.find(cue.id))) return undefined
    return { outcome: { status: 'spoken', beats: [cue.id] }, beats: [] }
  }

  async #perform(cue: Cue, stop: AbortSignal): Promise<Committed> {
    const sessionId = sessionIdOf(this.run.id, cue.character)
    const staging = new Staging(this.run, cue.character)
    const cancel = new AbortController()
    if (this.#cancelled.has(cue.requestId)) cancel.abort()
    this.#attempts.set(sessionId, { cue, staging })
    this.#performing.set(cue.requestId, cancel)
    try {
      const actor = await this.enter(cue.character)
      await this.run.caughtUp()
      const signal = AbortSignal.any([stop, cancel.signal])
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
      if (this.#performing.get(cue.requestId) === cancel) this.#performing.delete(cue.requestId)
    }
  }

  #tell(cueId: string): void {
    this.#told.add(cueId)
    for (const oldest of this.#told) {
      if (this.#told.size <= TOLD) return
      this.#told.delete(oldest)
    }
  }
}

/** Its host has the card. */
function unlessAbsent(error: unknown): undefined {
  if (error instanceof CastError && error.code === 'unknown-character') return undefined
  throw error
}

function isLost(error: unknown): boolean {
  return error instanceof MeshError && (error.code === 'claim-lost' || error.code === 'not-claimed')
}
