/** Where the installed bundle keeps its presets and scenes, for the rows of its `cordis.patch.yml`: `ctx.tavernBundle`. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/cordis-plugin-loader'
import z from '@deepseek-ai/schemastery'

declare module '@deepseek-ai/cordis' {
  interface Context {
    tavernBundle: TavernBundle
  }
}

export interface TavernBundle {
  /** The whole config of the row that stands in for the host's: its own, and our preset root after its roots. */
  readonly presets: object
  /** Folder of the scenes that ship. */
  readonly scenes: string
}

export interface Config {
  /** The package that holds `presets/` and `scenes/`, resolved from the profile. */
  readonly package: string
  /** The id of the host's disabled preset row. */
  readonly hostRow: string
}

export const Config: z<Config> = z.object({
  package: z.string().default('dsh-fabric-tavern'),
  hostRow: z.string().default('agent-presets'),
})

export const name = 'tavern-bundle'
export const inject = ['loader']

export function apply(ctx: Context, config: Config): void {
  const { baseUrl } = ctx
  if (baseUrl === undefined) throw new Error('dsh-fabric-tavern: mount this row in a profile')
  const folder = dirname(createRequire(baseUrl).resolve(`${config.package}/package.json`))
  ctx.provide('tavernBundle', {
    presets: withRoot(hostPresets(ctx, config.hostRow), join(folder, 'presets')),
    scenes: join(folder, 'scenes'),
  } satisfies TavernBundle)
}

const presetRow = z.object({
  default: z.string().required(),
  roots: z.array(z.any()).default([]),
  includeUserRoot: z.boolean().default(true),
})

/** The launcher gives the host's shipped presets to the row it knows, also when that row is disabled. */
function hostPresets(ctx: Context, rowId: string): ReturnType<typeof presetRow> {
  const row = [...ctx.loader.entries()].find(({ options }) => options.id === rowId)
  if (row) return presetRow(row.options.config)
  throw new Error(
    `dsh-fabric-tavern: this profile has no row '${rowId}'; install into one with presets, such as web`,
  )
}

function withRoot(presets: ReturnType<typeof presetRow>, path: string): object {
  return { ...presets, roots: [...presets.roots, { path, trust: 'system' }] }
}
