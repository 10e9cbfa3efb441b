/** The tavern's composition on the stock host, in this process: the rows that a DSH profile with our bundle mounts. */
import { mkdirSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Context } from '@deepseek-ai/cordis'
import Group from '@deepseek-ai/cordis-plugin-group'
import Include from '@deepseek-ai/cordis-plugin-include'
import Loader from '@deepseek-ai/cordis-plugin-loader'
import AgentRegistry from '@deepseek-ai/dsh-agent'
import AgentDefaultModel from '@deepseek-ai/dsh-agent-default-model'
import AgentLoop from '@deepseek-ai/dsh-agent-loop'
import LocalCredentials from '@deepseek-ai/dsh-credentials-local'
import LlmRuntime from '@deepseek-ai/dsh-llm'
import * as DeepSeek from '@deepseek-ai/dsh-llm-deepseek'
import * as Retry from '@deepseek-ai/dsh-llm-retry'
import SessionStore from '@deepseek-ai/dsh-session'
import * as CheckpointPolicy from '@deepseek-ai/dsh-session-checkpoint-policy'
import JsonlPersistence from '@deepseek-ai/dsh-session-persistence-jsonl'
import SessionProjections from '@deepseek-ai/dsh-session-projection'
import FileSettings from '@deepseek-ai/dsh-settings-file'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import TokenMeter from '@deepseek-ai/dsh-token-meter'
import ToolRuntime from '@deepseek-ai/dsh-tools'
import QuickjsCode from 'dsh-fabric-code-runtime-quickjs/provider'
import SqliteMesh from 'dsh-fabric-mesh/sqlite'
import Cast from 'dsh-tavern-cast'
import TavernPresets from 'dsh-tavern-cast/presets'
import * as Improv from 'dsh-tavern-improv'
import Narrators from 'dsh-tavern-narrator'
import Scenes from 'dsh-tavern-scene'
import type { MeshAddress } from './mesh-address.ts'
import { natsSettings } from './nats-settings.ts'

/** Engines are known here only. */
export { backUpSqliteMesh } from 'dsh-fabric-mesh/sqlite'

/** Where the repository, or the installed bundle, keeps `presets/` and `scenes/`. */
export const bundleRoot = new URL('../../../', import.meta.url)

export interface BootOptions {
  /** The DSH home: absolute. */
  readonly home: string
  /** Milliseconds improv waits between the pieces of an answer. */
  readonly pace?: number
  /** How readily improv uses its tools, 0 to 1. */
  readonly toolUse?: number
  /** Hosts that retry a failing provider wait; a test need not. */
  readonly retry?: boolean
  /** Tokens of improv's window. */
  readonly contextWindow?: number
  /** More folders with presets, before the home's own. */
  readonly presetRoots?: readonly string[]
  readonly sceneRoots?: readonly string[]
  /** A mesh that other homes play on too; the home's own file when absent. */
  readonly mesh?: MeshAddress
  /** The name of this home among the hosts of such a mesh. */
  readonly hostName?: string
  readonly leaseMs?: number
}

/** Files of the tavern in a home. */
export function homePaths(home: string) {
  const folder = join(home, 'tavern')
  return {
    folder,
    mesh: join(folder, 'mesh.sqlite'),
    sessions: join(home, 'sessions'),
    presets: join(home, '.agent-presets'),
    scenes: join(folder, 'scenes'),
    settings: join(home, 'settings.yaml'),
  } as const
}

/** Mounts everything; dispose the returned context's fiber to close it. */
export async function boot(options: BootOptions): Promise<Context> {
  mkdirSync(join(options.home, 'tavern'), { recursive: true })
  const home = realpathSync(options.home)
  process.env['DSH_HOME'] = home
  const ctx = new Context()
  ctx.baseUrl = new URL('./', import.meta.url).href
  try {
    await mountHost(ctx, home, options)
    await mountTavern(ctx, home, options)
    return ctx
  } catch (error) {
    await ctx.fiber.dispose()
    throw error
  }
}

async function mountHost(ctx: Context, home: string, options: BootOptions): Promise<void> {
  await ctx.plugin(Loader)
  ctx.loader.builtins['include'] = Include
  ctx.loader.builtins['group'] = Group
  await ctx.plugin(FileSettings, { dshHome: home, watch: false })
  await ctx.plugin(LocalCredentials, { dshHome: home, watch: false })
  await ctx.plugin(LlmRuntime)
  await ctx.plugin(SessionStore)
  await ctx.plugin(SessionProjections)
  await ctx.plugin(TokenMeter)
  await ctx.plugin(JsonlPersistence, { root: homePaths(home).sessions })
  await ctx.plugin(SystemPrompt, { persona: '', includeHarnessIdentity: false })
  await ctx.plugin(ToolRuntime, {})
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(AgentLoop, { agents: [] })
  await ctx.plugin(CheckpointPolicy)
  await ctx.plugin(AgentDefaultModel, { provider: 'improv', model: 'improv-1' })
  if (options.retry !== false) await ctx.plugin(Retry)
  const baseURL = process.env['DEEPSEEK_BASE_URL']
  await ctx.plugin(DeepSeek, baseURL ? { baseURL } : {})
  await mountConfiguredProviders(ctx, home)
}

/** The multi-provider adapter takes most of a second to load, and has no routes without its settings. */
async function mountConfiguredProviders(ctx: Context, home: string): Promise<void> {
  const settings = await readFile(homePaths(home).settings, 'utf8').catch(() => '')
  if (settings.includes('llm-pi-ai')) {
    await ctx.plugin(await import('@deepseek-ai/dsh-llm-pi-ai'), {})
  }
}

async function mountTavern(ctx: Context, home: string, options: BootOptions): Promise<void> {
  const paths = homePaths(home)
  const roots = [...(options.presetRoots ?? []), fileURLToPath(new URL('presets', bundleRoot))]
  await ctx.plugin(TavernPresets, {
    default: 'agent-tavern',
    roots: roots.map((path) => ({ path, trust: 'system' as const })),
    includeUserRoot: true,
  })
  await ctx.plugin(Improv, {
    chunkDelayMs: options.pace ?? 0,
    ...(options.toolUse === undefined ? {} : { toolUse: options.toolUse }),
    ...(options.contextWindow ? { contextWindow: options.contextWindow } : {}),
  })
  await mountMesh(ctx, options.mesh ?? { kind: 'sqlite', path: paths.mesh })
  await ctx.plugin(QuickjsCode, {})
  await ctx.plugin(Cast, { folder: paths.folder })
  await ctx.plugin(Narrators)
  await ctx.plugin(Scenes, {
    roots: [
      ...(options.sceneRoots ?? []),
      paths.scenes,
      fileURLToPath(new URL('scenes', bundleRoot)),
    ],
    folder: paths.folder,
    shared: options.mesh !== undefined,
    ...(options.hostName ? { hostName: options.hostName } : {}),
    ...(options.leaseMs ? { leaseMs: options.leaseMs } : {}),
  })
}

async function mountMesh(ctx: Context, mesh: MeshAddress): Promise<void> {
  if (mesh.kind === 'sqlite') {
    await ctx.plugin(SqliteMesh, { path: mesh.path })
    return
  }
  // its client takes time to load, and most homes have a file
  const { default: NatsMesh } = await import('dsh-fabric-mesh/nats')
  await ctx.plugin(NatsMesh, natsSettings(mesh))
}
