/** Whose mesh an agent's calls and its prompt are about: the host's workspaces first, then the folder. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Storage from '@deepseek-ai/dsh-storage'
import * as StorageDomain from '@deepseek-ai/dsh-storage-domain'
import * as StorageJson from '@deepseek-ai/dsh-storage-json'
import WorkspaceRegistry from '@deepseek-ai/dsh-workspace'
import { expect, it } from 'vitest'
import { call, newFolder, openHost, turn } from './host.ts'

it('a registered workspace is found by its session, and by its folder through a link', async () => {
  const home = newFolder()
  const folder = join(home, 'project')
  const link = join(home, 'link')
  mkdirSync(folder)
  symlinkSync(folder, link)
  const host = await openHost({
    home,
    before: async (ctx) => {
      await ctx.plugin(Storage)
      await ctx.plugin(StorageJson, { root: join(home, 'storages') })
      await ctx.plugin(StorageDomain, { backend: 'json' })
      await ctx.plugin(WorkspaceRegistry)
    },
  })
  const workspace = await host.ctx.workspaceRegistry.create(folder, 'Project')
  const attached = await host.agent('attached', { cwd: folder })
  await turn(attached)
  await workspace.attachSession(attached.id)
  const linked = await host.agent('linked', { cwd: link })

  await call(host, attached, { action: 'create_topic', id: 'news', label: 'News' })

  expect(await call(host, linked, { action: 'snapshot' })).toMatchObject({
    topics: [{ id: 'news' }],
  })
  const stored = host.ctx.mesh.workspace(`workspace:${workspace.id}`)
  expect(await stored.topics.find('news')).toMatchObject({ by: 'attached' })
  await turn(linked)
  expect(host.model.requests.at(-1)?.newest).toContain('"id":"news"')
})
