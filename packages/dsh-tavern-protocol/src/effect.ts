/** What a character's tools did during a cue: staged with the attempt, real with its beat. */
import { jsonValue } from 'dsh-fabric-protocol'
import { z } from 'zod'
import { characterId } from './ids.ts'

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
    .object({ kind: z.literal('whisper'), to: z.array(characterId).readonly(), text: z.string() })
    .readonly(),
  z.object({ kind: z.literal('leave') }).readonly(),
])
export type Effect = z.infer<typeof effect>

/** How a staged world change met the world when its beat was settled. */
export const worldChange = z.discriminatedUnion('status', [
  z
    .object({
      status: z.literal('applied'),
      key: z.string(),
      value: jsonValue,
      version: z.int().positive(),
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
    })
    .readonly(),
])
export type WorldChange = z.infer<typeof worldChange>
