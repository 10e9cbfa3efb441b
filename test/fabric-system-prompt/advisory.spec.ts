/** Hints in real turns: one message, three tools in all, none twice, through restarts too. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ADVISORY_LIMIT,
  advisoryMessage,
} from '../../packages/dsh-fabric-system-prompt/src/advisory/message.ts'
import { fabricRows, type Host, openHost, say } from './host.ts'

const presets = { fabric: fabricRows }
const jobs = 'Which background jobs are still running?'

function advisories(agent: Agent): readonly { text: string; tools: readonly string[] }[] {
  return agent.session.events.flatMap((event) => {
    if (event.type !== 'user/message' || event.data.source.kind !== 'fabric-advisory') return []
    const [block] = event.data.content
    const tools = event.data.source.entries.map(({ tool }) => tool)
    return [{ text: block?.type === 'text' ? block.text : '', tools }]
  })
}

async function opened(): Promise<{ readonly host: Host; readonly agent: Agent }> {
  const host = await openHost({ presets })
  return { host, agent: await host.agent('fabric') }
}

describe('a hint', () => {
  it('stands after what the user said, once, and the log says what fired', async () => {
    const { host, agent } = await opened()

    await say(agent, jobs)

    expect(advisories(agent)).toMatchObject([{ tools: ['job_kill', 'job_list', 'job_output'] }])
    expect(advisories(agent)[0]?.text).toMatchSnapshot()
    const last = host.model.requests[0]?.messages.at(-1)
    expect(last?.source).toMatchObject({ kind: 'fabric-advisory', form: 'capabilities' })
    expect(host.model.requests).toHaveLength(1)
  })

  it('is not given where nothing fits', async () => {
    const { agent } = await opened()

    await say(agent, 'Tell me a joke about penguins.')

    expect(advisories(agent)).toEqual([])
  })

  it('is given for what people say, not for what plugins do', async () => {
    const { agent } = await opened()
    const content = [{ type: 'text' as const, text: jobs }]
    const source = { kind: 'plugin', plugin: 'test' } as const

    agent.followup(createUserMessage({ content, source }))
    await agent.whenIdle()

    expect(advisories(agent)).toEqual([])
  })

  it('names only tools the agent sees', async () => {
    const { agent } = await opened()
    agent.ctx.tools.restrict({ deny: ['job_kill', 'job_list'] })

    await say(agent, jobs)

    expect(advisories(agent)[0]?.tools).toEqual(['job_output'])
  })

  it('in Chinese names a tool described in English', async () => {
    const { agent } = await opened()

    await say(agent, '帮我上网查一下 Node 24 的发布说明')

    expect(advisories(agent)).toMatchObject([{ tools: ['web_search'] }])
  })
})

describe('hints of one agent', () => {
  it('are three at most, and never of one tool twice', async () => {
    const { agent } = await opened()
    const search = 'Search the web for the newest release.'

    for (const text of [search, search, 'Load the skill for slides.', jobs, jobs])
      await say(agent, text)

    const fired = advisories(agent).map(({ tools }) => tools)
    expect(fired.slice(0, 2)).toEqual([['web_search'], ['skill']])
    expect(fired.flat()).toHaveLength(3)
    expect(new Set(fired.flat()).size).toBe(3)
  })

  it('are remembered over a restart', async () => {
    const first = await openHost({ presets })
    const agent = await first.agent('fabric', 'worker')
    await say(agent, 'Search the web for the newest release.')
    await first.ctx.sessions.flush(agent.session)
    await first.close()

    const second = await openHost({ presets, home: first.home })
    const resumed = await second.resume('fabric', 'worker')
    await say(resumed, 'Search the web for the newest release.')

    expect(advisories(resumed)).toMatchObject([{ tools: ['web_search'] }])
  })

  it('are not used up by a step that another refuses', async () => {
    const { agent } = await opened()
    const admit = agent.ctx.on('agent/pre-step', async () => ({ kind: 'reject' }))
    await say(agent, jobs)
    admit()

    await say(agent, jobs)

    expect(advisories(agent)).toHaveLength(1)
  })

  it('are not those of another agent', async () => {
    const { host, agent } = await opened()
    const other = await host.agent('fabric', 'fabric-2')

    await say(agent, jobs)
    await say(other, jobs)

    expect(advisories(other)).toEqual(advisories(agent))
  })
})

it('the message is bounded, whatever tools are called and say', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 3_000 })
  const fire = fc.record({ tool: text, score: fc.constant(1), words: fc.constant([]) })

  fc.assert(
    fc.property(fc.array(fire, { maxLength: 3 }), text, (fires, description) => {
      const [block] = advisoryMessage(fires, () => description)?.content ?? []
      const sent = block?.type === 'text' ? block.text : ''
      expect(sent.length).toBeLessThanOrEqual(ADVISORY_LIMIT)
      expect(sent.split('\n').length).toBeLessThanOrEqual(4)
    }),
  )
})
