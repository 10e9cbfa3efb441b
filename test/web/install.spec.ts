/** The built bundle in a profile of the stock host: one command puts it in, one takes it out again. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dsh, newDshHome, node, repository, startDshWeb } from './dsh-web.ts'

const run = promisify(execFile)
const { home, remove } = newDshHome()
const profile = join(home, 'profiles/web')
const bin = join(repository, 'node_modules/.bin')

/** `dsh plugin` needs pnpm on the path; pnpm needs the developer's own registry settings. */
async function plugin(...args: readonly string[]): Promise<void> {
  await run(node, [dsh, 'plugin', '--profile', 'web', ...args], {
    cwd: home,
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}`, DSH_HOME: home },
  })
}

function manifest(): { readonly dependencies?: object; readonly dsh: object } {
  return JSON.parse(readFileSync(join(profile, 'package.json'), 'utf8'))
}

/** What the host's rows are, as it prints them itself. */
async function rows(): Promise<string> {
  const { stdout } = await run(node, [dsh, '--profile', 'web', '--dump-config'], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, DSH_HOME: home },
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

async function boots(): Promise<string> {
  const host = await startDshWeb(home)
  try {
    const response = await fetch(host.url)
    expect(response.status).toBe(200)
    return host.output()
  } finally {
    await host.stop()
  }
}

const bundle = join(repository, 'dist/dsh-fabric-tavern')

beforeAll(async () => {
  await run(node, [join(bin, 'tsdown')], { cwd: repository })
}, 60_000)

afterAll(() => remove())

describe('the built bundle', { timeout: 90_000 }, () => {
  it('is installed by one command, and every row of it activates', async () => {
    await plugin('add', `file:${bundle}`)

    await boots()

    expect(existsSync(join(profile, 'node_modules/dsh-fabric-tavern/scenes'))).toBe(true)
    expect(await rows()).toContain('tavern-delegate')
    expect(existsSync(join(home, 'tavern/mesh.sqlite'))).toBe(true)
  })

  it('runs a checked program from what was installed, its threads and all', async () => {
    const script = `
      import { Context } from '@deepseek-ai/cordis'
      import Provider from 'dsh-fabric-code-runtime-quickjs/provider'
      const ctx = new Context()
      await ctx.plugin(Provider)
      const run = (program) => ctx.checkedCode.run({ program, namespaces: [] })
      const right = await run('const six: number = 6; return six * 7')
      const wrong = await run('const six: string = 6; return six')
      console.log(JSON.stringify({ right, kind: wrong.failure?.kind }))
      await ctx.fiber.dispose()`
    // a flag that no thread takes
    const { stdout } = await run(node, ['--input-type=module', '-e', script], { cwd: profile })

    expect(JSON.parse(stdout)).toEqual({
      right: { status: 'completed', value: 42, logs: [] },
      kind: 'check',
    })
  })

  it('is taken out by one command, and the profile is as it was', async () => {
    await plugin('remove', 'dsh-fabric-tavern')

    await boots()

    expect(manifest().dependencies ?? {}).toEqual({})
    expect(manifest().dsh).toEqual({
      profile: { bundles: ['@deepseek-ai/dsh-base', '@deepseek-ai/dsh-web-app'] },
    })
    expect(await rows()).not.toContain('tavern')
  })
})
