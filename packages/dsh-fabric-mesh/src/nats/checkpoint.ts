/** The state of a fold as a record in its own log, so that a cold start reads no command before it. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { MeshError } from '../error.ts'
import { release } from './command.ts'
import type { Dump } from './fold.ts'
import type { Entry } from './wire.ts'

/** Below the server's usual limit for a message. */
const MOST_BYTES = 900 * 1024

const ticket = z.object({
  worker: z.string(),
  nonce: z.string(),
  digest: z.string(),
  at: z.number(),
  until: z.number().exactOptional(),
})
const facts = {
  sequence: z.number(),
  priority: z.number(),
  attempts: z.number(),
  releases: z.array(release).readonly(),
  settled: z.number(),
}
const open = z.discriminatedUnion('status', [
  z.object({ status: z.literal('queued'), ...facts, availableAt: z.number().exactOptional() }),
  z.object({ status: z.literal('claimed'), ...facts, ticket }),
  z.object({
    status: z.literal('dead'),
    ...facts,
    ticket,
    reason: z.string(),
    diedAt: z.number(),
  }),
])
const checkpoint = z.object({
  /** What the fold had seen. */
  through: z.number(),
  /** Of the checkpoints before it: commands that old are needed by nobody. */
  older: z.array(z.object({ through: z.number(), at: z.number() })).readonly(),
  at: z.number(),
  dump: z.object({
    head: z.number(),
    completed: z.number(),
    failed: z.number(),
    updatedAt: z.number(),
    lastPrune: z.number(),
    prunedThrough: z.number(),
    spared: z.array(z.number()).readonly(),
    open: z.array(open).readonly(),
  }),
})

export interface Checkpoint {
  readonly through: number
  readonly older: readonly { readonly through: number; readonly at: number }[]
  readonly at: number
  readonly dump: Dump
}

/** Undefined when so much is open that it does not fit in a message: the log is then kept. */
export function encodeCheckpoint(value: Checkpoint): Uint8Array | undefined {
  const bytes = deflateRawSync(JSON.stringify(value), { level: 1 })
  return bytes.length > MOST_BYTES ? undefined : bytes
}

/** Without the state: for whoever has it. */
export type Mark = Omit<Checkpoint, 'dump'>

export function decodeMark(stream: string, entry: Entry): Mark {
  return decodeAs(checkpoint.omit({ dump: true }), stream, entry)
}

export function decodeCheckpoint(stream: string, entry: Entry): Checkpoint {
  return decodeAs(checkpoint, stream, entry)
}

function decodeAs<T>(schema: z.ZodType<T>, stream: string, entry: Entry): T {
  try {
    return schema.parse(JSON.parse(inflateRawSync(entry.data).toString('utf8')))
  } catch (cause) {
    const { sequence } = entry
    const message = `message ${sequence} of stream '${stream}' is damaged: it is no checkpoint`
    throw new MeshError('store-invalid', message, { detail: { stream, sequence }, cause })
  }
}
