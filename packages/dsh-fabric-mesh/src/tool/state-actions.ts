/** The tool's actions on state; a conflict carries what stands there, so that nobody has to ask again. */
import { asJson, type JsonValue, type StateRecord } from 'dsh-fabric-protocol'
import type { Arguments } from './arguments.ts'
import type { Caller } from './caller.ts'
import { MeshToolError } from './error.ts'
import { fitting, PAGE_BYTES } from './fitting.ts'

export async function getState(given: Arguments, caller: Caller): Promise<JsonValue> {
  const record = await caller.reach.states.find(given.id('key'))
  return record === undefined ? null : asJson(record)
}

export async function listState(given: Arguments, caller: Caller): Promise<JsonValue> {
  const after = given.afterKey()
  const limit = given.limit()
  const page = { limit, ...(after ? { after } : {}) }
  const records = await caller.reach.states.list(given.prefix(), page)
  return fitting(records, PAGE_BYTES).map(asJson)
}

export async function casState(given: Arguments, caller: Caller): Promise<JsonValue> {
  const change = changeIn(given, caller)
  const value = given.json('value')
  const result = await caller.reach.states.compareAndSwap({ ...change, value })
  if (result.status === 'conflict') throw conflict(change, result.current)
  return asJson(result.record)
}

export async function deleteState(given: Arguments, caller: Caller): Promise<JsonValue> {
  const change = changeIn(given, caller)
  const result = await caller.reach.states.delete(change)
  if (result.status === 'conflict') throw conflict(change, result.current)
  return { key: change.key, version: result.version, deleted: true }
}

interface Change {
  readonly key: string
  readonly expectedVersion: number
}

function changeIn(given: Arguments, caller: Caller) {
  const id = given.optionalId('id')
  return {
    key: given.id('key'),
    expectedVersion: given.version(),
    ...caller.author,
    ...(id ? { id } : {}),
  }
}

function conflict(change: Change, current: StateRecord | undefined): MeshToolError {
  const { key, expectedVersion } = change
  const found = current?.version ?? 0
  return new MeshToolError({
    code: 'version-conflict',
    message: `'${key}' was expected at version ${expectedVersion} and is at ${found}`,
    argument: 'expected_version',
    detail: { current: current === undefined ? null : asJson(current) },
  })
}
