/** What stays of an assembled prompt, for agents of the preset that has our row, and for nobody else. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { defineTool } from '@deepseek-ai/dsh-tools'
import * as FabricSystemPrompt from 'dsh-fabric-system-prompt'
import { describe, expect, it } from 'vitest'
import { memoryGuidance } from '../../packages/dsh-fabric-system-prompt/src/guidance.ts'
import { fabricRows, type Host, openHost, plainRows, say, sectionsOf } from './host.ts'

const presets = { fabric: fabricRows, plain: plainRows }

async function namesOf(host: Host, agent: Agent): Promise<readonly string[]> {
  return (await sectionsOf(host, agent)).map(({ name }) => name)
}

describe('the sections of an agent with the row', () => {
  it('are the host, the persona, ours, the mesh and the programs, in this order', async () => {
    const host = await openHost({ presets })

    const names = await namesOf(host, await host.agent('fabric'))

    expect(names).toEqual([
      'harness:identity',
      'deployment:persona',
      'fabric:system-prompt',
      'tools:code-only',
      'fabric:mesh-guidance',
      'tools:sdk',
    ])
  })

  it('keep what the user adds and what features need, and lose what tools say of themselves', async () => {
    const kept = ['app:web-surface', 'harness:source', 'tool:cordis', 'tool:report']
    const users = ['user:system-instructions', 'my-notes', 'house:rules']
    const lost = ['tool:made_up', 'context:file-reference', 'ui:deliverable-file-references']
    const host = await openHost({ presets })
    const agent = await host.agent('fabric')
    for (const name of [...kept, ...users, ...lost]) {
      agent.ctx.systemPrompt.section({ name, order: 130, text: `Of ${name}.` })
    }

    const names = await namesOf(host, agent)

    expect(names).toEqual(expect.arrayContaining([...kept, ...users]))
    expect(names.filter((name) => lost.includes(name))).toEqual([])
  })

  it('keep the rules of plan mode while it is on', async () => {
    const host = await openHost({ presets })
    const agent = await host.agent('fabric')
    await host.ctx.commands.execute(agent, '/plan', [], new AbortController().signal)

    await say(agent, 'Hello.')

    expect(host.model.requests[0]?.system).toContain('You are in plan mode.')
  })

  it('have words on recall only while sessions can be searched', async () => {
    const host = await openHost({ presets })
    const agent = await host.agent('fabric')

    const before = await namesOf(host, agent)
    const remove = agent.ctx.tools.register(sessionSearch)
    const during = await sectionsOf(host, agent)
    remove()
    const after = await namesOf(host, agent)

    expect(during).toContainEqual({ name: 'fabric:memory-guidance', text: memoryGuidance })
    expect([before, after].flat()).not.toContain('fabric:memory-guidance')
    const names = during.map(({ name }) => name)
    expect(names.indexOf('fabric:memory-guidance')).toBe(names.indexOf('fabric:mesh-guidance') - 1)
  })
})

describe('another preset in the same host', () => {
  it('has every section as before, byte for byte', async () => {
    const alone = await openHost({ presets: { plain: plainRows } })
    const beside = await openHost({ presets })
    await beside.agent('fabric')

    const expected = await sectionsOf(alone, await alone.agent('code'))
    const found = await sectionsOf(beside, await beside.agent('code'))

    expect(found).toEqual(expected)
    expect(found.map(({ name }) => name)).toContain('tool:bash')
  })

  it('gets no hint', async () => {
    const host = await openHost({ presets })
    await host.agent('fabric')

    await say(await host.agent('plain'), 'Which background jobs are still running?')

    expect(host.model.requests[0]?.bytes).not.toContain('Tools that may serve')
  })
})

it('contexts, variables and schemas are the same with the row and without', async () => {
  const host = await openHost({ presets })
  const agents = [await host.agent('plain'), await host.agent('fabric')]
  for (const agent of agents) {
    agent.ctx.systemPrompt.context({ name: 'tool:weather', order: 1, text: 'It rains.' })
  }

  const [plain, fabric] = await Promise.all(
    agents.map((agent) => host.ctx.systemPrompt.assemble({ agent, scope: agent })),
  )

  expect(fabric?.contexts).toEqual(plain?.contexts)
  expect(fabric?.contexts.map(({ name }) => name)).toContain('tool:weather')
  expect(fabric?.variables).toEqual(plain?.variables)
  expect(fabric?.tools).toEqual(plain?.tools)
})

it('the host itself refuses the row, for it would change every preset', async () => {
  const host = await openHost()

  const mounting = Promise.resolve(host.ctx.plugin(FabricSystemPrompt))

  await expect(mounting).rejects.toMatchObject({ code: 'no-scope' })
})

const sessionSearch = defineTool({
  name: 'session_search',
  description: 'Find earlier sessions.',
  parameters: { text: { type: 'string', required: true } },
  output: { schema: { type: 'string' }, render: (_, text) => [{ type: 'text', text }] },
  execute: async () => 'none',
})
