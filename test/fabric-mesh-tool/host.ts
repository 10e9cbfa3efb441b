/** A real host in this process with the mesh and its tool: sessions on disk, prompts, tools and the agent loop. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import Loader from '@deepseek-ai/cordis-plugin-loader'
import AgentRegistry, { type Agent, type AgentHandle } from '@deepseek-ai/dsh-agent'
import AgentLoop from '@deepseek-ai/dsh-agent-loop'
import LlmRuntime, { CallId, createUserMessage } from '@deepseek-ai/dsh-llm'
import SessionStore, { SessionId } from '@deepseek-ai/dsh-session'
import JsonlPersistence from '@deepseek-ai/dsh-session-persistence-jsonl'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime, { type ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import SqliteMesh from 'dsh-fabric-mesh/sqlite'
import * as MeshTool from 'dsh-fabric-mesh/tool'
import { onTestFinished } from 'vitest'
import { scripted } from '../scenes/stage.ts'
import { ScriptedAdapter } from '../scenes/scripted-adapter.ts'

export interface Host {
  readonly ctx: Context
  readonly home: string
  readonly model: ScriptedAdapter
  /** In the shared folder, or in none. */
  agent(id: string, options?: { readonly cwd?: string | undefined }): Promise<Agent>
  resume(id: string): Promise<Agent>
  /** Disposes of the agent; its log stays. */
  leave(agent: Agent): Promise<void>
  /** Disposes the host; the home stays. */
  close(): Promise<void>
}

export interface HostOptions {
  readonly home?: string
  readonly row?: Readonly<Pick<MeshTool.Config, 'folder' | 'claims' | 'operator'>>
  readonly payloadLimitBytes?: number
  readonly tools?: ConstructorParameters<typeof ToolRuntime>[1]
  /** Mounted before the tool. */
  readonly before?: (ctx: Context) => Promise<void>
}

export async function openHost(options: HostOptions = {}): Promise<Host> {
  const home = options.home ?? newFolder()
  const cwd = join(home, 'work')
  mkdirSync(cwd, { recursive: true })
  const ctx = new Context()
  ctx.baseUrl = new URL('./', import.meta.url).href
  await ctx.plugin(Loader)
  await ctx.plugin(LlmRuntime)
  await ctx.plugin(SessionStore)
  await ctx.plugin(JsonlPersistence, { root: join(home, 'sessions') })
  await ctx.plugin(SystemPrompt, { persona: 'You test.', includeHarnessIdentity: false })
  await ctx.plugin(ToolRuntime, options.tools ?? {})
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(AgentLoop, { agents: [] })
  await options.before?.(ctx)
  const { payloadLimitBytes } = options
  await ctx.plugin(SqliteMesh, {
    path: join(home, 'mesh.sqlite'),
    ...(payloadLimitBytes === undefined ? {} : { payloadLimitBytes }),
  })
  await ctx.plugin(MeshTool, { folder: join(home, 'fabric'), ...options.row })
  const model = new ScriptedAdapter()
  ctx.llm.registerAdapter([scripted.provider], model)
  const handles = new Map<Agent, AgentHandle>()
  let closing: Promise<void> | undefined
  const close = () => (closing ??= ctx.fiber.dispose())
  onTestFinished(close)
  return {
    ctx,
    home,
    model,
    close,
    async agent(id, given = { cwd }) {
      const handle = await ctx.agents.create({
        sessionId: SessionId(id),
        meta: given.cwd === undefined ? {} : { cwd: given.cwd },
        agentOptions: scripted,
      })
      handles.set(handle.agent, handle)
      return handle.agent
    },
    async leave(agent) {
      await ctx.sessions.flush(agent.session)
      await handles.get(agent)?.dispose()
    },
    async resume(id) {
      const handle = await ctx.agents.resume({
        resumeSessionId: SessionId(id),
        agentOptions: scripted,
      })
      return handle.agent
    },
  }
}

export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mesh-tool-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

let calls = 0

export async function execute(
  host: Pick<Host, 'ctx'>,
  agent: Agent | undefined,
  args: object,
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolExecutionResult> {
  calls += 1
  return await host.ctx.tools.execute({
    signal,
    callId: CallId(`call-${calls}`),
    name: 'fabric_mesh',
    arguments: args,
    ...(agent ? { agent } : {}),
  })
}

/** What the tool answers, as tests read it: each record has some of these. */
export interface Answer {
  readonly id: string
  readonly key: string
  readonly sequence: number
  readonly version: number
  readonly headSequence: number
  readonly status: string
  readonly by: string
  readonly cause: string
  readonly payload: unknown
  readonly claimToken: string
  readonly claimedAt: number
  readonly leaseUntil: number
  readonly topics: readonly Answer[]
  readonly topicMessages: readonly Answer[]
  readonly states: readonly Answer[]
  readonly actors: readonly Answer[]
  readonly actorMessages: readonly Answer[]
  readonly totals: Readonly<Record<string, number>>
  readonly truncated: boolean
  readonly error: ReadRefusal
}

/** The value of a call that must succeed; what the model reads of it is the same. */
export async function call(host: Host, agent: Agent, args: object): Promise<Answer> {
  return JSON.parse(await answered(host, agent, args))
}

/** The same of a call that answers with a list. */
export async function list(host: Host, agent: Agent, args: object): Promise<readonly Answer[]> {
  return JSON.parse(await answered(host, agent, args))
}

async function answered(host: Host, agent: Agent, args: object): Promise<string> {
  const result = await execute(host, agent, args)
  const text = textOf(result)
  if (result.isError) throw new Error(text)
  if (text !== JSON.stringify(result.value, null, 2)) throw new Error('text and value differ')
  return text
}

export interface ReadRefusal {
  readonly code: string
  readonly message: string
  readonly [more: string]: unknown
}

/** What the model reads of a call that must be refused, in its text and as the error of a program. */
export async function refusal(host: Host, agent: Agent | undefined, args: object) {
  const result = await execute(host, agent, args)
  if (!result.isError) throw new Error(`not refused: ${textOf(result)}`)
  const { error }: { readonly error: ReadRefusal } = JSON.parse(textOf(result))
  return error
}

export function textOf(result: ToolExecutionResult): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

/** Says something to the agent and waits for its turn to end. */
export async function turn(agent: Agent, text = 'Go.'): Promise<void> {
  const content = [{ type: 'text' as const, text }]
  agent.followup(createUserMessage({ content, source: { kind: 'user' } }))
  await agent.whenIdle()
}

/** The workspace of agents in the host's shared folder. */
export async function shared(host: Host): Promise<MeshWorkspace> {
  const { createHash } = await import('node:crypto')
  const digest = createHash('sha256').update(join(host.home, 'work')).digest('hex')
  return host.ctx.mesh.workspace(`path:${digest}`)
}
