/** Who perceives something: everyone on stage, or named ones. */
import { z } from 'zod'
import { participantId } from './ids.ts'

export const audience = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('everyone') }).readonly(),
  z
    .object({ kind: z.literal('named'), participants: z.array(participantId).readonly() })
    .readonly(),
])
export type Audience = z.infer<typeof audience>

export const everyone: Audience = { kind: 'everyone' }
