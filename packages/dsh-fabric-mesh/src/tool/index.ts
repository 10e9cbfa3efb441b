/** The row of a preset that gives its agents the mesh: the tool `fabric_mesh`, its guidance and its context. */
import { join } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-agent'
import { dshHomePath } from '@deepseek-ai/dsh-home-paths'
import z from '@deepseek-ai/schemastery'
import { workerKey } from '../worker-key.ts'
import { Grants } from './grants.ts'
import { UnhandedClaims } from './unhanded-claims.ts'
import { registerPrompt } from './prompt.ts'
import { meshTool } from './tool.ts'

export const name = 'fabric-mesh-tool'
export const inject = ['tools', 'systemPrompt', 'mesh']

export interface Config {
  /** Holds the key from which agents' secrets come (`worker.key`); default `fabric` in the DSH home. */
  readonly folder?: string
  /** Mailboxes that agents of this preset may claim from, beside their own: ids, or beginnings that end in `*`. */
  readonly claims?: string[]
  /** They may release anybody's claims, and revive dead messages. */
  readonly operator?: boolean
}

export const Config: z<Config> = z.object({
  folder: z.string(),
  claims: z.array(z.string()).default([]),
  operator: z.boolean().default(false),
})

export function apply(ctx: Context, config: Config): void {
  const { folder = dshHomePath('fabric'), claims = [], operator = false } = config
  const parts = {
    key: workerKey(join(folder, 'worker.key')),
    grants: new Grants({ claims, operator }),
    unhandedClaims: new UnhandedClaims(),
  }
  ctx.effect(() => ctx.tools.register(meshTool(ctx, parts)), 'fabric-mesh.tool')
  registerPrompt(ctx)
}
