/** A real host in this process with two presets: `fabric` with our rows, `plain` in the host's own code mode. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import Include from '@deepseek-ai/cordis-plugin-include'
import Loader from '@deepseek-ai/cordis-plugin-loader'
import AgentRegistry, { type Agent } from '@deepseek-ai/dsh-agent'
import AgentLoop from '@deepseek-ai/dsh-agent-loop'
import AgentPresets, { resolveSessionPreset } from '@deepseek-ai/dsh-agent-presets'
import Commands, { type CommandResult } from '@deepseek-ai/dsh-commands'
import LlmRuntime, { createUserMessage } from '@deepseek-ai/dsh-llm'
import SessionStore, { SessionId } from '@deepseek-ai/dsh-session'
import JsonlPersistence from '@deepseek-ai/dsh-session-persistence-jsonl'
import SessionTitle from '@deepseek-ai/dsh-session-title'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime, { defineTool } from '@deepseek-ai/dsh-tools'
import QuickJsCheckedCode from 'dsh-fabric-code-runtime-quickjs/provider'
import FabricCodeRuntime from 'dsh-fabric-host/code-runtime'
import SessionDelegations from 'dsh-fabric-host/delegations'
import { onTestFinished } from 'vitest'
import { ScriptedAdapter } from '../scenes/scripted-adapter.ts'
import { scripted } from '../scenes/stage.ts'
import { FakeCheckedCode } from './fake-checked-code.ts'

export interface Bed {
  readonly ctx: Context
  readonly home: string
  readonly model: ScriptedAdapter
  /** What the engine was asked to run. */
  readonly engine: FakeCheckedCode
  /** Our row in place of the host's. */
  readonly codeRuntime: { dispose(): unknown }
  agent(preset: 'fabric' | 'plain'): Promise<Agent>
  resume(id: string): Promise<Agent>
  /** Disposes the host; the home stays. */
  close(): Promise<void>
}

const engines = {
  fake: async (ctx: Context) => void (await ctx.plugin(FakeCheckedCode)),
  real: async (ctx: Context) => void (await ctx.plugin(QuickJsCheckedCode)),
  none: async () => {},
}
/** What the user of this host gave its own runtime. */
export const STOCK_WALL_MS = 4_321

const stockRow = {
  id: 'code-runtime',
  name: '@deepseek-ai/dsh-code-runtime-worker-thread',
  disabled: true,
  config: { maxWallMs: STOCK_WALL_MS },
}

const PRESENTATION =
  "- { id: presentation, name: '@deepseek-ai/dsh-agent-tool-presentation', config: { mode: code } }\n"
const presets = {
  plain: PRESENTATION,
  fabric: `${PRESENTATION}- { id: code, name: dsh-fabric-host/code-mode }\n- { id: delegate, name: dsh-fabric-host/delegate }\n`,
} as const

export async function openBed(
  home = newHome(),
  engine: keyof typeof engines = 'fake',
): Promise<Bed> {
  for (const [id, rows] of Object.entries(presets)) {
    mkdirSync(join(home, 'presets', id), { recursive: true })
    writeFileSync(join(home, 'presets', id, 'agent.cordis.yml'), rows)
  }
  const ctx = new Context()
  ctx.baseUrl = new URL('./', import.meta.url).href
  await ctx.plugin(Loader)
  ctx.loader.builtins['include'] = Include
  await ctx.plugin(LlmRuntime)
  await ctx.plugin(SessionStore)
  await ctx.plugin(JsonlPersistence, { root: join(home, 'sessions') })
  await ctx.plugin(SessionTitle, { fallbackMaxWords: 5, fallbackMaxBytes: 40, maxTitleBytes: 80 })
  await ctx.plugin(SystemPrompt, { persona: 'You test.', includeHarnessIdentity: false })
  await ctx.plugin(ToolRuntime, {})
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(AgentLoop, { agents: [] })
  await ctx.plugin(AgentPresets, {
    default: 'plain',
    roots: [{ path: join(home, 'presets'), trust: 'system' }],
    includeUserRoot: false,
  })
  await ctx.plugin(Commands)
  await engines[engine](ctx)
  await ctx.loader.create(stockRow)
  const codeRuntime = ctx.plugin(FabricCodeRuntime)
  await codeRuntime
  await ctx.plugin(SessionDelegations)
  for (const tool of tools) ctx.tools.register(tool)
  const model = new ScriptedAdapter()
  ctx.llm.registerAdapter([scripted.provider], model)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= ctx.fiber.dispose())
  onTestFinished(close)
  let count = 0
  return {
    ctx,
    home,
    model,
    codeRuntime,
    get engine() {
      if (ctx.checkedCode instanceof FakeCheckedCode) return ctx.checkedCode.engine
      throw new Error('the real engine is mounted')
    },
    close,
    async agent(preset) {
      const { agent } = await ctx.agents.create({
        sessionId: SessionId(`${preset}-${++count}`),
        meta: { cwd: home, agentPreset: preset },
        agentOptions: scripted,
        setup: async (agentCtx) => {
          await ctx.agentPresets.mount(agentCtx, preset)
        },
      })
      return agent
    },
    async resume(id) {
      const { agent } = await ctx.agents.resume({
        resumeSessionId: SessionId(id),
        agentOptions: scripted,
        setup: async (agentCtx) => {
          const session = agentCtx.agent?.session
          if (session) await ctx.agentPresets.mount(agentCtx, resolveSessionPreset(session))
        },
      })
      return agent
    },
  }
}

const tools = [
  defineTool({
    name: 'add',
    description: 'Adds two numbers.',
    parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
    output: {
      schema: { type: 'number' },
      render: (_args, value) => [{ type: 'text', text: String(value) }],
    },
    execute: async ({ a, b }) => a + b,
  }),
  defineTool({
    name: 'shout',
    description: 'Says it louder.',
    parameters: { text: { type: 'string', required: true } },
    output: {
      schema: { type: 'string' },
      render: (_args, value) => [{ type: 'text', text: value }],
    },
    execute: async ({ text }) => text.toUpperCase(),
  }),
]

export function newHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fabric-host-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** Says something to the agent and waits for its turn to end. */
export async function turn(agent: Agent, text = 'Go.'): Promise<void> {
  const content = [{ type: 'text' as const, text }]
  agent.followup(createUserMessage({ content, source: { kind: 'user' } }))
  await agent.whenIdle()
}

/** The model answers the first request with this program, and every later one with words. */
export function scriptProgram(bed: Bed, args: object): void {
  bed.model.script(({ afterTool }) => (afterTool ? 'Done.' : { call: 'run_code', args }))
}

/** What a person sees who types the command. */
export async function command(bed: Bed, agent: Agent, line: string): Promise<CommandResult> {
  const execution = await bed.ctx.commands.execute(agent, line, [], AbortSignal.timeout(20_000))
  if (!execution) throw new Error(`no command in '${line}'`)
  return execution.result
}

export function eventsOf<T extends Agent['session']['events'][number]['type']>(
  { session }: Agent,
  type: T,
) {
  return session.events.filter(
    (event): event is Extract<typeof event, { type: T }> => event.type === type,
  )
}

/** The result of the agent's one tool call, as its model reads it. */
export function resultText(agent: Agent): string {
  const result = eventsOf(agent, 'tool/result').at(-1)?.data.message.content ?? []
  return JSON.stringify(result)
}
