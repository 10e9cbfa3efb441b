/** A scene being played on this process: what a seat can do with it. */
import { createHash } from 'node:crypto'
import { asJson } from 'dsh-fabric-protocol'
import { expandMacros } from 'dsh-tavern-macros'
import {
  createWorld,
  type KnownVariable,
  placedBeat,
  readWorld,
  type Run,
  type RunCast,
  type UnheardBeat,
} from 'dsh-tavern-cast'
import { lineBeat, type Limits, type Narrator } from 'dsh-tavern-narrator'
import {
  type CharacterId,
  characterParticipant,
  everyone,
  narratorId,
  type PlacedBeat,
  type RequestOutcome,
  requestOutcome,
  type Route,
  type RuleName,
  type TurnRequest,
} from 'dsh-tavern-protocol'
import { SceneError } from './error.ts'
import {
  autoRequest,
  delegateRequest,
  lineFrom,
  lineRequest,
  ruleRequest,
  speakerNamed,
  type Speaker,
  type SpokenLine,
} from './request.ts'
import type { Role, RoleRecord, Roles } from './roles.ts'
import { sceneWords } from './words.ts'

/** A request on its way: durable already, answered later. */
export interface Submitted {
  readonly requestId: string
  /** Undefined when the scene was closed first; the request then waits for the next host. */
  readonly outcome: Promise<RequestOutcome | undefined>
}

export interface OpenSceneParts {
  readonly cast: RunCast
  readonly narrator: Narrator
  /** Who hosts what, where several hosts may. */
  readonly roles?: Roles
  /** Of this process among those that take part. */
  readonly guest: string
  /** Of the ids of what is said here; '' where nobody else could give the same. */
  readonly idSuffix: string
  readonly closed: () => void
}

export class OpenScene {
  readonly run: Run
  readonly cast: RunCast
  /** Undefined on a mesh of one home's own: whoever holds the home's place hosts everything. */
  readonly roles: Roles | undefined
  readonly #narrator: Narrator
  readonly #parts: OpenSceneParts
  readonly #stop = new AbortController()
  readonly #unanswered = new Set<string>()
  readonly #said = new Set<string>()
  #ordinal = 0
  #isHost = false
  #closing: Promise<void> | undefined

  constructor(parts: OpenSceneParts) {
    this.#parts = parts
    this.#narrator = parts.narrator
    this.cast = parts.cast
    this.run = parts.cast.run
    this.roles = parts.roles
  }

  /** Takes part in the run: others see it, and what they say and do reaches this process. */
  async join({ shared }: { readonly shared: boolean }): Promise<void> {
    const { run, cast } = this
    await run.join({
      guest: this.#parts.guest,
      shared,
      signal: this.#stop.signal,
      changed: (key) => this.#changed(key),
      failed: (error) => cast.fail(error),
    })
    await run.caughtUp()
  }

