/** A topic whose newest beat cannot be read: the run passes over it and plays on. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { ellis, line, mara } from './beats.ts'
import { openRun } from './run-bed.ts'

test('a beat is published after it, and later ones too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-damaged-'))
  const path = join(folder, 'mesh.sqlite')
  const mesh = openSqliteMesh({ path })
  onTestFinished(async () => {
    await mesh.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const first = await openRun(mesh.workspace('tavern'))
  await first.run.publish('one', line({ author: mara }))
  await first.run.publish('two', line({ author: ellis }))
  const database = new DatabaseSync(path)
  database.exec(`UPDATE record SET payload = '{"half' WHERE id = 'two'`)
  database.close()

  const { run } = await openRun(mesh.workspace('tavern'))
  const third = await run.publish('three', line({ author: mara }))
  const fourth = await run.publish('four', line({ author: mara }))

  expect([third.sequence, fourth.sequence]).toEqual([3, 4])
  expect((await run.read(0, 10)).map(({ id }) => id)).toEqual(['one', 'three', 'four'])
})
