/** What the bundle's rows are told: the host's own presets first, then the tavern's, and where the scenes lie. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Context } from '@deepseek-ai/cordis'
import Loader, { type EntryOptions } from '@deepseek-ai/cordis-plugin-loader'
import * as Bundle from 'dsh-tavern-delegate/bundle'
import { expect, it, onTestFinished } from 'vitest'

const config = { package: 'dsh-fabric-tavern', hostRow: 'agent-presets' }

async function openProfile(): Promise<{ readonly ctx: Context; readonly installed: string }> {
  const profile = realpathSync(mkdtempSync(join(tmpdir(), 'tavern-profile-')))
  onTestFinished(() => rmSync(profile, { recursive: true, force: true }))
  const installed = join(profile, 'node_modules/dsh-fabric-tavern')
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'package.json'), '{"name":"dsh-fabric-tavern"}')
  const ctx = new Context()
  ctx.baseUrl = `${pathToFileURL(profile).href}/`
  await ctx.plugin(Loader)
  onTestFinished(async () => await ctx.fiber.dispose())
  return { ctx, installed }
}

it('the roots of the disabled row come first, its other keys stay', async () => {
  const { ctx, installed } = await openProfile()
  const shipped = { path: '/shipped', trust: 'system' }
  const row: EntryOptions = {
    id: 'agent-presets',
    name: 'not-loaded',
    disabled: true,
    config: { default: 'standard', roots: [shipped], includeUserRoot: false },
  }
  await ctx.loader.create(row)

  await ctx.plugin(Bundle, config)

  expect(ctx.tavernBundle).toEqual({
    presets: {
      default: 'standard',
      roots: [shipped, { path: join(installed, 'presets'), trust: 'system' }],
      includeUserRoot: false,
    },
    scenes: join(installed, 'scenes'),
  })
})

it('a profile without presets is refused, saying which row is missing', async () => {
  const { ctx } = await openProfile()

  await expect(ctx.plugin(Bundle, config)).rejects.toThrow(/no row 'agent-presets'/)
})
