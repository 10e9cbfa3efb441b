/** What the scene's beats add up to: who is on stage, who spoke, what was spent, what is still to be told. */
import {
  type Beat,
  type CharacterId,
  characterId,
  characterOf,
  isSeat,
  participantId,
  type Scene,
  type WorldChange,
  worldChange,
} from 'dsh-tavern-protocol'
import { z } from 'zod'

export const stageFold = z
  .object({
    /** Of the last beat folded in. */
    sequence: z.int().nonnegative(),
    beats: z.int().nonnegative(),
    onStage: z.array(characterId).readonly(),
    seats: z.array(participantId).readonly(),
    lastSpeaker: characterId.optional(),
    /** Who spoke since the last person's line. */
    spokenSincePerson: z.array(characterId).readonly(),
    /** The newest thing said for all to hear. */
    lastSaid: z.object({ author: participantId, text: z.string() }).readonly().optional(),
    /** Beats since the last person's line. */
    autoBeats: z.int().nonnegative(),
    tokens: z.record(characterId, z.number()).readonly(),
    sceneTokens: z.number(),
    /** World changes that met a newer version and that their author was not told of yet. */
    conflicts: z.record(characterId, z.array(worldChange).readonly()).readonly(),
  })
  .readonly()
export type StageFold = z.infer<typeof stageFold>

export function initialFold(scene: Scene, seats: StageFold['seats']): StageFold {
  return {
    sequence: 0,
    beats: 0,
    onStage: scene.cast.filter((member) => member.onStage).map((member) => member.character),
    seats,
    spokenSincePerson: [],
    autoBeats: 0,
    tokens: {},
    sceneTokens: 0,
    conflicts: {},
  }
}

/** Tokens a character has cost. Own entries only: one may be called `constructor`. */
export function tokensOf({ tokens }: StageFold, character: CharacterId): number {
  return Object.hasOwn(tokens, character) ? (tokens[character] ?? 0) : 0
}

/** What a character is still to be told of its world changes. */
export function conflictsOf(
  { conflicts }: StageFold,
  character: CharacterId,
): readonly WorldChange[] {
  return Object.hasOwn(conflicts, character) ? (conflicts[character] ?? []) : []
}

/** The fold after one more beat; a beat at or below `fold.sequence` is already in it. */
export function foldBeat(fold: StageFold, sequence: number, beat: Beat): StageFold {
  if (sequence <= fold.sequence) return fold
  const counted = { ...fold, sequence, beats: fold.beats + 1, autoBeats: fold.autoBeats + 1 }
  return foldPresence(
    isSeat(beat.author.id) ? foldSeat(counted, beat) : foldActor(counted, beat),
    beat,
  )
}

function foldSeat(fold: StageFold, beat: Beat): StageFold {
  const seats = fold.seats.includes(beat.author.id) ? fold.seats : [...fold.seats, beat.author.id]
  if (beat.kind !== 'line' && beat.kind !== 'whisper') return { ...fold, seats }
  return { ...fold, ...said(fold, beat), seats, autoBeats: 0, spokenSincePerson: [] }
}

function foldActor(fold: StageFold, beat: Beat): StageFold {
  const character = characterOf(beat.author.id)
  const spent = 'usage' in beat && beat.usage ? beat.usage.inputTokens + beat.usage.outputTokens : 0
  const priced = { ...fold, sceneTokens: fold.sceneTokens + spent }
  if (character === undefined) return priced
  const tokens = { ...fold.tokens, [character]: tokensOf(fold, character) + spent }
  const told = foldConflicts(fold, character, beat)
  if (beat.kind !== 'line' && beat.kind !== 'whisper') return { ...priced, tokens, conflicts: told }
  return {
    ...priced,
    ...said(fold, beat),
    tokens,
    conflicts: told,
    lastSpeaker: character,
    spokenSincePerson: fold.spokenSincePerson.includes(character)
      ? fold.spokenSincePerson
      : [...fold.spokenSincePerson, character],
  }
}

/** The author's next answer shows that it was told of the older conflicts; it may bring new ones. */
function foldConflicts(fold: StageFold, character: string, beat: Beat): StageFold['conflicts'] {
  if (!isAnswer(beat)) return fold.conflicts
  const changes = beat.kind === 'whisper' ? [] : (beat.changes ?? [])
  const fresh = changes.filter((change) => change.status === 'conflict')
  const { [character]: _told, ...others } = fold.conflicts
  return fresh.length > 0 ? { ...others, [character]: fresh } : others
}

/** A whisper is one when a model's turn is on it; those whispered beside a line carry none. */
function isAnswer(beat: Beat): beat is Extract<Beat, { kind: 'line' | 'whisper' | 'world' }> {
  if (beat.kind === 'whisper') return beat.provider !== undefined
  return beat.kind === 'line' || beat.kind === 'world'
}

function said(fold: StageFold, beat: Beat): Pick<StageFold, 'lastSaid'> {
  if (beat.audience.kind !== 'everyone') return fold.lastSaid ? { lastSaid: fold.lastSaid } : {}
  return { lastSaid: { author: beat.author.id, text: beat.text } }
}

function foldPresence(fold: StageFold, beat: Beat): StageFold {
  if (beat.kind === 'entrance' && !fold.onStage.includes(beat.character)) {
    return { ...fold, onStage: [...fold.onStage, beat.character] }
  }
  if (beat.kind === 'exit') {
    return { ...fold, onStage: fold.onStage.filter((id) => id !== beat.character) }
  }
  return fold
}
