/** A copy of a running store in one file. */
import { statSync, writeFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { backUpSqliteMesh, openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withCode } from '../contract/mesh.ts'
import { type SqliteBed, by, identity, mara, sqliteBed } from './sqlite-bed.ts'

let bed: SqliteBed
beforeEach(() => {
  bed = sqliteBed()
})
afterEach(() => bed.dispose())

function backUp(name: string): string {
  const to = join(bed.folder, name)
  backUpSqliteMesh({ path: bed.path, to, patienceMs: 1000 })
  return to
}

it('holds all that was acknowledged, in one file of its owner, while others write on', async () => {
  await bed.within(async ({ topics, mailboxes }) => {
    await topics.create({ id: 'scene', by })
    await mailboxes.create({ id: 'box', by })
    await mailboxes.send('box', { payload: 'cue', by })
    await mailboxes.claim('box', mara)
    for (let beat = 1; beat <= 20; beat += 1) {
      await topics.publish('scene', { payload: beat, by })
    }

    const to = backUp('copy.db')
    await topics.publish('scene', { payload: 'after', by })

    expect(statSync(to).mode & 0o777).toBe(0o600)
    const copy = openSqliteMesh({ path: to })
    const restored = copy.workspace(identity)
    expect((await restored.topics.read('scene')).map(({ payload }) => payload)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    expect(await restored.mailboxes.claimsOf('box', mara)).toHaveLength(1)
    expect((await copy.check()).findings).toEqual([])
    await copy.close()
  })
})

it('overwrites nothing, and leaves nothing half done', async () => {
  await bed.within(({ topics }) => topics.create({ id: 'scene', by }))
  writeFileSync(join(bed.folder, 'taken'), 'mine')

  expect(() => backUp('taken')).toThrow(expect.objectContaining(withCode('already-exists')))
  expect(() => backUp(join('nowhere', 'copy.db'))).toThrow(/nowhere/)
  expect(readdirSync(bed.folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

it('of a store that is not there makes none', () => {
  const path = join(bed.folder, 'absent.db')

  expect(() => backUpSqliteMesh({ path, to: `${path}.copy`, patienceMs: 100 })).toThrow(
    expect.objectContaining(withCode('not-found')),
  )
  expect(readdirSync(bed.folder)).toEqual([])
})
