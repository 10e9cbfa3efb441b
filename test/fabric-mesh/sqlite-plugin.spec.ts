/** The SQLite engine as a plugin of the host. */
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import SqliteMesh from 'dsh-fabric-mesh/sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withCode } from '../contract/mesh.ts'
import { type SqliteBed, sqliteBed } from './sqlite-bed.ts'

let bed: SqliteBed
beforeEach(() => {
  bed = sqliteBed()
})
afterEach(() => bed.dispose())

it('provides ctx.mesh, and takes it away with the last write done', async () => {
  const ctx = new Context()
  const fiber = await ctx.plugin(SqliteMesh, { path: bed.path })
  const { mesh } = ctx
  const { topics } = mesh.workspace('workspace:inn')
  await topics.create({ id: 'scene', by: 'narrator' })

  const admitted = topics.publish('scene', { payload: 'last words', by: 'narrator' })
  await fiber.dispose()

  expect(await admitted).toMatchObject({ sequence: 1 })
  await expect(topics.read('scene')).rejects.toMatchObject(withCode('closed'))
  expect(ctx.get('mesh')).toBeUndefined()
  const again = await bed.open()
  expect(await again.workspace('workspace:inn').topics.read('scene')).toHaveLength(1)
  await again.close()
})

it('takes its limits from its config', async () => {
  const ctx = new Context()
  const fiber = await ctx.plugin(SqliteMesh, { path: bed.path, payloadLimitBytes: 1024 })
  const { topics } = ctx.mesh.workspace('workspace:inn')
  await topics.create({ id: 'scene', by: 'narrator' })

  await expect(
    topics.publish('scene', { payload: 'x'.repeat(1023), by: 'narrator' }),
  ).rejects.toMatchObject(withCode('payload-too-large'))
  await fiber.dispose()
})

it.each([
  ['no path', {}],
  ['a payload limit too low', { path: 'x', payloadLimitBytes: 10 }],
  ['a history of nothing', { path: 'x', historyLimit: 0 }],
])('refuses a config with %s', async (_, config) => {
  const ctx = new Context()

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a row of a YAML file may have it
  const mounting = async () => ctx.plugin(SqliteMesh, config as { path: string })

  await expect(mounting()).rejects.toThrow(/config|path|limit/i)
})

it('fails to load on a file that it cannot open, and names it', async () => {
  const ctx = new Context()
  const path = join(bed.folder)

  await expect((async () => ctx.plugin(SqliteMesh, { path }))()).rejects.toThrow(path)
})
