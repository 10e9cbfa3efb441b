/** A real host in this process with what the shipped `code` preset stands on, and presets beside it. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import Group from '@deepseek-ai/cordis-plugin-group'
import Include from '@deepseek-ai/cordis-plugin-include'
import Loader from '@deepseek-ai/cordis-plugin-loader'
import AgentRegistry, { type Agent } from '@deepseek-ai/dsh-agent'
import AgentLoop from '@deepseek-ai/dsh-agent-loop'
import AgentPresets from '@deepseek-ai/dsh-agent-presets'
import LlmRuntime, { createUserMessage } from '@deepseek-ai/dsh-llm'
import SessionStore, { SessionId } from '@deepseek-ai/dsh-session'
import JsonlPersistence from '@deepseek-ai/dsh-session-persistence-jsonl'
import SystemPrompt, { type AssembledSection } from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime from '@deepseek-ai/dsh-tools'
import SqliteMesh from 'dsh-fabric-mesh/sqlite'
import { onTestFinished } from 'vitest'
import { ScriptedAdapter } from '../scenes/scripted-adapter.ts'
import { scripted } from '../scenes/stage.ts'

/** What the shipped preset's rows wait for, as the host's own compositions mount it. */
const HOST_ROWS: readonly string[] = [
  'dsh-session-projection',
  'dsh-subprocess-local',
  'dsh-sandbox-local',
  'dsh-sandbox-policy',
  'dsh-bash-sandbox',
  'dsh-shell-env',
  'dsh-fs-sandbox',
  'dsh-jobs-local',
  'dsh-skill',
  'dsh-commands',
  'dsh-goal',
  'dsh-token-meter',
  'dsh-subagent',
  'dsh-subagent-spawn-in-process',
  'dsh-subagent-fork-in-process',
  'dsh-user-questions',
  'dsh-web',
  'dsh-code-runtime-worker-thread',
]

const HOST_CONFIG: Readonly<Record<string, object>> = {
  'dsh-subagent-spawn-in-process': { providerName: 'spawn' },
  'dsh-subagent-fork-in-process': { providerName: 'fork' },
}

const shippedPresets = join(
  dirname(createRequire(import.meta.url).resolve('@deepseek-ai/dsh/package.json')),
  'config/agent-presets',
)

export interface Host {
  readonly ctx: Context
  readonly home: string
  readonly model: ScriptedAdapter
  agent(preset: string, id?: string): Promise<Agent>
  resume(preset: string, id: string): Promise<Agent>
  /** Disposes the host; the home stays. */
  close(): Promise<void>
}

export interface HostOptions {
  /** Of a host that was closed. */
  readonly home?: string
  /** Rows of presets beside the shipped ones, by id. */
  readonly presets?: Readonly<Record<string, string>>
  /** Registers more before the first agent. */
  readonly before?: (ctx: Context) => Promise<void> | void
}

export async function openHost(options: HostOptions = {}): Promise<Host> {
  const home = options.home ?? newHome()
  const cwd = join(home, 'work')
  mkdirSync(cwd, { recursive: true })
  for (const [id, rows] of Object.entries(options.presets ?? {})) {
    mkdirSync(join(home, 'presets', id), { recursive: true })
    writeFileSync(join(home, 'presets', id, 'agent.cordis.yml'), rows)
  }
  const ctx = new Context()
  ctx.baseUrl = new URL('./', import.meta.url).href
  await ctx.plugin(Loader)
  ctx.loader.builtins['include'] = Include
  ctx.loader.builtins['group'] = Group
  await ctx.plugin(LlmRuntime)
  await ctx.plugin(SessionStore)
  await ctx.plugin(JsonlPersistence, { root: join(home, 'sessions') })
  await ctx.plugin(SystemPrompt, {})
  await ctx.plugin(ToolRuntime, {})
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(AgentLoop, { agents: [] })
  for (const row of HOST_ROWS) {
    const module = await import(`@deepseek-ai/${row}`)
    await ctx.plugin(module.default ?? module, HOST_CONFIG[row] ?? {})
  }
  await ctx.plugin(SqliteMesh, { path: join(home, 'mesh.sqlite') })
  await ctx.plugin(AgentPresets, {
    default: 'code',
    includeUserRoot: false,
    roots: [
      { path: shippedPresets, trust: 'system' },
      { path: join(home, 'presets'), trust: 'system' },
    ],
  })
  await options.before?.(ctx)
  const model = new ScriptedAdapter()
  ctx.llm.registerAdapter([scripted.provider], model)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= ctx.fiber.dispose())
  onTestFinished(close)
  return {
    ctx,
    home,
    model,
    close,
    async agent(preset, id = `${preset}-1`) {
      const handle = await ctx.agents.create({
        sessionId: SessionId(id),
        meta: { cwd, agentPreset: preset },
        agentOptions: scripted,
        setup: mounting(preset),
      })
      return handle.agent
    },
    async resume(preset, id) {
      const handle = await ctx.agents.resume({
        resumeSessionId: SessionId(id),
        agentOptions: scripted,
        setup: mounting(preset),
      })
      return handle.agent
    },
  }

  function mounting(preset: string): (scope: Context) => Promise<void> {
    return async (scope) => {
      await ctx.agentPresets.mount(scope, preset)
    }
  }
}

function newHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fabric-prompt-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** The rows of the shipped preset `code`, and the mesh. */
export const plainRows = `${readFileSync(join(shippedPresets, 'code/agent.cordis.yml'), 'utf8')}
- id: mesh
  name: dsh-fabric-mesh/tool
`

/** The same, and ours. */
export const fabricRows = `${plainRows}
- id: fabric-system-prompt
  name: dsh-fabric-system-prompt
`

export async function sectionsOf(
  { ctx }: Pick<Host, 'ctx'>,
  agent: Agent,
): Promise<readonly AssembledSection[]> {
  const { sections } = await ctx.systemPrompt.assemble({ agent, scope: agent })
  return sections.filter(({ text }) => text !== '')
}

export async function say(agent: Agent, text: string): Promise<void> {
  agent.followup(createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } }))
  await agent.whenIdle()
}
