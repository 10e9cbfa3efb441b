/** The mesh tool as a row of presets: each has its own, and an agent of another preset has none. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { SessionId } from '@deepseek-ai/dsh-session'
import { expect, it } from 'vitest'
import { openStage, scripted, type Stage, trio } from './stage.ts'

async function agentOf(stage: Stage, preset: string, rows: string): Promise<Agent> {
  const folder = join(stage.home, 'test/presets', preset)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'agent.cordis.yml'), rows)
  const handle = await stage.ctx.agents.create({
    sessionId: SessionId(`${preset}-1`),
    meta: { cwd: stage.home, agentPreset: preset },
    agentOptions: scripted,
    setup: async (ctx) => {
      await stage.ctx.agentPresets.mount(ctx, preset)
    },
  })
  return handle.agent
}

async function turn(agent: Agent): Promise<void> {
  const content = [{ type: 'text' as const, text: 'Go.' }]
  agent.followup(createUserMessage({ content, source: { kind: 'user' } }))
  await agent.whenIdle()
}

const row = '- id: mesh\n  name: dsh-fabric-mesh/tool\n'

it('a preset with the row has tool, guidance and context; one without has none', async () => {
  const stage = await openStage(trio)
  const desk = await agentOf(stage, 'desk', row)
  const plain = await agentOf(stage, 'plain', '[]\n')
  const args = { action: 'create_topic', id: 'news', label: 'News' }
  stage.model.script(({ bytes }) =>
    bytes.includes('create_topic') && !bytes.includes('createdAt')
      ? { call: 'fabric_mesh', args }
      : 'Done.',
  )

  await turn(desk)
  await turn(plain)

  const [first, second, third] = stage.model.requests
  expect(first?.system).toContain('## The shared mesh')
  expect(second?.bytes).toContain('<fabric_mesh_state>')
  expect(second?.newest).toContain('"id":"news"')
  expect(third?.bytes).not.toContain('mesh')
  expect(stage.model.requests).toHaveLength(3)
})

it('rows grant by their preset: a claim that one may make, another may not', async () => {
  const stage = await openStage(trio)
  const config = '  config:\n    claims: [inbox/*]\n'
  const clerk = await agentOf(stage, 'clerk', row + config)
  const guest = await agentOf(stage, 'guest', row)
  const { mailboxes } = stage.ctx.mesh.workspace('session:x')
  await mailboxes.create({ id: 'inbox/a', by: 'somebody' })
  await mailboxes.send('inbox/a', { payload: 'hello', by: 'somebody' })
  const reach = { ...stage.ctx.mesh.workspace('session:x') }
  stage.ctx.on('mesh/access', () => ({ kind: 'restricted', reach }), { prepend: true })
  const args = { action: 'claim_actor_message', actor_id: 'inbox/a' }
  stage.model.script(({ bytes }) => {
    const isAnswered = bytes.includes('forbidden') || bytes.includes('claimToken')
    return isAnswered ? 'Done.' : { call: 'fabric_mesh', args }
  })

  await turn(guest)
  await turn(clerk)

  expect(stage.model.requests[1]?.bytes).toContain('forbidden')
  expect(stage.model.requests[3]?.bytes).toContain('hello')
  expect(await mailboxes.find('inbox/a')).toMatchObject({ claimed: 1 })
})
