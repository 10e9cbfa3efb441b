import { defineTool } from '@deepseek-ai/dsh-tools'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { afterEach, describe, expect, it } from 'vitest'
import { mara } from './cards.ts'
import { type Host, openHost } from './host.ts'
import { briefingText } from './requests.ts'

const hosts: Host[] = []

afterEach(async () => {
  await Promise.all(hosts.splice(0).map(({ ctx }) => ctx.fiber.dispose()))
})

async function open(config: Parameters<typeof openHost>[0] = {}): Promise<Host> {
  const host = await openHost(config)
  hosts.push(host)
  return host
}

async function say(agent: Agent, text: string, seed: string): Promise<void> {
  agent.followup(
    createUserMessage({
      content: [{ type: 'text', text }],
      source: { kind: 'plugin', plugin: 'dsh-tavern-cast', seed } as {
        kind: 'plugin'
        plugin: string
      },
    }),
  )
  await agent.whenIdle()
}

function answersOf(agent: Agent): readonly string[] {
  return agent.session.events.flatMap((event) =>
    event.type === 'assistant/message'
      ? [
          event.data.message.content
            .map((block) => (block.type === 'text' ? block.text : ''))
            .join(''),
        ]
      : [],
  )
}

function endsOf(agent: Agent): readonly string[] {
  return agent.session.events.flatMap((event) =>
    event.type === 'turn/end' ? [event.data.reason.kind] : [],
  )
}

const told = (line: string) =>
  briefingText({ card: mara, happened: [line], world: { gate_barred: false } })

const eveningIn = async () => {
  const host = await open()
  const agent = await host.agent('mara', mara)
  for (const [index, line] of [
    'Ivo: Good evening.',
    'Ivo: Where is the ferry?',
    'Ivo: Thank you.',
  ].entries()) {
    await say(agent, told(line), `s${index}`)
  }
  expect(endsOf(agent)).toEqual(['completed', 'completed', 'completed'])
  return answersOf(agent)
}

describe('improv in a host', () => {
  it('answers a session’s turns, and two hosts give the same evening', async () => {
    const first = await eveningIn()

    expect(first).toHaveLength(3)
    expect(new Set(first).size).toBe(3)
    expect(await eveningIn()).toEqual(first)
  })

  it('calls a registered tool with valid arguments, reads its result, then speaks', async () => {
    const host = await open({ toolUse: 1 })
    const set: unknown[] = []
    const output = {
      schema: { type: 'json' },
      render: () => [{ type: 'text' as const, text: '{"status":"staged"}' }],
    } as const
    host.ctx.tools.register(
      defineTool({
        name: 'world_set',
        description: 'Change one thing in the world.',
        parameters: {
          key: { type: 'string', required: true },
          value: { type: 'json', required: true },
          expected_version: { type: 'integer', required: true },
        },
        output,
        async execute(args) {
          set.push(args)
          return { status: 'staged' }
        },
      }),
    )
    const agent = await host.agent('mara', mara)

    for (let turn = 0; turn < 6; turn += 1) await say(agent, told('Ivo: Bar the gate!'), `s${turn}`)

    expect(set.length).toBeGreaterThan(2)
    for (const args of set)
      expect(args).toEqual({ key: 'gate_barred', value: true, expected_version: 3 })
    expect(new Set(endsOf(agent))).toEqual(new Set(['completed']))
    expect(answersOf(agent).filter((text) => /the gate is barred/i.test(text)).length).toBe(
      set.length,
    )
  })

  it('stops at once when its turn is cancelled and keeps what was said', async () => {
    const host = await open({ chunkDelayMs: 10_000 })
    const agent = await host.agent('mara', mara)
    const begun = new Promise<void>((resolve) => {
      host.ctx.on('session/event', (_session, event) => {
        if (event.type === 'assistant/chunk' && event.data.chunk.type === 'text-delta') resolve()
      })
    })

    const turn = say(agent, told('Ivo: Good evening.'), 's')
    await begun
    agent.cancel({ kind: 'user' })
    await turn

    expect(endsOf(agent)).toEqual(['aborted'])
  })

  it('lets the host compact its history into its own summaries, and goes on speaking', async () => {
    const host = await open({ contextWindow: 3000 })
    const agent = await host.agent('mara', mara)

    for (let turn = 0; turn < 40; turn += 1) {
      await say(
        agent,
        told(`Ivo: Remark ${turn}: I promise to mend the roof of the ferry house.`),
        `s${turn}`,
      )
    }

    const ends = agent.session.events.flatMap((event) =>
      event.type === 'compaction/end' ? [event.data] : [],
    )
    expect(ends.length).toBeGreaterThan(1)
    for (const end of ends) expect(end).not.toHaveProperty('error')
    const summaries = agent.session.events.flatMap((event) =>
      event.type === 'compaction/summary' ? [event.data.summary] : [],
    )
    expect(JSON.stringify(summaries.at(-1))).toMatch(/People: Mara, Ivo/)
    expect(JSON.stringify(summaries.at(-1))).toContain('the roof of the ferry house')
    expect(new Set(endsOf(agent))).toEqual(new Set(['completed']))
    expect(new Set(answersOf(agent)).size).toBe(40)
  })

  it('shows its one model with the configured window and does not want retries', async () => {
    const host = await open()
    expect(await host.ctx.llm.listModels('improv')).toMatchObject([
      { provider: 'improv', id: 'improv-1' },
    ])
    expect(await host.ctx.llm.resolveModelInfo('improv', 'improv-1')).toMatchObject({
      provider: 'improv',
      id: 'improv-1',
      context: { contextWindow: 32_768 },
    })
    expect(host.ctx.llm.providerRetryPolicy('improv')).toMatchObject({
      mode: 'normal',
      maxRetries: 0,
    })
  })

  it('goes with its plugin', async () => {
    const host = await open()
    expect(host.ctx.llm.listProviders().map(({ id }) => id)).toContain('improv')

    await host.improv.dispose()

    expect(host.ctx.llm.listProviders().map(({ id }) => id)).not.toContain('improv')
  })
})
