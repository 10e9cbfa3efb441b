/** What someone says or does into the scene. */
import { z } from 'zod'
import { audience } from './audience.ts'
import { participantId } from './ids.ts'

export const line = z
  .object({
    /** Its dedupe id: the same line submitted twice is one beat and one request. */
    id: z.string().min(1).max(200),
    author: z.object({ id: participantId, name: z.string() }).readonly(),
    audience,
    text: z.string().min(1),
  })
  .readonly()
export type Line = z.infer<typeof line>
