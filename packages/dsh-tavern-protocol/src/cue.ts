/** "You, now, because": a message in one character's mailbox. */
import { z } from 'zod'
import { audience } from './audience.ts'
import { cueReason, plan } from './direction.ts'
import { characterId, participantId, runId } from './ids.ts'
import { route } from './turn-request.ts'

export const cue = z
  .object({
    /** `<request id>#<index>`: its dedupe id, and later the id of its beat. */
    id: z.string(),
    requestId: z.string(),
    index: z.int().nonnegative(),
    runId,
    character: characterId,
    reason: cueReason,
    /** Who is addressed by the answer; a whisper is answered to its own audience. */
    audience,
    /** Who caused it, where a person or a character did. */
    from: participantId.optional(),
    instruction: z.string().optional(),
    route: route.optional(),
    /** Seeds a stand-in model; the same in every repetition of the cue. */
    seed: z.string(),
    /** The whole plan, in the request's first cue: what a restarted narrator goes on with. */
    plan: plan.optional(),
  })
  .readonly()
export type Cue = z.infer<typeof cue>

export function CueId(requestId: string, index: number): string {
  return `${requestId}#${index}`
}

/** A cause that is a cue; lines and requests never end so. */
export function isCueId(cause: string): boolean {
  return /#\d+$/.test(cause)
}
