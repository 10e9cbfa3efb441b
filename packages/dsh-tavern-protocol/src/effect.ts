/** What a character's tools did during a cue: staged with the attempt, real with its beat. */
import { jsonValue } from 'dsh-fabric-protocol'
import { z } from 'zod'
import { characterId, participantId } from './ids.ts'

export const effect = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('world'),
      key: z.string(),
      expectedVersion: z.int().nonnegative(),
      value: jsonValue,
    })
    .readonly(),
  z
    .object({ kind: z.literal('whisper'), to: z.array(participantId).readonly(), text: z.string() })
    .readonly(),
  z.object({ kind: z.literal('leave') }).readonly(),
])
export type Effect = z.infer<typeof effect>

/** Character ids, where the variable is not known to everyone. */
const knownTo = z.array(characterId).readonly().optional()

/** How a staged world change met the world when its beat was settled. */
export const worldChange = z.discriminatedUnion('status', [
  z
    .object({
      status: z.literal('applied'),
      key: z.string(),
      value: jsonValue,
      version: z.int().positive(),
      knownTo,
    })
    .readonly(),
  z
    .object({
      status: z.literal('conflict'),
      key: z.string(),
      value: jsonValue,
      expectedVersion: z.int().nonnegative(),
      /** What stood there instead; version 0 and null when nothing does. */
      currentVersion: z.int().nonnegative(),
      currentValue: jsonValue,
      knownTo,
    })
    .readonly(),
])
export type WorldChange = z.infer<typeof worldChange>
