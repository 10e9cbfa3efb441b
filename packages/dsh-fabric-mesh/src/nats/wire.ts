/** What the server answers, as far as this engine reads it; and the bodies of our own records. */
import type { JsonValue } from 'dsh-fabric-protocol'
import { z } from 'zod'
import { MeshError } from '../error.ts'

export const apiError = z.object({
  code: z.number(),
  err_code: z.number().default(0),
  description: z.string().default(''),
})

export const publishAck = z.object({ stream: z.string(), seq: z.number() })

export const storedMessage = z.object({
  message: z.object({
    subject: z.string(),
    seq: z.number(),
    data: z.string().default(''),
  }),
})

const peer = z.object({
  name: z.string(),
  current: z.boolean().default(false),
  offline: z.boolean().default(false),
  lag: z.number().default(0),
})

export const streamInfo = z.object({
  created: z.string(),
  config: z.object({
    name: z.string(),
    retention: z.string(),
    storage: z.string(),
    discard: z.string().default('old'),
    num_replicas: z.number(),
    max_age: z.number().default(0),
    max_msgs: z.number().default(-1),
    max_bytes: z.number().default(-1),
    max_msgs_per_subject: z.number().default(-1),
    metadata: z.record(z.string(), z.string()).default({}),
  }),
  state: z.object({
    messages: z.number(),
    bytes: z.number().default(0),
    first_seq: z.number(),
    last_seq: z.number(),
    last_ts: z.string(),
  }),
  cluster: z
    .object({ leader: z.string().optional(), replicas: z.array(peer).optional() })
    .optional(),
})
export type StreamInfo = z.infer<typeof streamInfo>

export const streamList = z.object({
  total: z.number(),
  streams: z.array(streamInfo).nullish(),
  missing: z.array(z.string()).nullish(),
})

export const consumerCreated = z.object({
  name: z.string(),
  num_pending: z.number().default(0),
})

export const accountInfo = z.object({ streams: z.number() })

export const purged = z.object({ success: z.boolean(), purged: z.number().default(0) })
export const succeeded = z.object({ success: z.boolean() })

/** A stored message. */
export interface Entry {
  readonly subject: string
  readonly sequence: number
  readonly data: Uint8Array
}

/** Of a record that JSON.parse gave: there is nothing to check, and nothing to copy. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives JSON and nothing else
export const anyJson = z.unknown() as z.ZodType<JsonValue>

/** For whoever may change it. */
export function copyJson(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value
  if (isArray(value)) return value.map(copyJson)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyJson(each)]))
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** Of text that was made from JSON. */
export function parseJson(text: string): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives JSON and nothing else
  return JSON.parse(text) as JsonValue
}

const decoder = new TextDecoder()

/** A damaged record fails alone and says where it is. */
export function decodeEntry<T>(schema: z.ZodType<T>, stream: string, entry: Entry): T {
  try {
    return schema.parse(JSON.parse(decoder.decode(entry.data)))
  } catch (cause) {
    const { sequence } = entry
    const message = `message ${sequence} of stream '${stream}' is damaged: it is no record of the mesh`
    throw new MeshError('store-invalid', message, { detail: { stream, sequence }, cause })
  }
}

const encoder = new TextEncoder()

/** `head` with the value that is JSON text already under `name`. */
export function encodeRecord(head: object, name: string, json: string): Uint8Array {
  const text = JSON.stringify(head)
  const separator = text === '{}' ? '' : ','
  return encoder.encode(`${text.slice(0, -1)}${separator}"${name}":${json}}`)
}
