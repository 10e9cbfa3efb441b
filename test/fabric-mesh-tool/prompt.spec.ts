/** The tool in the prompt: there with it, gone without it, names and counts only, bounded as sent. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { renderContextSections } from '@deepseek-ai/dsh-system-prompt'
import { describe, expect, it, vi } from 'vitest'
import { type Answer, call, type Host, openHost, shared, turn } from './host.ts'

async function promptOf(host: Host, agent?: Agent) {
  const assembly = await host.ctx.systemPrompt.assemble(agent ? { agent, scope: agent } : {})
  const context = renderContextSections(assembly).find((part) => part.name === 'fabric:mesh-state')
  const section = assembly.sections.find((part) => part.name === 'fabric:mesh-guidance')
  return { guidance: section?.text ?? '', state: context?.text ?? '' }
}

/** The JSON inside the tagged block. */
function read(state: string): Answer {
  const lines = state.split('\n')
  expect([lines[0], lines.at(-1)]).toEqual(['<fabric_mesh_state>', '</fabric_mesh_state>'])
  expect(lines).toHaveLength(4)
  expect(lines[1]).toContain('identifier')
  return JSON.parse(lines[2] ?? '')
}

async function fill(host: Host, agent: Agent): Promise<void> {
  await call(host, agent, { action: 'create_topic', id: 'news', label: 'SECRET label' })
  await call(host, agent, { action: 'publish', topic_id: 'news', payload: 'SECRET payload' })
  const swap = { action: 'cas_state', key: 'head', expected_version: 0, value: 'SECRET value' }
  await call(host, agent, swap)
  await call(host, agent, { action: 'create_actor', id: 'builder', label: 'SECRET label' })
  for (const payload of ['SECRET task', 'SECRET other']) {
    await call(host, agent, { action: 'send_actor', actor_id: 'builder', payload })
  }
  const claimed = await call(host, agent, { action: 'claim_actor_message', actor_id: 'builder' })
  await call(host, agent, {
    action: 'settle_actor_message',
    message_id: claimed.id,
    claim_token: claimed.claimToken,
    value: 'SECRET result',
  })
}

/** Long, in many bytes, like a template, with what ends a tag. */
const name = (n: number) => `${'<'.repeat(200)}界{{x}}\u0001${n}`

describe('the prompt of an agent with the tool', () => {
  it('has the guidance, and no context while the mesh is empty', async () => {
    const host = await openHost()

    const { guidance, state } = await promptOf(host, await host.agent('coder'))

    expect(guidance).toContain('context compaction')
    expect(guidance).toMatchSnapshot()
    expect(state).toBe('')
  })

  it('lists names, versions and counts, and nothing that was said', async () => {
    const host = await openHost()
    const agent = await host.agent('coder')
    await fill(host, agent)

    const { state } = await promptOf(host, agent)

    expect(read(state)).toEqual({
      topics: [{ id: 'news', headSequence: 1 }],
      states: [{ key: 'head', version: 1 }],
      actors: [
        {
          id: 'builder',
          status: 'pending',
          queued: 1,
          claimed: 0,
          completed: 1,
          failed: 0,
          dead: 0,
        },
      ],
      totals: { topics: 1, topicMessages: 1, states: 1, actors: 1, actorMessages: 2 },
      truncated: false,
    })
    expect(state).not.toContain('SECRET')
  })

  it('reaches the model with each request, as it is then', async () => {
    const host = await openHost()
    const agent = await host.agent('coder')
    await turn(agent, 'First.')
    await call(host, agent, { action: 'create_topic', id: 'news', label: 'News' })

    await turn(agent, 'Second.')

    const [first, second] = host.model.requests
    expect(first?.system).toContain('## The shared mesh')
    expect(first?.bytes).not.toContain('<fabric_mesh_state>')
    expect(second?.bytes).toContain('<fabric_mesh_state>')
  })

  it('asks the mesh once a request, for twelve', async () => {
    const host = await openHost()
    const agent = await host.agent('coder')
    await fill(host, agent)
    const workspace = await shared(host)
    const asked = vi.fn<(limit?: number) => void>()
    vi.spyOn(host.ctx.mesh, 'workspace').mockReturnValue({
      ...workspace,
      snapshot: async (limit) => {
        asked(limit)
        return await workspace.snapshot(limit)
      },
    })

    await turn(agent)

    expect(asked.mock.calls).toEqual([[12]])
  })

  it('holds at most twelve of each, the newest', async () => {
    const host = await openHost()
    const agent = await host.agent('coder')
    for (let n = 1; n <= 14; n += 1) {
      await call(host, agent, { action: 'create_topic', id: `t${n}`, label: 'T' })
      await call(host, agent, { action: 'create_actor', id: `a${n}`, label: 'A' })
      const key = `k${n}`
      await call(host, agent, { action: 'cas_state', key, expected_version: 0, value: 1 })
    }

    const shown = read((await promptOf(host, agent)).state)

    expect(shown.truncated).toBe(true)
    expect([shown.topics, shown.actors, shown.states].map((list) => list.length)).toEqual([
      12, 12, 12,
    ])
    expect(shown.states.map(({ key }) => key)).toContain('k14')
    expect(shown.totals).toMatchObject({ topics: 14, actors: 14, states: 14 })
  })

  it('shrinks to 16 KiB of bytes, however long and strange the names are', async () => {
    const host = await openHost()
    const agent = await host.agent('coder')
    for (let n = 1; n <= 12; n += 1) {
      await call(host, agent, { action: 'create_topic', id: name(n), label: 'T' })
      await call(host, agent, { action: 'create_actor', id: name(n), label: 'A' })
      const key = name(n)
      await call(host, agent, { action: 'cas_state', key, expected_version: 0, value: 1 })
    }

    const { state } = await promptOf(host, agent)

    expect(Buffer.byteLength(state)).toBeLessThanOrEqual(16 * 1024)
    const shown = read(state)
    expect(shown.topics.length).toBeGreaterThan(1)
    expect(shown.topics.length).toBeLessThan(12)
    expect(shown.truncated).toBe(true)
    expect(shown.topics.at(-1)?.id).toBe(name(12))
    expect(state.match(/[<>]/g)).toHaveLength(4)
  })
})

describe('the prompt has none of it', () => {
  it('for no agent', async () => {
    const host = await openHost()
    await fill(host, await host.agent('coder'))

    expect(await promptOf(host)).toEqual({ guidance: '', state: '' })
  })

  it('for an agent that the tool is kept from', async () => {
    const host = await openHost()
    const agent = await host.agent('coder')
    await fill(host, agent)
    agent.ctx.tools.restrict({ deny: ['fabric_mesh'] })

    expect(await promptOf(host, agent)).toEqual({ guidance: '', state: '' })
    await turn(agent)
    expect(host.model.requests[0]?.bytes).not.toContain('fabric_mesh')
  })

  it('of the state, for an agent that reaches nothing or a mesh that fails', async () => {
    const host = await openHost()
    const agent = await host.agent('coder')
    await fill(host, agent)
    const stop = host.ctx.on('mesh/access', () => ({ kind: 'refused', reason: 'no' }))

    expect((await promptOf(host, agent)).state).toBe('')
    stop()
    expect((await promptOf(host, agent)).state).not.toBe('')
    await host.ctx.mesh.close()
    expect((await promptOf(host, agent)).state).toBe('')
  })
})
