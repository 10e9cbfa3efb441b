/** Where several hosts may come to perform the same cue, what decides whose performance stands: the first one written down. */
import { createHash } from 'node:crypto'
import { asJson, type JsonValue } from 'dsh-fabric-protocol'
import { type Performance, performance as performanceSchema } from 'dsh-tavern-protocol'
import { CastError } from './error.ts'
import type { Run } from './run.ts'

export type Produced = Extract<Performance, { status: 'spoken' | 'silent' }>

/** What stands for this id; undefined while nobody wrote anything down. */
export async function findStanding(run: Run, id: string): Promise<JsonValue | undefined> {
  return (await run.workspace.states.find(keyOf(run, id)))?.value
}

/**
 * Writes it down unless something stands already, and returns what stands. Whoever writes anything
 * else for this id writes what stands, so that two hosts write the same.
 */
export async function stand(
  run: Run,
  { id, value, by }: { readonly id: string; readonly value: JsonValue; readonly by: string },
): Promise<JsonValue> {
  const swapped = await run.workspace.states.compareAndSwap({
    key: keyOf(run, id),
    expectedVersion: 0,
    value,
    by,
    cause: id,
  })
  if (swapped.status === 'swapped') return swapped.record.value
  return swapped.current?.value ?? value
}

export function asStanding(performance: Produced): JsonValue {
  return asJson(performance)
}

export function standingPerformance(run: Run, id: string, value: JsonValue): Produced {
  const read = performanceSchema.safeParse(value)
  if (read.success && (read.data.status === 'spoken' || read.data.status === 'silent')) {
    return read.data
  }
  const found = read.success ? `it is ${read.data.status}` : read.error.message
  throw new CastError('invalid-record', `state '${keyOf(run, id)}': ${found}`)
}

/** An id may be longer than a key. */
function keyOf(run: Run, id: string): string {
  return `run/${run.id}/standing/${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
}
