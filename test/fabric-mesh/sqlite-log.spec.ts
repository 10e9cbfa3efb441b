/** The log under topics, mailboxes and state: ids that look alike, what pruning leaves, how much history is kept. */
import { DatabaseSync } from 'node:sqlite'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SqliteBed, by, identity, mara, sqliteBed } from './sqlite-bed.ts'

let bed: SqliteBed
beforeEach(() => {
  bed = sqliteBed()
})
afterEach(() => bed.dispose())

function rowsOf(table: string): number {
  const database = new DatabaseSync(bed.path)
  const row = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()
  database.close()
  return Number(row?.['rows'])
}

it('two ids whose short hashes are equal are two messages', async () => {
  const ids = ['beat-1/256', 'beat-2/0'] // their numbers run on
  const mesh = await bed.open()
  const { topics } = mesh.workspace(identity)
  await topics.create({ id: 'scene', by })

  for (const id of ids) await topics.publish('scene', { payload: id, by, id })

  const database = new DatabaseSync(bed.path)
  const hashes = database.prepare('SELECT key FROM given').all()
  database.close()
  expect(hashes[0]).toEqual(hashes[1])
  for (const id of ids) {
    expect(await topics.findMessage('scene', id)).toMatchObject({ payload: id })
    expect(await topics.publish('scene', { payload: 'again', by, id })).toMatchObject({
      payload: id,
    })
  }
  await topics.prune('scene', 1)
  expect(await topics.findMessage('scene', ids[0] ?? '')).toBeUndefined()
  expect(await topics.findMessage('scene', ids[1] ?? '')).toMatchObject({ sequence: 2 })
  await mesh.close()
})

it('pruning leaves nothing of what it deletes', async () => {
  const mesh = await bed.open()
  const { topics, mailboxes } = mesh.workspace(identity)
  await topics.create({ id: 'scene', by })
  await mailboxes.create({ id: 'box', by })
  for (let index = 0; index < 20; index += 1) {
    await topics.publish('scene', { payload: index, by, id: `beat-${index}` })
    await mailboxes.send('box', { payload: index, by, id: `cue-${index}` })
    await mailboxes.claim('box', mara)
    await mailboxes.release('box', `cue-${index}`, { by, reason: 'again' })
    const claim = await mailboxes.claim('box', mara)
    const outcome = { status: 'failed', error: 'no voice' } as const
    await mailboxes.settle('box', `cue-${index}`, { token: claim?.token ?? '', outcome })
  }

  await topics.prune('scene', 0)
  await mailboxes.prune('box', 0)
  await mesh.close()

  for (const table of ['given', 'settled', 'released']) expect(rowsOf(table)).toBe(0)
  expect(rowsOf('record WHERE place <> 0')).toBe(0)
  expect(rowsOf('record')).toBe(1) // holds the newest number
  expect(rowsOf('desk')).toBe(1)
  expect(rowsOf('part')).toBe(2)
})

describe('state history', () => {
  it('keeps the newest changes of each key, and their ids', async () => {
    const mesh = openSqliteMesh({ path: bed.path, historyLimit: 3 })
    const { states } = mesh.workspace(identity)
    for (let version = 0; version < 10; version += 1) {
      const swap = { expectedVersion: version, value: version, by, id: `change-${version}` }
      await states.compareAndSwap({ ...swap, key: 'door' })
      if (version < 2) await states.compareAndSwap({ ...swap, key: 'lamp' })
    }

    const door = await states.history('door')
    const swap = { key: 'door', by, value: 'x' }

    expect(door.map((change) => change.version)).toEqual([8, 9, 10])
    expect(await states.history('door', { after: door[0]?.sequence ?? 0 })).toEqual(door.slice(1))
    expect(await states.history('lamp')).toHaveLength(2)
    expect(
      await states.compareAndSwap({ ...swap, expectedVersion: 9, id: 'change-9' }),
    ).toMatchObject({ status: 'swapped', replayed: true, record: { version: 10 } })
    expect(
      await states.compareAndSwap({ ...swap, expectedVersion: 0, id: 'change-0' }),
    ).toMatchObject({ status: 'conflict', current: { version: 10 } })
    await mesh.close()
  })

  it('a lowered limit is reached by the writes that follow', async () => {
    const many = openSqliteMesh({ path: bed.path })
    for (let version = 0; version < 40; version += 1) {
      const swap = { key: 'door', expectedVersion: version, value: version, by }
      await many.workspace(identity).states.compareAndSwap(swap)
    }
    await many.close()

    const few = openSqliteMesh({ path: bed.path, historyLimit: 5 })
    const { states } = few.workspace(identity)
    for (let version = 40; version < 80; version += 1) {
      await states.compareAndSwap({ key: 'door', expectedVersion: version, value: version, by })
    }

    expect(await states.history('door')).toHaveLength(5)
    const { signal } = new AbortController()
    const seen: number[] = []
    for await (const change of states.watch('', { after: 0, signal })) {
      seen.push(change.version)
      if (seen.length === 5) break
    }
    expect(seen).toEqual([76, 77, 78, 79, 80])
    await few.close()
    expect(rowsOf('record')).toBe(5)
    expect(rowsOf('part')).toBeLessThanOrEqual(4)
  })
})
