/** Hints before a step: what the user just said, against the tools this agent sees. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { UserMessage } from '@deepseek-ai/dsh-llm'
import { toolRecords } from '../tool-record.ts'
import { Advisor, type Fire } from './advisor.ts'
import { advisoryMessage } from './message.ts'

/** Ours is the outermost listener, so that a step which others refuse uses up no hint. */
export function registerAdvisory(ctx: Context): void {
  const advisor = new Advisor()
  const firedBy = new WeakMap<Agent, Set<string>>()
  ctx.on(
    'agent/pre-step',
    async ({ agent, messages, signal }, next) => {
      const decision = await next()
      const text = spokenIn(messages)
      if (decision.kind === 'reject' || signal.aborted || text === '') return decision
      const fired = firedBy.get(agent) ?? firedInLog(agent)
      firedBy.set(agent, fired)
      const advisory = adviseOn(text, fired, agent)
      return advisory ? { ...decision, messages: [...decision.messages, advisory] } : decision
    },
    { prepend: true },
  )

  function adviseOn(text: string, fired: Set<string>, agent: Agent): UserMessage | undefined {
    const tools = toolRecords(ctx, agent)
    const fires = advisor.advise(text, { tools, fired })
    const advisory = advisoryMessage(fires, (tool) =>
      advisor.catalogueOf(tools).descriptionOf(tool),
    )
    for (const { tool } of entriesOf(advisory)) fired.add(tool)
    return advisory
  }
}

/** What people wrote, not what plugins did. */
function spokenIn(messages: readonly UserMessage[]): string {
  return messages
    .filter(({ source }) => source.kind === 'user')
    .flatMap(({ content }) => content.map((block) => (block.type === 'text' ? block.text : '')))
    .join('\n')
    .trim()
}

/** Of an agent not seen before: it may be a resumed one, or a fork that has read its parent's hints. */
function firedInLog({ session }: Agent): Set<string> {
  const fires = session.events.flatMap((event) =>
    event.type === 'user/message' ? entriesOf(event.data) : [],
  )
  return new Set(fires.map(({ tool }) => tool))
}

function entriesOf(message: UserMessage | undefined): readonly Fire[] {
  return message?.source.kind === 'fabric-advisory' ? message.source.entries : []
}
