/** What a session produced for a cue, or why it failed. */
import { z } from 'zod'
import { plan } from './direction.ts'
import { effect } from './effect.ts'
import { usage } from './usage.ts'

const produced = {
  effects: z.array(effect).readonly(),
  provider: z.string(),
  model: z.string(),
  usage: usage.optional(),
  /** The session's log already held the answer; nothing was generated. */
  reused: z.boolean(),
}

export const performance = z.discriminatedUnion('status', [
  z.object({ status: z.literal('spoken'), text: z.string(), ...produced }).readonly(),
  /** The turn ended well with no text. */
  z.object({ status: z.literal('silent'), ...produced }).readonly(),
  z.object({ status: z.literal('failed'), code: z.string(), message: z.string() }).readonly(),
  z.object({ status: z.literal('cancelled') }).readonly(),
])
export type Performance = z.infer<typeof performance>

/** How a cue ended; stored as the outcome of its mailbox message. */
export const cueOutcome = z.discriminatedUnion('status', [
  /** `beats`: ids of all it became, the cue's own first. */
  z.object({ status: z.literal('spoken'), beats: z.array(z.string()).readonly() }).readonly(),
  z.object({ status: z.literal('silent'), beats: z.array(z.string()).readonly() }).readonly(),
  z.object({ status: z.literal('failed'), code: z.string(), message: z.string() }).readonly(),
  z.object({ status: z.literal('cancelled') }).readonly(),
])
export type CueOutcome = z.infer<typeof cueOutcome>

/** How a request ended; stored as the settle result of its mailbox message. */
export const requestOutcome = z
  .object({
    status: z.enum(['answered', 'nobody', 'capped', 'cancelled']),
    plans: z.array(plan).readonly(),
    beats: z.array(z.string()).readonly(),
    failures: z
      .array(
        z
          .object({
            cueId: z.string(),
            character: z.string(),
            code: z.string(),
            message: z.string(),
          })
          .readonly(),
      )
      .readonly(),
    /** Which cap ended it, where one did. */
    cap: z
      .enum(['beats-per-line', 'character-tokens', 'scene-tokens', 'auto-beats', 'beats'])
      .optional(),
  })
  .readonly()
export type RequestOutcome = z.infer<typeof requestOutcome>
