/** A settled fact on the scene's topic. Its topic message carries the sequence and the time. */
import { z } from 'zod'
import { audience } from './audience.ts'
import { worldChange } from './effect.ts'
import { characterId, participantId } from './ids.ts'
import { usage } from './usage.ts'

const common = {
  author: z.object({ id: participantId, name: z.string() }).readonly(),
  audience,
  /** The audience resolved when it happened: only these ever perceive it. */
  heardBy: z.array(participantId).readonly(),
  /** The line, request or cue it came from. */
  cause: z.string(),
  text: z.string(),
}
const spoken = {
  provider: z.string().optional(),
  model: z.string().optional(),
  usage: usage.optional(),
}

export const beat = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('line'),
      ...common,
      ...spoken,
      changes: z.array(worldChange).readonly().optional(),
    })
    .readonly(),
  z.object({ kind: z.literal('whisper'), ...common, ...spoken }).readonly(),
  z
    .object({
      kind: z.literal('narration'),
      ...common,
      ...spoken,
      changes: z.array(worldChange).readonly().optional(),
    })
    .readonly(),
  z.object({ kind: z.literal('entrance'), ...common, character: characterId }).readonly(),
  z.object({ kind: z.literal('exit'), ...common, character: characterId }).readonly(),
  /** A change of world with no line of its own (a seat's, the narrator's, or a silent actor's). */
  z
    .object({
      kind: z.literal('world'),
      ...common,
      ...spoken,
      changes: z.array(worldChange).readonly(),
    })
    .readonly(),
  z.object({ kind: z.literal('roll'), ...common, dice: z.string(), total: z.number() }).readonly(),
  /** What went wrong beside the story: for whoever directs, never for a character. */
  z.object({ kind: z.literal('notice'), ...common }).readonly(),
])
export type Beat = z.infer<typeof beat>
export type BeatKind = Beat['kind']

/** A beat with its place on the topic. */
export interface PlacedBeat {
  readonly sequence: number
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly beat: Beat
}
