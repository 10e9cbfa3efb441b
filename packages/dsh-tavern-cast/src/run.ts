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
  readonly seat: ParticipantId
  /** Draws and stand-in models start from it. */
  readonly seed: number
}

export class Run {
  readonly id: RunId
  readonly scene: Scene
  readonly workspace: MeshWorkspace
  readonly seed: number
  readonly topicId: string
  readonly narratorMailbox: string
  #fold: StageFold
  #checkpoint: { sequence: number; version: number } = { sequence: 0, version: 0 }
  readonly #ctx: Context
  readonly #seat: ParticipantId
  readonly #publishing = new Set<Promise<PlacedBeat>>()
  /** Entrances and exits on their way, in the order they were issued. */
  readonly #moving = new Map<string, Extract<UnheardBeat, { character: CharacterId }>>()
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
    this.#fold = initialFold(options.scene, [options.seat])
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

  /** Tokens that no beat carries are counted in. */
  get stage(): StageFold {
    return this.#spending.addTo(this.#fold)
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
    const present = [...this.#present().map(characterParticipant), ...this.#fold.seats]
    const addressed =
      audience.kind === 'everyone'
        ? present
        : present.filter((participant) => audience.participants.includes(participant))
    return [...new Set([...addressed, author, narratorId])]
  }

  /**
   * Publishes a beat under `id` and folds it. The same id twice is one beat: the first stands.
   * An entrance is heard by who enters.
   */
  publish(id: string, unheard: UnheardBeat): Promise<PlacedBeat> {
    const publishing = this.#publish(id, unheard)
    this.#publishing.add(publishing)
    if (unheard.kind === 'entrance' || unheard.kind === 'exit') this.#moving.set(id, unheard)
    const forget = () => {
      this.#publishing.delete(publishing)
      this.#moving.delete(id)
    }
    void publishing.then(forget, forget)
    return publishing
  }

  /** Resolves once every beat published here so far is in `stage`. */
  async caughtUp(): Promise<void> {
    await Promise.allSettled(this.#publishing)
  }

  async #publish(id: string, unheard: UnheardBeat): Promise<PlacedBeat> {
    const heardBy = this.heardBy(unheard.audience, unheard.author.id)
    const message = await this.workspace.topics.publish(this.topicId, {
      id,
      payload: asJson({ ...unheard, heardBy }),
      by: unheard.author.id,
      cause: unheard.cause,
    })
    const placed = placedBeat(message)
    await this.#take(placed)
    return placed
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

  /** On stage once every move on its way has been made: who hears what is issued now. */
  #present(): readonly CharacterId[] {
    let present = this.#fold.onStage
    for (const { kind, character } of this.#moving.values()) {
      const others = present.filter((id) => id !== character)
      present = kind === 'entrance' ? [...others, character] : others
    }
    return present
  }

  async #take(placed: PlacedBeat): Promise<void> {
    if (placed.sequence <= this.#fold.sequence) return
    if (placed.sequence > this.#fold.sequence + 1) await this.#catchUp()
    else this.#fold = foldBeat(this.#fold, placed.sequence, placed.beat)
    this.#ctx.emit('beat/published', { runId: this.id, placed })
    if (this.#fold.sequence - this.#checkpoint.sequence >= CHECKPOINT_EVERY) await this.#keep()
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const page = await this.read(this.#fold.sequence, 500)
      for (const placed of page) this.#fold = foldBeat(this.#fold, placed.sequence, placed.beat)
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
      this.#checkpoint = { sequence: kept.data.sequence, version: record.version }
    }
    await this.#catchUp()
    await this.#spending.load()
    if (!this.#fold.seats.includes(this.#seat)) {
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
      this.#checkpoint = { sequence: fold.sequence, version: result.record.version }
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
