/** The shared world of a run: mesh state under one prefix, each variable with who knows of it. */
import { jsonValue, type JsonValue, type StateRecord } from 'dsh-fabric-protocol'
import {
  type CharacterId,
  characterId,
  type Effect,
  type ParticipantId,
  type WorldChange,
} from 'dsh-tavern-protocol'
import { z } from 'zod'
import type { WorldVariable } from './briefing.ts'
import { CastError } from './error.ts'
import { cut } from './quoting.ts'
import type { Run } from './run.ts'

/** A world variable as its state record holds it. */
export const storedVariable = z.object({
  value: jsonValue,
  knownTo: z.array(characterId).readonly().optional(),
})

export interface KnownVariable extends WorldVariable {
  readonly value: JsonValue
  readonly knownTo: readonly CharacterId[] | undefined
}

/** Puts the scene's world there once, and its variables as what nobody knows of; what play has changed since stands. */
export async function createWorld(run: Run): Promise<void> {
  const { world, variables } = run.scene
  const entries = [
    ...Object.entries(world),
    ...Object.entries(variables).map(([key, value]) => [key, { value, knownTo: [] }] as const),
  ]
  await Promise.all(
    entries.map(async ([key, entry]) => {
      const { value, knownTo } = entry
      await run.workspace.states.compareAndSwap({
        key: run.worldKey(key),
        expectedVersion: 0,
        value: knownTo ? { value, knownTo } : { value },
        by: 'scene',
        id: `create/${key}`,
      })
    }),
  )
}

export async function readWorld(run: Run): Promise<readonly KnownVariable[]> {
  return (await worldRecords(run)).map((record) => worldVariable(run, record))
}

/** The world's variables as the mesh holds them. */
export async function worldRecords(run: Run): Promise<readonly StateRecord[]> {
  const prefix = run.worldKey('')
  const records: StateRecord[] = []
  for (let after: string | undefined; ;) {
    const page = await run.workspace.states.list(prefix, {
      limit: 500,
      ...(after ? { after } : {}),
    })
    records.push(...page)
    after = page.at(-1)?.key
    if (page.length < 500) return records
  }
}

export async function findVariable(run: Run, key: string): Promise<KnownVariable | undefined> {
  const record = await run.workspace.states.find(run.worldKey(key))
  return record && worldVariable(run, record)
}

export function knows(
  character: CharacterId,
  { knownTo }: Pick<KnownVariable, 'knownTo'>,
): boolean {
  return knownTo?.includes(character) ?? true
}

/** Applies one staged change; the same id twice applies it once. */
export async function changeWorld(
  run: Run,
  change: Extract<Effect, { kind: 'world' }>,
  author: { readonly id: string; readonly by: ParticipantId; readonly cause: string },
): Promise<WorldChange> {
  const { key, value, expectedVersion } = change
  const before = await findVariable(run, key)
  const knownTo = before?.knownTo
  const result = await run.workspace.states.compareAndSwap({
    key: run.worldKey(key),
    expectedVersion,
    value: knownTo ? { value, knownTo } : { value },
    ...author,
  })
  const scope = knownTo ? { knownTo } : {}
  if (result.status === 'swapped') {
    return { status: 'applied', key, value, version: result.record.version, ...scope }
  }
  const current = result.current && worldVariable(run, result.current)
  return {
    status: 'conflict',
    key,
    value,
    expectedVersion,
    currentVersion: current?.version ?? 0,
    currentValue: told(current?.value ?? null),
    ...scope,
  }
}

/** A conflict rides on a beat and in a briefing: of a large value it tells the beginning. */
function told(value: JsonValue): JsonValue {
  const json = JSON.stringify(value)
  return Buffer.byteLength(json) <= TOLD_BYTES ? value : cut(json, TOLD_BYTES)
}

const TOLD_BYTES = 2048

/** A world variable read from its record. Fails with `invalid-record`. */
export function worldVariable(run: Run, record: StateRecord): KnownVariable {
  const key = record.key.slice(run.worldKey('').length)
  const parsed = storedVariable.safeParse(record.value)
  if (!parsed.success) {
    throw new CastError('invalid-record', `world variable '${key}': ${parsed.error.message}`)
  }
  const { value, knownTo } = parsed.data
  return { key, version: record.version, value, knownTo }
}
