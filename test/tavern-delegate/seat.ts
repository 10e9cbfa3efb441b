/** A stage whose host has the seat's face: slash commands, and sessions of preset `stage`. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import Commands, { type CommandResult } from '@deepseek-ai/dsh-commands'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { SessionId } from '@deepseek-ai/dsh-session'
import * as Delegate from 'dsh-tavern-delegate'
import { openStage, type Stage, type StageFiles } from '../scenes/stage.ts'

export interface SeatStage extends Stage {
  /** A live session; by default a seat in the room. */
  session(options?: SessionOptions): Promise<Agent>
  /** Takes the seat's face off the host. */
  unmount(): Promise<void>
}

export interface SessionOptions {
  readonly preset?: string
  readonly provider?: string
  readonly model?: string
}

export async function openSeatStage(files: StageFiles): Promise<SeatStage> {
  const stage = await openStage(files)
  const { ctx } = stage
  await ctx.plugin(Commands)
  const face = await ctx.plugin(Delegate, { preset: 'stage', scene: 'room' })
  let count = 0
  const session = async ({
    preset = 'stage',
    provider = 'tavern-stage',
    model = 'room',
  }: SessionOptions = {}) => {
    const { agent } = await ctx.agents.create({
      sessionId: SessionId(`person-${++count}`),
      meta: { cwd: stage.home, agentPreset: preset },
      agentOptions: { provider, model },
      setup: async (agentCtx) => {
        await ctx.agentPresets.mount(agentCtx, preset)
      },
    })
    return agent
  }
  return { ...stage, session, unmount: () => face.dispose() }
}

/** What a person sees when they type the command. */
export async function send(stage: SeatStage, agent: Agent, line: string): Promise<CommandResult> {
  const execution = await stage.ctx.commands.execute(agent, line, [], AbortSignal.timeout(20_000))
  if (!execution) throw new Error(`no command in '${line}'`)
  return execution.result
}

/** Says a line in the session, as a person in a chat does, and waits for the answer. */
export async function chat(agent: Agent, text: string): Promise<string> {
  const content = [{ type: 'text' as const, text }]
  agent.followup(createUserMessage({ content, source: { kind: 'user' } }))
  await agent.whenIdle()
  const answer = agent.session.events.findLast(({ type }) => type === 'assistant/message')
  if (answer?.type !== 'assistant/message') return ''
  return answer.data.message.content.map((b) => (b.type === 'text' ? b.text : '')).join('')
}

/** Turns of the session's own model. */
export function turnsOf({ session }: Agent): number {
  return session.events.filter(({ type }) => type === 'turn/start').length
}
