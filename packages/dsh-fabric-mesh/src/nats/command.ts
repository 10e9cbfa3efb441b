/** What the log of a mailbox holds: letters, and commands whose outcome the fold decides at their place in the log. */
import { z } from 'zod'
import { anyJson } from './wire.ts'

/** A claim that was taken back, with the digest that proves who held it. */
export const release = z.object({
  kind: z.enum(['operator', 'lease']),
  attempt: z.number(),
  claimedBy: z.string(),
  releasedAt: z.number(),
  by: z.string(),
  cause: z.string().optional(),
  reason: z.string(),
  digest: z.string(),
})
export type Release = z.infer<typeof release>

export const letter = z.object({
  id: z.string(),
  /** Of the call that wrote it. */
  call: z.string(),
  by: z.string(),
  cause: z.string().optional(),
  at: z.number(),
  priority: z.number().optional(),
  availableAt: z.number().optional(),
  payload: anyJson,
})
export type StoredLetter = z.infer<typeof letter>

export const claimCommand = z.object({
  worker: z.string(),
  /** Half of what the token is made of; the worker's secret is the other. */
  nonce: z.string(),
  digest: z.string(),
  at: z.number(),
})

/** A settlement carries all that is shown of the message later: nothing of it is held in memory. */
export const settleCommand = z.object({
  of: z.number(),
  attempt: z.number(),
  digest: z.string(),
  call: z.string(),
  worker: z.string(),
  claimedAt: z.number(),
  at: z.number(),
  releases: z.array(release).readonly().optional(),
  status: z.enum(['completed', 'failed']),
  /** The result, or the error text. */
  outcome: anyJson,
})
export type Settlement = z.infer<typeof settleCommand>

export const extendCommand = z.object({
  of: z.number(),
  digest: z.string(),
  at: z.number(),
})

export const releaseCommand = z.object({
  of: z.number(),
  by: z.string(),
  cause: z.string().optional(),
  reason: z.string(),
  at: z.number(),
})

/** Every message up to `through` that was settled when the log ended at `asOf` is gone, but those spared. */
export const pruneCommand = z.object({
  asOf: z.number(),
  through: z.number(),
  spared: z.array(z.number()).readonly(),
  completed: z.number(),
  failed: z.number(),
  at: z.number(),
})
export type Prune = z.infer<typeof pruneCommand>

/** The token after the mailbox's root: letters by the digest of their id, settlements by the sequence they settle. */
export const lanes = {
  letter: 'l',
  claim: 'c',
  settle: 's',
  extend: 'x',
  release: 'r',
  prune: 'p',
  checkpoint: 'k',
} as const
