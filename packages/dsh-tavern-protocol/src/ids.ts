/** Ids of the tavern: what may name a character, a scene and a participant. */
import { z } from 'zod'

/** A character's id is its preset's id: `[a-z0-9][a-z0-9-]*`, at most 64 characters. */
export const characterId = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and dashes')
export type CharacterId = z.infer<typeof characterId>

/** A scene's id is the name of its folder. */
export const sceneId = characterId
export type SceneId = z.infer<typeof sceneId>

/** One playing of a scene in one home: `<scene id>.<count from 1>`. */
export const runId = z.string().regex(/^[a-z0-9][a-z0-9-]*\.[1-9][0-9]*$/)
export type RunId = z.infer<typeof runId>

export function RunId(scene: SceneId, count: number): RunId {
  return `${scene}.${count}`
}

/** Who takes part: `character:<id>`, `seat:<id>` or `narrator`. */
export const participantId = z
  .string()
  .max(256)
  .regex(/^(character:[a-z0-9][a-z0-9-]*|seat:.+|narrator)$/)
export type ParticipantId = z.infer<typeof participantId>

/** A name within the bytes that a run's prefix leaves of a mesh key. */
export const worldKey = z
  .string()
  .trim()
  .min(1)
  .refine((key) => new TextEncoder().encode(key).length <= 160, 'must have at most 160 bytes')

export const narratorId: ParticipantId = 'narrator'

export function characterParticipant(id: CharacterId): ParticipantId {
  return `character:${id}`
}

export function seatParticipant(seat: string): ParticipantId {
  return `seat:${seat}`
}

/** The name a seat's person goes by: its id is made of it. */
export function seatName(id: ParticipantId): string {
  return id.slice('seat:'.length)
}

/** The character id of a character participant, undefined for seats and the narrator. */
export function characterOf(id: ParticipantId): CharacterId | undefined {
  return id.startsWith('character:') ? id.slice('character:'.length) : undefined
}

export function isSeat(id: ParticipantId): boolean {
  return id.startsWith('seat:')
}
