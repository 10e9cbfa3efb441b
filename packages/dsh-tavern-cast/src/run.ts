/** One playing of a scene: its topic, its mailboxes, its world, and the fold of its beats. */
import type { Context } from '@deepseek-ai/cordis'
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { asJson, type TopicMessage } from 'dsh-fabric-protocol'
import {
  type Audience,
  type Beat,
  beat as beatSchema,
  type CharacterId,
  characterParticipant,
  narratorId,
  type ParticipantId,
  type PlacedBeat,
  type RunId,
  type Scene,
  type Usage,
} from 'dsh-tavern-protocol'
import { Company, seatKey } from './company.ts'
import { CastError, storeFailed } from './error.ts'
import { Spending } from './spending.ts'
import { foldBeat, initialFold, type StageFold, stageFold } from './stage-fold.ts'

/** A beat before the run has said who hears it. */
export type UnheardBeat = Beat extends infer B
  ? B extends Beat
    ? Omit<B, 'heardBy'>
    : never
  : never

/** A fold is kept in the mesh this often, so that opening reads few beats however long the scene is. */
const CHECKPOINT_EVERY = 50

export interface RunOptions {
  readonly ctx: Context
  readonly id: RunId
  readonly scene: Scene
  readonly workspace: MeshWorkspace
  /** Who sits here; a process that only hosts has none. */
  readonly seat?: ParticipantId
  /** Draws and stand-in models start from it. */
  readonly seed: number
}

/** What a process is to a run that it takes part in. */
export interface Joining {
  /** Known to all others by it, where it has no seat. */
  readonly guest: string
  /** Others publish too, so the topic is followed from the start. */
  readonly shared: boolean
  readonly signal: AbortSignal
  /** Told of each record of the company that another wrote, or took away. */
  readonly changed: (key: string) => void
  /** Told once, when what others write can no longer be followed. */
  readonly failed: (error: unknown) => void
}

export class Run {
  readonly id: RunId
  readonly scene: Scene
  readonly workspace: MeshWorkspace
  readonly seed: number
  readonly topicId: string
  readonly narratorMailbox: string
  readonly company: Company
  #fold: StageFold
  #checkpoint: { beats: number; version: number } = { beats: 0, version: 0 }
  readonly #ctx: Context
  readonly #seat: ParticipantId | undefined
  /** Of the newest beat issued here: beats of one process follow one another. */
  #published: Promise<unknown> = Promise.resolve()
  #caughtUp: Promise<void> = Promise.resolve()
  #joined: Joining | undefined
  #isFollowed = false
  readonly #spending: Spending

  private constructor(options: RunOptions) {
    this.id = options.id
    this.scene = options.scene
    this.workspace = options.workspace
    this.seed = options.seed
    this.topicId = `run/${this.id}`
    this.narratorMailbox = `run/${this.id}/narrator`
    this.#ctx = options.ctx
    this.#seat = options.seat
    this.company = new Company(options.workspace, options.id)
    this.#fold = initialFold(options.scene, options.seat ? [options.seat] : [])
    this.#spending = new Spending(options.workspace, `run/${this.id}/spent/`)
  }

  /** Creates what is missing in the mesh and folds what is there. */
  static async open(options: RunOptions): Promise<Run> {
    const run = new Run(options)
    const { topics, mailboxes } = run.workspace
    const by = narratorId
    await Promise.all([
      topics.open({ id: run.topicId, label: options.scene.title, by }),
      mailboxes.open({ id: run.narratorMailbox, label: 'narrator', by }),
      ...options.scene.cast.map((member) =>
        mailboxes.open({ id: run.mailboxOf(member.character), label: member.character, by }),
      ),
    ])
    await run.#restore()
    return run
  }

