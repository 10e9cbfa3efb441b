/** What the log of a mailbox holds: letters, and commands whose outcome the fold decides at their place in the log. */
import { z } from 'zod'
import { MeshError } from '../error.ts'
import { anyJson, decodeEntry, type Entry } from './wire.ts'

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

/** One entry of the log. */
export type Command =
  | { readonly kind: 'letter'; readonly value: StoredLetter }
  | { readonly kind: 'claim'; readonly value: z.infer<typeof claimCommand> }
  | { readonly kind: 'settle'; readonly value: Settlement }
  | { readonly kind: 'extend'; readonly value: z.infer<typeof extendCommand> }
  | { readonly kind: 'release'; readonly value: z.infer<typeof releaseCommand> }
  | { readonly kind: 'prune'; readonly value: Prune }
  | { readonly kind: 'checkpoint' }

/** With the bytes that stand in the log. */
export interface Written {
  readonly command: Command
  readonly data: Uint8Array
}

export function encodeCommand(command: Exclude<Command, { kind: 'checkpoint' }>): Written {
  return { command, data: new TextEncoder().encode(JSON.stringify(command.value)) }
}

export function decodeCommand(stream: string, root: string, entry: Entry): Command {
  const lane = entry.subject.slice(root.length + 1).split('.', 1)[0] ?? ''
  switch (lane) {
    case lanes.letter:
      return { kind: 'letter', value: decodeEntry(letter, stream, entry) }
    case lanes.claim:
      return { kind: 'claim', value: decodeEntry(claimCommand, stream, entry) }
    case lanes.settle:
      return { kind: 'settle', value: decodeEntry(settleCommand, stream, entry) }
    case lanes.extend:
      return { kind: 'extend', value: decodeEntry(extendCommand, stream, entry) }
    case lanes.release:
      return { kind: 'release', value: decodeEntry(releaseCommand, stream, entry) }
    case lanes.prune:
      return { kind: 'prune', value: decodeEntry(pruneCommand, stream, entry) }
    case lanes.checkpoint:
      return { kind: 'checkpoint' }
    default: {
      const { sequence } = entry
      const message = `message ${sequence} of stream '${stream}' is of no kind that this build knows`
      throw new MeshError('store-invalid', message, { detail: { stream, sequence } })
    }
  }
}
