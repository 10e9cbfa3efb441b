/** A real host in this process with improv mounted: sessions, prompts, tools and the agent loop. */
import { Context } from '@deepseek-ai/cordis'
import Loader from '@deepseek-ai/cordis-plugin-loader'
import AgentRegistry, { type Agent } from '@deepseek-ai/dsh-agent'
import AgentLoop from '@deepseek-ai/dsh-agent-loop'
import LlmRuntime from '@deepseek-ai/dsh-llm'
import SessionStore, { SessionId } from '@deepseek-ai/dsh-session'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime from '@deepseek-ai/dsh-tools'
import BasicCompactionEngine from '@deepseek-ai/dsh-compaction-basic'
import SessionProjection from '@deepseek-ai/dsh-session-projection'
import TokenMeter from '@deepseek-ai/dsh-token-meter'
import * as Improv from 'dsh-tavern-improv'
import { type Card, systemOf } from './cards.ts'

export interface Host {
  readonly ctx: Context
  /** The plugin alone. */
  readonly improv: { dispose(): Promise<void> }
  agent(id: string, card: Card): Promise<Agent>
}

export interface HostConfig {
  readonly toolUse?: number
  readonly chunkDelayMs?: number
  /** Given, the host compacts under the pressure of this window. */
  readonly contextWindow?: number
}

export async function openHost(config: HostConfig = {}): Promise<Host> {
  const ctx = new Context()
  ctx.baseUrl = new URL('./', import.meta.url).href
  await ctx.plugin(Loader)
  await ctx.plugin(LlmRuntime)
  await ctx.plugin(SessionStore)
  await ctx.plugin(SystemPrompt, { persona: '', includeHarnessIdentity: false })
  await ctx.plugin(ToolRuntime, {})
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(AgentLoop, { agents: [] })
  if (config.contextWindow !== undefined) {
    await ctx.plugin(SessionProjection)
    await ctx.plugin(TokenMeter, {})
    await ctx.plugin(BasicCompactionEngine, { maxTokens: 600 })
  }
  const improv = await ctx.plugin(Improv, config)
  const cards = new Map<string, Card>()
  ctx.systemPrompt.section({
    name: 'test:card',
    order: 0,
    complete: true,
    text: () => '{{test_card}}',
  })
  ctx.systemPrompt.variable('test_card', ({ agent }) => {
    const card = agent && cards.get(agent.session.id)
    return card ? systemOf(card) : ''
  })
  return {
    ctx,
    improv,
    async agent(id, card) {
      cards.set(id, card)
      const handle = await ctx.agents.create({
        sessionId: SessionId(id),
        meta: { cwd: import.meta.dirname },
        agentOptions: { provider: Improv.improvProvider, model: Improv.improvModel },
      })
      return handle.agent
    },
  }
}
