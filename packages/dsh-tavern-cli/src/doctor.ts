/** `doctor`: versions, the home, keys, the store: what a person, or an issue, needs to know. */
import { access, constants } from 'node:fs/promises'
import type { Context } from '@deepseek-ai/cordis'
import type { MeshReport } from 'dsh-fabric-mesh'
import { boot } from './boot.ts'
import { characters } from './card-files.ts'
import type { MeshAddress } from './mesh-address.ts'
import { hostVersion } from './versions.ts'

export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly found: string
}

/** Every check, those that fail too; it never prints a key. */
export async function doctor(home: string, mesh?: MeshAddress): Promise<readonly Check[]> {
  const checks: Check[] = [
    { name: 'node', ok: nodeIsNewEnough(), found: process.version },
    { name: 'dsh', ok: hostVersion() === '0.1.0-rc.8', found: hostVersion() },
    key(),
  ]
  const ctx = await boot({ home, ...(mesh ? { mesh } : {}) }).catch((error: unknown) =>
    String(error),
  )
  if (typeof ctx === 'string') return [...checks, { name: 'host', ok: false, found: ctx }]
  try {
    return [...checks, ...(await homeChecks(ctx, home))]
  } finally {
    await ctx.fiber.dispose()
  }
}

async function homeChecks(ctx: Context, home: string): Promise<readonly Check[]> {
  const { provider, model } = ctx.cast.defaultModel
  return [
    await attempt('home', async () => {
      await access(home, constants.W_OK)
      return home
    }),
    ...(await storeChecks(ctx)),
    await attempt('scenes', async () => {
      return await allOf(await ctx.scenes.list(), async (id) => {
        await ctx.scenes.check(id)
      })
    }),
    await attempt('characters', async () => {
      return await allOf(await characters(home), async (id) => {
        await ctx.cast.cards.get(id)
      })
    }),
    await attempt('model', async () => {
      const routes = ctx.llm.listProviders().map(({ id }) => id)
      if (!routes.includes(provider))
        throw new Error(`no provider '${provider}' (providers: ${routes.join(', ')})`)
      return `${provider}/${model}; providers: ${routes.join(', ')}`
    }),
  ]
}

/** The store as a whole, then each thing that is wrong with it, or may be. */
async function storeChecks(ctx: Context): Promise<readonly Check[]> {
  const checked: { report?: MeshReport } = {}
  const store = await attempt('store', async () => {
    checked.report = await ctx.mesh.check()
    const { engine, where, facts } = checked.report
    const shown = Object.entries(facts).map(([name, value]) => `${name} ${value}`)
    return `${engine} ${where}: ${shown.join(', ')}`
  })
  const findings = checked.report?.findings ?? []
  return [
    store,
    ...findings.map(({ kind, text }) => ({
      name: kind === 'damage' ? 'store' : 'store (warning)',
      ok: kind !== 'damage',
      found: text,
    })),
  ]
}

async function attempt(name: string, check: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, found: await check() }
  } catch (error) {
    return { name, ok: false, found: error instanceof Error ? error.message : String(error) }
  }
}

/** The ids, when each passes; fails with what every one of the others has. */
async function allOf(
  ids: readonly string[],
  check: (id: string) => Promise<void>,
): Promise<string> {
  const broken: string[] = []
  for (const id of ids) {
    await check(id).catch((error: unknown) => {
      broken.push(`${id}: ${error instanceof Error ? error.message : String(error)}`)
    })
  }
  if (broken.length > 0) throw new Error(broken.join('; '))
  return ids.join(', ')
}

function key(): Check {
  const found = process.env['DEEPSEEK_API_KEY'] ? 'found' : 'not set (not needed for improv)'
  return { name: 'DEEPSEEK_API_KEY', ok: true, found }
}

function nodeIsNewEnough(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 11)
}
