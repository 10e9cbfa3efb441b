/** What a character's tools do during a cue: seen by that attempt at once, real only with its beat. */
import type { JsonValue } from 'dsh-fabric-protocol'
import {
  type CharacterId,
  characterParticipant,
  type Effect,
  type ParticipantId,
} from 'dsh-tavern-protocol'
import { CastError } from './error.ts'
import type { Run } from './run.ts'
import { findVariable, type KnownVariable, knows, readWorld } from './world.ts'

export interface SeenVariable {
  readonly key: string
  readonly value: JsonValue
  readonly version: number
}

/** Of one cue: all of them ride on one beat, which has to fit into the store. */
const CHANGES = 32
/** Of one cue: each is a beat of its own. */
const WHISPERS = 4
/** Of a run: every briefing lists them. */
const VARIABLES = 200

export class Staging {
  readonly #run: Run
  readonly #character: CharacterId
  readonly #changed = new Map<string, SeenVariable>()
  #changes = 0
  #whispers = 0

  constructor(run: Run, character: CharacterId) {
    this.#run = run
    this.#character = character
  }

  /** What this attempt sees; undefined for what the character does not know of. */
  async get(key: string): Promise<SeenVariable | undefined> {
    return this.#changed.get(key) ?? this.#known(await findVariable(this.#run, key))
  }

  /** Stages a change, or says what stands there instead. */
  async set(
    key: string,
    value: JsonValue,
    expectedVersion: number,
  ): Promise<
    | { readonly status: 'staged'; readonly effect: Effect; readonly version: number }
    | { readonly status: 'conflict'; readonly current: SeenVariable | undefined }
  > {
    const stored = await findVariable(this.#run, key)
    if (stored && !knows(this.#character, stored)) {
      throw new CastError('refused', `you cannot change '${key}'`)
    }
    const current = this.#changed.get(key) ?? this.#known(stored)
    if ((current?.version ?? 0) !== expectedVersion) return { status: 'conflict', current }
    if (this.#changes === CHANGES) {
      throw new CastError('refused', `you have changed ${CHANGES} things; say something first`)
    }
    if (!stored && !this.#changed.has(key)) await this.#requireRoom()
    this.#changes += 1
    const version = expectedVersion + 1
    this.#changed.set(key, { key, value, version })
    return { status: 'staged', effect: { kind: 'world', key, expectedVersion, value }, version }
  }

  /** The participants named by id or by `seat:`/`character:` id, all of them present. */
  hearers(to: readonly string[]): readonly ParticipantId[] {
    if (this.#whispers === WHISPERS) {
      throw new CastError('refused', `you have whispered ${WHISPERS} times; speak up, or wait`)
    }
    this.#whispers += 1
    const { onStage, seats } = this.#run.stage
    const present = [...onStage.map(characterParticipant), ...seats]
    return to.map((wanted) => {
      const found = present.find((id) => id === wanted || id.slice(id.indexOf(':') + 1) === wanted)
      if (found === undefined || found === characterParticipant(this.#character)) {
        const others = present.filter((id) => id !== characterParticipant(this.#character))
        throw new CastError(
          'refused',
          `'${wanted}' is not here to whisper to (here: ${others.join(', ')})`,
        )
      }
      return found
    })
  }

  async #requireRoom(): Promise<void> {
    const { length } = await readWorld(this.#run)
    if (length < VARIABLES) return
    throw new CastError(
      'refused',
      `the world holds ${VARIABLES} things; change one of them instead`,
    )
  }

  #known(variable: KnownVariable | undefined): SeenVariable | undefined {
    if (!variable || !knows(this.#character, variable)) return undefined
    const { key, value, version } = variable
    return { key, value, version }
  }
}
