/** A store of the version before, as its build wrote it, opened by this one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type SqliteBed, by, mara, sqliteBed } from './sqlite-bed.ts'

let bed: SqliteBed
beforeEach(() => {
  bed = sqliteBed()
  const database = new DatabaseSync(bed.path)
  database.exec(readFileSync(join(import.meta.dirname, 'version-1.sql'), 'utf8'))
  database.close()
})
afterEach(() => bed.dispose())

it('loses nothing, and claims are regained', async () => {
  await bed.within(async ({ topics, states, mailboxes }) => {
    expect(await topics.read('scene')).toHaveLength(10)
    expect(await topics.findMessage('scene', 'beat-3')).toMatchObject({ to: ['mara'] })
    expect(await states.find('door')).toMatchObject({ value: 'shut', version: 2 })
    const read = await mailboxes.read('box')
    expect(
      read.map(({ id, status, attempts, priority }) => [id, status, attempts, priority]),
    ).toEqual([
      ['settled', 'completed', 1, 0],
      ['failed', 'failed', 1, 0],
      ['claimed', 'claimed', 1, 0],
      ['released', 'queued', 1, 0],
      ['queued', 'queued', 0, 0],
    ])
    const [claim] = await mailboxes.claimsOf('box', mara)
    const outcome = { status: 'completed', result: 2 } as const
    const settled = await mailboxes.settle('box', 'claimed', { token: claim?.token ?? '', outcome })
    expect(settled).toMatchObject({ status: 'completed', result: 2 })
  })
})

it('takes what is new: leases, priorities, dead letters', async () => {
  await bed.within(async ({ mailboxes }) => {
    await mailboxes.send('box', { payload: 'urgent', by, priority: 5 })
    expect(await mailboxes.claim('box', mara)).toMatchObject({ message: { payload: 'urgent' } })
    await mailboxes.create({ id: 'leased', by, leaseMs: 1000, maxAttempts: 1 })
    await mailboxes.send('leased', { payload: 1, by, id: 'cue' })
    await mailboxes.claim('leased', mara)
    const released = await mailboxes.release('leased', 'cue', { by: 'operator', reason: 'gone' })
    expect(released).toMatchObject({ status: 'dead', reason: 'gone' })
  })
})

it('a process of the version before cannot write an id by its old rule', async () => {
  const old = new DatabaseSync(bed.path)
  const add = old.prepare('INSERT INTO given (place, hash, n) VALUES (2, 1, 1)')

  await bed.within(({ topics }) => topics.publish('scene', { payload: 'new', by, id: 'new' }))

  expect(() => add.run()).toThrow(/no column named hash/)
  old.close()
})

it('two processes that open it at once bring it forward once', async () => {
  const meshes = await Promise.all([bed.open(), bed.open()])

  for (const mesh of meshes) expect((await mesh.check()).facts).toMatchObject({ version: 2 })
  await Promise.all(meshes.map((mesh) => mesh.close()))
})