  /** Raises the curtain: world, opening, sessions, and whatever a dead host left undone. */
  async begin(): Promise<void> {
    const { run, cast } = this
    this.#isHost = true
    if (run.stage.beats === 0) await createWorld(run)
    if (run.stage.beats < 2) await this.#publishOpening()
    const entering = run.stage.onStage
      .filter((character) => this.#isPlayedHere(character))
      .map((character) => cast.enter(character))
    await Promise.allSettled(entering) // none is left opening when one of them fails
    await Promise.all(entering)
    if (this.roles) return await this.roles.keep()
    for (const { character } of run.scene.cast) cast.host(character)
    this.#narrator.start()
  }

  /** Performs the roles that are assigned to this process, once whoever plays has opened the scene; it has no seat. */
  async serve(until: AbortSignal): Promise<void> {
    const { run, cast, roles } = this
    this.#isHost = true
    if (!(await this.#opened(until))) return
    const { greeting } = run.scene
    if (greeting !== undefined && roles?.isMine(greeting)) await this.greet()
    const mine = run.stage.onStage.filter((character) => this.#isPlayedHere(character))
    await Promise.all(mine.map((character) => cast.enter(character)))
    await roles?.keep()
  }

  /** One that was moved here without its card fails its cues, not the scene. */
  #isPlayedHere(character: CharacterId): boolean {
    return this.roles ? this.roles.isMine(character) && this.cast.hasCard(character) : true
  }

  /** False when aborted first. */
  async #opened(until: AbortSignal): Promise<boolean> {
    const { run } = this
    if (run.stage.beats === 0) {
      for await (const { sequence } of this.watch(0, until)) if (sequence > 0) break
      await run.caughtUp()
    }
    return run.stage.beats > 0
  }

  /** This process hosts what is its own; false for a seat beside a living host of the same home. */
  get isHost(): boolean {
    return this.#isHost
  }

  /** Said by this process: whoever typed it has it on the screen. */
  isSaidHere(beatId: string): boolean {
    return this.#said.has(beatId)
  }

  /** Gives a role to another host. */
  async move(role: Role, to: string): Promise<RoleRecord> {
    if (!this.roles) {
      throw new SceneError(
        'unsupported',
        'this scene is played by one home alone: play it with --mesh to have several hosts',
      )
    }
    return await this.roles.move(role, to, this.cast.persona)
  }

  speaker(name?: string): Speaker {
    return speakerNamed(name ?? this.cast.persona)
  }

  /** An id for the next line of a seat that has none of its own: the same again after a crash before it was sent. */
  async nextId(kind: string): Promise<string> {
    const { mailboxes } = this.run.workspace
    const box = this.run.narratorMailbox
    const head = (await mailboxes.find(box))?.headSequence ?? 0
    for (;;) {
      this.#ordinal = Math.max(this.#ordinal, head) + 1
      const id = `${kind}-${this.#ordinal}${this.#parts.idSuffix}`
      if (!(await mailboxes.findMessage(box, id))) return id
    }
  }

  /** Says a line: its beat and its request are durable when this resolves. */
  async submit(author: Speaker, spoken: SpokenLine): Promise<Submitted> {
    for (const character of spoken.to ?? []) this.#requireOnStage(character)
    const line = lineFrom(author, spoken)
    this.#said.add(line.id)
    const [submitted] = await Promise.all([
      this.#send(lineRequest(this.run.id, line)),
      this.run.publish(line.id, lineBeat(line)),
    ])
    return submitted
  }

  /** Hands the next turn to one character, muted or silent too. */
  async delegate(
    by: Speaker,
    request: { readonly actor: CharacterId; readonly route: Route; readonly instruction?: string },
  ): Promise<Submitted> {
    this.#requireOnStage(request.actor)
    const id = await this.nextId('delegate')
    return await this.#send(delegateRequest(this.run.id, { id, by: by.id, ...request }))
  }

  /** Has one of the scene's rules run, whatever sets it off. */
  async runRule(by: Speaker, rule: RuleName, note?: string): Promise<Submitted> {
    const { scene, id: runId } = this.run
    if (!Object.hasOwn(scene.rules, rule)) {
      const known = Object.keys(scene.rules).join(', ') || 'none'
      throw new SceneError(
        'unknown-rule',
        `scene '${scene.id}' has no rule '${rule}' (rules: ${known})`,
      )
    }
    const id = await this.nextId('rule')
    return await this.#send(ruleRequest(runId, { id, rule, by: by.id, ...(note ? { note } : {}) }))
  }

  /** Plays on without a line until so many beats came, nobody acts, or a cap ends it. */
  async auto(beats: number, signal?: AbortSignal): Promise<RequestOutcome['status']> {
    const until = this.run.stage.beats + beats
    let empty = 0
    while (this.run.stage.beats < until) {
      if (signal?.aborted) return 'cancelled'
      const request = autoRequest(this.run.id, await this.nextId('auto'), this.run.stage)
      const outcome = await (await this.#send(request)).outcome
      const status = outcome?.status ?? 'cancelled'
      // a silent turn, or a failed one, is not yet the end of a scene
      empty = status === 'nobody' && hasActors(outcome) ? empty + 1 : 0
      if (status !== 'answered' && (empty === 0 || empty >= EMPTY_TURNS)) return status
    }
    return 'answered'
  }

  async enter(character: CharacterId): Promise<PlacedBeat | undefined> {
    this.#requireInCast(character)
    await this.run.caughtUp()
    if (this.run.stage.onStage.includes(character)) return undefined
    if (this.cast.isHosted(character)) await this.cast.enter(character)
    return await this.#move('entrance', character)
  }

  /** Takes a character off the stage; its session stays, and it perceives nothing until it enters again. */
  async exit(character: CharacterId): Promise<PlacedBeat> {
    this.#requireOnStage(character)
    return await this.#move('exit', character)
  }

  /** Stops these requests, or all that are not answered yet: no more cues, and no beat of the one being performed. */
  cancel(requestIds: Iterable<string> = this.#unanswered): void {
    const ids = [...requestIds]
    this.#narrator.cancel(ids)
    if (this.roles === undefined && this.#isHost) return
    // whoever hosts the narrator, and who performs, hears of it
    for (const id of ids) {
      if (!this.#unanswered.has(id)) continue
      const telling = this.run.company.put(cancelKey(id), id, this.cast.persona)
      telling.catch((error: unknown) => this.cast.fail(error))
    }
  }

  limit(limits: Limits): void {
    this.#narrator.limit(limits)
  }

  /** Resolves once every request so far is settled, those of a dead host too. */
  async idle(): Promise<void> {
    const { mailboxes } = this.run.workspace
    const box = this.run.narratorMailbox
    const head = (await mailboxes.find(box))?.headSequence ?? 0
    const [last] = head > 0 ? await mailboxes.read(box, { after: head - 1, limit: 1 }) : []
    if (last) await mailboxes.whenSettled(box, last.id, this.#until)
    this.cast.broken.throwIfAborted()
  }

  /** Every beat after the cursor, stored or to come, until aborted or closed. */
  async *watch(after: number, signal: AbortSignal): AsyncGenerator<PlacedBeat> {
    const until = AbortSignal.any([signal, this.#until])
    const { topics } = this.run.workspace
    for await (const message of topics.watch(this.run.topicId, { after, signal: until })) {
      yield placedBeat(message)
    }
  }

  async world(): Promise<readonly KnownVariable[]> {
    return await readWorld(this.run)
  }

  /** False once it is closing, or the store failed under it: it must then be opened again. */
  get isUsable(): boolean {
    return this.#closing === undefined && !this.cast.broken.aborted
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish()
    return this.#closing
  }

  async #finish(): Promise<void> {
    this.#stop.abort()
    await this.#narrator.close()
    this.#parts.closed()
  }

  #changed(key: string): void {
    const [kind, name = ''] = key.split('/', 2)
    if (kind === 'host') this.roles?.changed(name).catch((error: unknown) => this.cast.fail(error))
    if (kind !== 'cancel') return
    const record = this.run.company.find(`cancel/${name}`)
    if (typeof record?.value !== 'string') return
    this.#narrator.cancel([record.value])
    this.cast.cancel(record.value)
  }

  get #until(): AbortSignal {
    return AbortSignal.any([this.#stop.signal, this.cast.broken])
  }

  async #send(request: TurnRequest): Promise<Submitted> {
    if (this.#stop.signal.aborted) throw new SceneError('closed', `'${this.run.id}' is closed`)
    const { mailboxes } = this.run.workspace
    const box = this.run.narratorMailbox
    await mailboxes.send(box, {
      id: request.id,
      payload: asJson(request),
      by: byOf(request),
    })
    this.#unanswered.add(request.id)
    const outcome = this.#outcome(request.id)
    const answered = () => this.#unanswered.delete(request.id)
    outcome.then(answered, answered) // whoever asked is told of a failure; nobody need be
    return { requestId: request.id, outcome }
  }

  async #outcome(requestId: string): Promise<RequestOutcome | undefined> {
    const { mailboxes } = this.run.workspace
    const settled = await mailboxes.whenSettled(this.run.narratorMailbox, requestId, this.#until)
    this.cast.broken.throwIfAborted()
    if (settled?.status !== 'completed') return undefined
    const outcome = requestOutcome.parse(settled.result)
    // what it came to is shown before it is told that it is over
    await this.run.caughtUp()
    this.cast.tellFailures(outcome.failures)
    if (this.run.company.find(cancelKey(requestId))) {
      await this.run.company.remove(cancelKey(requestId), this.cast.persona)
    }
    return outcome
  }

  async #publishOpening(): Promise<void> {
    const { run, cast } = this
    const author = { id: narratorId, name: cast.nameOf(narratorId) }
    const common = { audience: everyone, cause: 'opening' }
    await run.publish('opening', { kind: 'narration', author, ...common, text: this.#premise() })
    await this.greet()
  }

  /** The greeting follows the premise, from whoever has its card. */
  async greet(): Promise<void> {
    const { run, cast } = this
    const { greeting } = run.scene
    const text = cast.greeting()
    if (greeting === undefined || text === '' || run.stage.beats !== 1) return
    const author = { id: characterParticipant(greeting), name: cast.profileOf(greeting).name }
    const beat = { kind: 'line' as const, author, audience: everyone, cause: 'opening', text }
    await run.publish('greeting', beat)
  }

  /** It speaks of the person in the seat, and of no one character. */
  #premise(): string {
    return expandMacros(this.run.scene.premise, { char: '{{char}}', user: this.cast.persona })
  }

  async #move(kind: 'entrance' | 'exit', character: CharacterId): Promise<PlacedBeat> {
    const { name } = this.cast.profileOf(character)
    const id = `${kind}-${character}-${this.run.stage.sequence}`
    const beat: UnheardBeat = {
      kind,
      author: { id: characterParticipant(character), name },
      audience: everyone,
      cause: id,
      character,
      text: sceneWords[this.run.scene.language][kind](name),
    }
    return await this.run.publish(id, beat)
  }

  #requireInCast(character: CharacterId): void {
    if (this.cast.member(character)) return
    const cast = this.run.scene.cast.map((member) => member.character).join(', ')
    throw new SceneError(
      'unknown-character',
      `scene '${this.run.scene.id}' has no character '${character}' (cast: ${cast})`,
    )
  }

  #requireOnStage(character: CharacterId): void {
    this.#requireInCast(character)
    const { onStage } = this.run.stage
    if (onStage.includes(character)) return
    throw new SceneError(
      'absent-character',
      `'${character}' is not on stage (on stage: ${onStage.join(', ') || 'nobody'})`,
    )
  }
}

/** An id may be longer than a key. */
function cancelKey(requestId: string): `cancel/${string}` {
  return `cancel/${createHash('sha256').update(requestId).digest('hex').slice(0, 32)}`
}

/** Requests in a row that bring no beat before auto play ends. */
const EMPTY_TURNS = 3

function hasActors(outcome: RequestOutcome | undefined): boolean {
  return outcome?.plans.some(({ actors }) => actors.length > 0) ?? false
}

function byOf(request: TurnRequest): string {
  if (request.kind === 'line') return request.line.author.id
  return request.kind === 'auto' ? narratorId : request.by
}
