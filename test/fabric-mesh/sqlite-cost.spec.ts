/** What is stored does not make the next operation dearer: plans without scans, pages per beat. */
import { DatabaseSync } from 'node:sqlite'
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type SqliteBed, by, identity, mara, sqliteBed } from './sqlite-bed.ts'
import { commitsIn } from './wal.ts'

let bed: SqliteBed
beforeEach(() => {
  bed = sqliteBed()
})
afterEach(() => bed.dispose())

describe('snapshots of many keys', () => {
  it('show the newest changed, and no deleted one', async () => {
    const mesh = await bed.open()
    const workspace = mesh.workspace(identity)
    const set = (key: string, expectedVersion: number) =>
      workspace.states.compareAndSwap({ key, expectedVersion, value: 1, by })
    const keys = Array.from({ length: 1010 }, (_, index) => `key-${index}`)
    await Promise.all(keys.map((key) => set(key, 0)))
    await set('key-5', 1)
    await workspace.states.delete({ key: 'key-1009', expectedVersion: 1, by })
    await set('key-3', 1)
    await set('key-5', 2)

    const snapshot = await workspace.snapshot(4)

    expect(snapshot.states.map((state) => state.key)).toEqual([
      'key-1007',
      'key-1008',
      'key-3',
      'key-5',
    ])
    expect(snapshot.totals.states).toBe(1009)
    expect((await workspace.snapshot(500)).states[0]).toMatchObject({ key: 'key-511' })
    await mesh.close()
  })
})

describe('hot paths', () => {
  it('scan no table', async () => {
    const mesh = await bed.open()
    const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare')
    await useEverything(mesh.workspace(identity))
    const texts = [...new Set(prepared.mock.calls.map(([text]) => text))]
    prepared.mockRestore()
    await mesh.close()
    const database = new DatabaseSync(bed.path)

    const scans = texts.flatMap((text) => {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all()
      // Not a table: the JSON of one row of a log, at most 8 numbers.
      return plan.filter((step) => /^SCAN (?!j VIRTUAL)/.test(String(step['detail'])))
    })
    database.close()

    expect(texts.length).toBeGreaterThan(40)
    expect(scans).toEqual([])
  })

  it('a beat writes as many pages after 3,600 messages as after 200', async () => {
    const mesh = await bed.open()
    const workspace = mesh.workspace(identity)
    await workspace.topics.create({ id: 'scene', by })
    await workspace.mailboxes.create({ id: 'mara', by })
    await playBeats(workspace, 'early', 200)
    const early = await pagesPerBeat(workspace, 'first')
    for (let round = 0; round < 8; round += 1) {
      await Promise.all(
        Array.from({ length: 200 }, (_, index) => playBeats(workspace, `${round}-${index}-`, 1)),
      )
    }

    const late = await pagesPerBeat(workspace, 'last')

    expect(early).toBeLessThan(22)
    expect(late).toBeLessThan(early * 1.25)
    await mesh.close()
  })
})

async function pagesPerBeat(workspace: MeshWorkspace, name: string): Promise<number> {
  const database = new DatabaseSync(bed.path)
  database.exec('PRAGMA wal_checkpoint(RESTART)')
  database.close()
  await playBeats(workspace, name, 100)
  return commitsIn(bed.path).reduce((sum, pages) => sum + pages, 0) / 100
}

async function playBeats(workspace: MeshWorkspace, name: string, count: number): Promise<void> {
  const { mailboxes, topics } = workspace
  for (let index = 0; index < count; index += 1) {
    const id = `${name}#${index}`
    await mailboxes.send('mara', { payload: { text: 'c'.repeat(340) }, by, id })
    const claim = await mailboxes.claim('mara', mara)
    if (claim === undefined) throw new Error('nothing was claimed')
    const payload = { text: 't'.repeat(480) }
    const { sequence } = await topics.publish('scene', { payload, by, id, cause: id })
    const outcome = { status: 'completed', result: { sequence } } as const
    await mailboxes.settle('mara', claim.message.id, { token: claim.token, outcome })
  }
}

/** Every operation once, so that every statement is prepared. */
async function useEverything(workspace: MeshWorkspace): Promise<void> {
  const { topics, states, mailboxes } = workspace
  await topics.create({ id: 'scene', by })
  await topics.open({ id: 'scene', by })
  await mailboxes.open({ id: 'mara', by })
  await mailboxes.send('mara', { payload: 0, by })
  await mailboxes.claim('mara', mara)
  await mailboxes.release('mara', (await mailboxes.read('mara'))[0]?.id ?? '', { by, reason: 'x' })
  await playBeats(workspace, 'beat', 3)
  await mailboxes.claimsOf('mara', mara)
  await mailboxes.findMessage('mara', 'beat#1')
  await topics.read('scene')
  await topics.tail('scene')
  await topics.find('scene')
  await useStates(states)
  await workspace.snapshot()
  await topics.prune('scene', 1)
  await mailboxes.prune('mara', 0)
  const { signal } = new AbortController()
  for await (const _ of topics.watch('scene', { after: 0, signal })) break
  for await (const _ of states.watch('key', { after: 0, signal })) break
}

async function useStates(states: MeshWorkspace['states']): Promise<void> {
  for (let version = 0; version < 3; version += 1) {
    await states.compareAndSwap({
      key: 'key',
      expectedVersion: version,
      value: 1,
      by,
      id: `c${version}`,
    })
  }
  await states.delete({ key: 'key', expectedVersion: 3, by })
  const many = Array.from({ length: 1001 }, (_, index) => `key/${index}`)
  await Promise.all(
    many.map((key) => states.compareAndSwap({ key, expectedVersion: 0, value: 1, by })),
  )
  await states.find('key/1')
  await states.list('key/')
  await states.history('key', { after: 2 })
}
