/** A call of the mesh tool, read leniently: a field of the wrong type counts as absent. */
import { z } from 'zod'
import { idText } from './ids.ts'

export interface MeshCall {
  readonly action: string
  readonly args: unknown
  /** What the tool returned, as a JSON value. */
  readonly result: unknown
  /** When the result was recorded, for results that carry no time of their own. */
  readonly fallbackTime: number
}

const id = idText.optional().catch(undefined)
const count = z.int().nonnegative().optional().catch(undefined)

const callArguments = z.object({ topic_id: id, actor_id: id }).catch({})

const callResult = z.object({
  id,
  topicId: id,
  actorId: id,
  mailboxId: id,
  key: id,
  label: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
  sequence: count,
  version: count,
  deleted: count,
  retained: count,
})

/** What a result and its arguments say together. */
export type MeshCallFields = Omit<z.infer<typeof callResult>, 'mailboxId'> & { readonly at: number }

/** Undefined when the result holds no record: null, a conflict, or no object at all. */
export function readMeshCall(call: MeshCall): MeshCallFields | undefined {
  const record = recordIn(call.result)
  if (record === undefined) return undefined
  const args = callArguments.parse(call.args)
  const { mailboxId, ...fields } = callResult.parse(record)
  return {
    ...fields,
    topicId: fields.topicId ?? args.topic_id,
    actorId: fields.actorId ?? mailboxId ?? args.actor_id,
    at: timeOf(record, call.fallbackTime),
  }
}

type Fields = Readonly<Record<string, unknown>>

/** A swap holds its record, a claim its message; a conflict changed nothing. */
function recordIn(result: unknown): Fields | undefined {
  if (!isFields(result) || result['status'] === 'conflict') return undefined
  const inner = [result['record'], result['message']].find(isFields)
  return inner ?? result
}

/** The first time that is there at all decides; a malformed one is not skipped for an older one. */
function timeOf(record: Fields, fallbackTime: number): number {
  const time =
    record['updatedAt'] ??
    record['publishedAt'] ??
    record['createdAt'] ??
    record['settledAt'] ??
    record['claimedAt'] ??
    record['sentAt']
  return typeof time === 'number' && Number.isSafeInteger(time) && time >= 0 ? time : fallbackTime
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
