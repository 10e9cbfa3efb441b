/** Grouped commits, and a store that another process keeps busy. */
import { DatabaseSync } from 'node:sqlite'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withCode } from '../contract/mesh.ts'
import { type SqliteBed, by, identity, mara, sqliteBed } from './sqlite-bed.ts'
import { commitsIn } from './wal.ts'

let bed: SqliteBed
beforeEach(() => {
  bed = sqliteBed({ patienceMs: 50 })
})
afterEach(() => bed.dispose())

describe('grouped commits', () => {
  it('all writes of one event-loop turn share one commit', async () => {
    await bed.within(async ({ topics, states, mailboxes }) => {
      await Promise.all([topics.create({ id: 'scene', by }), mailboxes.create({ id: 'box', by })])
      const before = commitsIn(bed.path).length

      await Promise.all([
        ...Array.from({ length: 50 }, () => topics.publish('scene', { payload: 1, by })),
        ...Array.from({ length: 50 }, () => mailboxes.send('box', { payload: 1, by })),
        states.compareAndSwap({ key: 'door', expectedVersion: 0, value: 1, by }),
      ])

      expect(commitsIn(bed.path)).toHaveLength(before + 1)
    })
  })

  it('of a shared commit, one that fails fails alone, and leaves nothing behind', async () => {
    await bed.within(async ({ topics, mailboxes }) => {
      await topics.create({ id: 'scene', by })

      const results = await Promise.allSettled([
        topics.publish('scene', { payload: 'before', by: 'ivo' }),
        topics.create({ id: 'scene', by: 'a stranger' }),
        mailboxes.create({ id: 'box', by: 'a stranger' }),
        topics.publish('nowhere', { payload: 'lost', by: 'another' }),
        topics.publish('scene', { payload: 'after', by: 'another' }),
      ])

      expect(results.map((result) => result.status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
      ])
      const read = await topics.read('scene')
      expect(read.map(({ payload, by: author }) => [payload, author])).toEqual([
        ['before', 'ivo'],
        ['after', 'another'],
      ])
      expect(await mailboxes.find('box')).toMatchObject({ by: 'a stranger' })
    })
  })

  it('promises resolve in the order of their calls', async () => {
    await bed.within(async ({ topics, mailboxes }) => {
      await Promise.all([topics.create({ id: 'scene', by }), mailboxes.create({ id: 'box', by })])
      const resolved: number[] = []

      await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const post = { payload: index, by }
          await (index % 2 ? topics.publish('scene', post) : mailboxes.send('box', post))
          resolved.push(index)
        }),
      )

      expect(resolved).toEqual(Array.from({ length: 20 }, (_, index) => index))
    })
  })

  it('a claim of nothing and a repeated publish commit nothing', async () => {
    await bed.within(async ({ topics, mailboxes }) => {
      await Promise.all([topics.create({ id: 'scene', by }), mailboxes.create({ id: 'box', by })])
      await topics.publish('scene', { payload: 1, by, id: 'beat' })
      const before = commitsIn(bed.path).length

      await mailboxes.claim('box', mara)
      await topics.publish('scene', { payload: 1, by, id: 'beat' })

      expect(commitsIn(bed.path)).toHaveLength(before)
    })
  })
})

describe('a busy store', () => {
  it('is refused once patience has run out, and nothing was written', async () => {
    await bed.within(async ({ topics }) => {
      await topics.create({ id: 'scene', by })
      const other = new DatabaseSync(bed.path)
      other.exec('BEGIN IMMEDIATE')

      const refused = topics.publish('scene', { payload: 'lost', by })

      await expect(refused).rejects.toMatchObject(withCode('store-unavailable'))
      await expect(refused).rejects.toThrow(bed.path)
      expect(await topics.read('scene')).toEqual([])
      other.exec('ROLLBACK')
      other.close()
      expect(await topics.publish('scene', { payload: 1, by })).toMatchObject({ sequence: 1 })
    })
  })

  it('is waited for without blocking; the writes of the wait join in, in order', async () => {
    const mesh = openSqliteMesh({ path: bed.path })
    const { topics } = mesh.workspace(identity)
    await topics.create({ id: 'scene', by })
    const other = new DatabaseSync(bed.path)
    other.exec('BEGIN IMMEDIATE')

    const first = topics.publish('scene', { payload: 1, by })
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    const second = topics.publish('scene', { payload: 2, by })
    const read = await topics.read('scene')
    other.exec('COMMIT')
    other.close()

    expect(read).toEqual([])
    expect(await Promise.all([first, second])).toMatchObject([{ sequence: 1 }, { sequence: 2 }])
    await mesh.close()
  })

  it('is no matter to reads, nor to a claim that finds nothing', async () => {
    await bed.within(async ({ topics, mailboxes }) => {
      await Promise.all([topics.create({ id: 'scene', by }), mailboxes.create({ id: 'box', by })])
      const other = new DatabaseSync(bed.path)
      other.exec('BEGIN IMMEDIATE')

      expect(await topics.read('scene')).toEqual([])
      expect(await mailboxes.claim('box', mara)).toBeUndefined()

      other.close()
    })
  })

  it('closing waits for the writes that wait', async () => {
    const mesh = openSqliteMesh({ path: bed.path })
    const { topics } = mesh.workspace(identity)
    await topics.create({ id: 'scene', by })
    const other = new DatabaseSync(bed.path)
    other.exec('BEGIN IMMEDIATE')

    const published = topics.publish('scene', { payload: 1, by })
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    const closed = mesh.close()
    other.exec('COMMIT')
    other.close()

    await closed
    expect(await published).toMatchObject({ sequence: 1 })
  })
})