  /** Tokens that no beat carries are counted in, and seats that said nothing yet. */
  get stage(): StageFold {
    const seats = this.company.seats.filter((seat) => !this.#fold.seats.includes(seat))
    const fold =
      seats.length === 0 ? this.#fold : { ...this.#fold, seats: [...this.#fold.seats, ...seats] }
    return this.#spending.addTo(fold)
  }

  /** Others take part: what they publish is folded and told of here too. */
  get isFollowed(): boolean {
    return this.#isFollowed
  }

  /** Counts tokens of a turn that became no beat; the same cue is counted once. */
  async spend(actor: string, cueId: string, usage: Usage | undefined): Promise<void> {
    if (usage) await this.#spending.add(actor, cueId, usage)
  }

  mailboxOf(character: CharacterId): string {
    return `run/${this.id}/cast/${character}`
  }

  /** The mesh state key of a world variable; '' gives the prefix of all. */
  worldKey(key: string): string {
    return `run/${this.id}/world/${key}`
  }

  /** Who hears it if it happens now. */
  heardBy(audience: Audience, author: ParticipantId): readonly ParticipantId[] {
    const { onStage, seats } = this.#fold
    const present = [...onStage.map(characterParticipant), ...seats, ...this.company.seats]
    const addressed =
      audience.kind === 'everyone'
        ? present
        : present.filter((participant) => audience.participants.includes(participant))
    return [...new Set([...addressed, author, narratorId])]
  }

  /**
   * Publishes a beat under `id` and folds it. The same id twice is one beat: the first stands. Who
   * hears it is decided at its very place on the topic, whoever else publishes. An entrance is heard
   * by who enters.
   */
  publish(id: string, unheard: UnheardBeat): Promise<PlacedBeat> {
    const publishing = this.#published.then(() => this.#publish(id, unheard))
    this.#published = publishing.catch(() => {}) // its own caller is told
    return publishing
  }

  /** Resolves once every beat published so far is in `stage`: those of this process, and where others take part, theirs. */
  async caughtUp(): Promise<void> {
    await this.#published
    if (this.#isFollowed) await Promise.all([this.#catchUp(), this.#spending.load()])
  }

  /** Takes part from now on: others see that it does, and what they do is followed. */
  async join(joining: Joining): Promise<void> {
    this.#joined = joining
    const seat = this.#seat
    const own = seat
      ? { key: seatKey(seat), value: { seat, guest: joining.guest }, by: seat }
      : { key: `guest/${joining.guest}` as const, value: {}, by: joining.guest }
    const { done } = await this.company.join(own, {
      signal: joining.signal,
      changed: (key) => this.#changed(key),
    })
    done.catch((error: unknown) => this.#failed(error))
    if (joining.shared) this.follow()
  }

  /** From now on the beats of others are told of as they settle. */
  follow(): void {
    const joined = this.#joined
    if (this.#isFollowed || !joined) return
    this.#isFollowed = true
    this.#follow(joined.signal).catch((error: unknown) => this.#failed(error))
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { topics } = this.workspace
    const after = this.#fold.sequence
    for await (const { sequence } of topics.watch(this.topicId, { after, signal })) {
      if (sequence > this.#fold.sequence) await this.#catchUp()
    }
  }

  #changed(key: string): void {
    // somebody sat down in another process, or hosts there: they publish too
    this.follow()
    this.#joined?.changed(key)
    this.#ctx.emit('company/changed', { runId: this.id, key })
  }

  #failed(error: unknown): void {
    if (!this.#joined?.signal.aborted) this.#joined?.failed(error)
  }

  async #publish(id: string, unheard: UnheardBeat): Promise<PlacedBeat> {
    let head = 0
    for (;;) {
      const result = await this.workspace.topics.publishAt(this.topicId, {
        id,
        payload: asJson({ ...unheard, heardBy: this.heardBy(unheard.audience, unheard.author.id) }),
        by: unheard.author.id,
        cause: unheard.cause,
        // a beat that cannot be read is in the topic, and never in the fold
        expectedHead: Math.max(this.#fold.sequence, head),
      })
      if (result.status === 'published') {
        const placed = placedBeat(result.message)
        if (result.replayed && placed.sequence > this.#fold.sequence) await this.#catchUp()
        else await this.#take(placed)
        return placed
      }
      await this.#catchUp()
      head = result.headSequence
    }
  }

  async find(id: string): Promise<PlacedBeat | undefined> {
    const message = await this.workspace.topics.findMessage(this.topicId, id)
    return message && placedBeat(message)
  }

  /** Beats after the sequence, oldest first. */
  async read(after: number, limit: number): Promise<readonly PlacedBeat[]> {
    return (await this.workspace.topics.read(this.topicId, { after, limit })).map(placedBeat)
  }

  async tail(limit: number): Promise<readonly PlacedBeat[]> {
    return (await this.workspace.topics.tail(this.topicId, { limit })).map(placedBeat)
  }

  /** Folds the beat that follows on what is folded, and tells of it. */
  async #take(placed: PlacedBeat): Promise<void> {
    if (placed.sequence <= this.#fold.sequence) return
    this.#fold = foldBeat(this.#fold, placed.sequence, placed.beat)
    this.#ctx.emit('beat/published', { runId: this.id, placed })
    if (this.#fold.beats - this.#checkpoint.beats >= CHECKPOINT_EVERY) await this.#keep()
  }

  /** One reading at a time; each sees what was there when it was asked for. */
  #catchUp(): Promise<void> {
    const reading = this.#caughtUp.then(() => this.#readOn((placed) => this.#take(placed)))
    this.#caughtUp = reading.catch(() => {}) // who asked is told
    return reading
  }

  async #readOn(take: (placed: PlacedBeat) => Promise<void> | void): Promise<void> {
    for (;;) {
      const page = await this.read(this.#fold.sequence, 500)
      for (const placed of page) await take(placed)
      if (page.length < 500) return
    }
  }

  async #restore(): Promise<void> {
    const record = await this.workspace.states.find(this.#checkpointKey)
    if (record) {
      const kept = stageFold.safeParse(record.value)
      if (!kept.success)
        throw new CastError('invalid-record', `state '${record.key}': ${kept.error.message}`)
      this.#fold = kept.data
      this.#checkpoint = { beats: kept.data.beats, version: record.version }
    }
    await this.#readOn((placed) => {
      this.#fold = foldBeat(this.#fold, placed.sequence, placed.beat)
    })
    await Promise.all([this.#spending.load(), this.company.load()])
    if (this.#seat && !this.#fold.seats.includes(this.#seat)) {
      this.#fold = { ...this.#fold, seats: [...this.#fold.seats, this.#seat] }
    }
  }

  /** A fold that the store will not hold is not kept: opening then reads more beats, and nothing else. */
  async #keep(): Promise<void> {
    const fold = this.#fold
    const swap = {
      key: this.#checkpointKey,
      expectedVersion: this.#checkpoint.version,
      value: asJson(fold),
      by: narratorId,
    }
    const result = await this.workspace.states.compareAndSwap(swap).catch((error: unknown) => {
      if (storeFailed(error)) throw error
      return undefined
    })
    if (result?.status === 'swapped') {
      this.#checkpoint = { beats: fold.beats, version: result.record.version }
    } else if (result?.current) {
      this.#checkpoint = { beats: fold.beats, version: result.current.version }
    }
  }

  get #checkpointKey(): string {
    return `run/${this.id}/fold`
  }
}

/** A topic message read as the beat it carries. Fails with `invalid-record`. */
export function placedBeat(message: TopicMessage): PlacedBeat {
  const parsed = beatSchema.safeParse(message.payload)
  if (!parsed.success) {
    throw new CastError(
      'invalid-record',
      `topic '${message.topicId}' message ${message.sequence} is not a beat: ${parsed.error.message}`,
    )
  }
  return { sequence: message.sequence, id: message.id, at: message.publishedAt, beat: parsed.data }
}
