/** How the next actor is chosen, and the record of a choice. */
import { z } from 'zod'
import { characterId } from './ids.ts'

export const directionKind = z.enum(['natural', 'rota', 'pooled', 'manual', 'directed'])
export type DirectionKind = z.infer<typeof directionKind>

/** Why a character acts. */
export const cueReason = z.enum([
  'mentioned',
  'talkative',
  'drawn',
  'rota',
  'pooled',
  'delegated',
  'whispered',
  'directed',
])
export type CueReason = z.infer<typeof cueReason>

/** One seeded draw: what was drawn for, the number in [0, 1) that came, and what followed from it. */
export const draw = z
  .object({ what: z.string(), value: z.number(), outcome: z.string() })
  .readonly()
export type Draw = z.infer<typeof draw>

export const plannedActor = z
  .object({ character: characterId, reason: cueReason, instruction: z.string().optional() })
  .readonly()
export type PlannedActor = z.infer<typeof plannedActor>

/** Who acts for one request, in order; nobody is a stated outcome. */
export const plan = z
  .object({
    direction: directionKind,
    actors: z.array(plannedActor).readonly(),
    draws: z.array(draw).readonly(),
    /** Why nobody acts, when nobody does. */
    nobody: z.enum(['empty-stage', 'all-muted', 'manual', 'nobody-eligible']).optional(),
    /** The narrator's model gave no usable answer, so `direction` says what was used instead. */
    fallbackFrom: directionKind.optional(),
  })
  .readonly()
export type Plan = z.infer<typeof plan>
