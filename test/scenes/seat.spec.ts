/** A seat in DSH: a session of preset `stage` whose model is a scene. */
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { SessionId } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { openStage, type Stage, transcriptOf, trio } from './stage.ts'

async function takeSeat(stage: Stage) {
  await stage.open('room')
  const { agent } = await stage.ctx.agents.create({
    sessionId: SessionId('seat'),
    meta: { cwd: stage.home, agentPreset: 'stage' },
    agentOptions: { provider: 'tavern-stage', model: 'room' },
    setup: async (agentCtx) => {
      await stage.ctx.agentPresets.mount(agentCtx, 'stage')
    },
  })
  const type = (text: string) =>
    agent.followup(
      createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } }),
    )
  return { agent, type }
}

function answersOf({ session }: Awaited<ReturnType<typeof takeSeat>>['agent']): readonly string[] {
  return session.deriveMessages().flatMap(({ role, content }) => {
    if (role !== 'assistant') return []
    return content.map((block) => (block.type === 'text' ? block.text : ''))
  })
}

describe('a seat', () => {
  it('says its line into the scene and reads the beats under speakers’ names', async () => {
    const stage = await openStage(trio)
    const { agent, type } = await takeSeat(stage)

    type('Good evening.')
    await agent.whenIdle()

    expect(answersOf(agent)).toEqual([
      '*A room with one lamp.*\n\n**Ann:** I am ann.\n\n**Bo:** I am bo.',
    ])
    const scene = await stage.open('room')
    expect(await transcriptOf(scene)).toContain('Ellis: Good evening.')
  })

  it('a second line while the scene is busy is answered too', async () => {
    const stage = await openStage(trio)
    const { agent, type } = await takeSeat(stage)

    type('One.')
    type('Two.')
    await agent.whenIdle()

    expect(answersOf(agent)).toHaveLength(2)
    const scene = await stage.open('room')
    const said = (await transcriptOf(scene)).filter((text) => text.startsWith('Ellis:'))
    expect(said).toEqual(['Ellis: One.', 'Ellis: Two.'])
  })

  it('cancelling its turn stops the scene, and its next line is answered', async () => {
    const stage = await openStage(trio)
    const { agent, type } = await takeSeat(stage)
    stage.model.script(() => ({ hang: 'I was about to' }))
    stage.ctx.once('performance/delta', () => agent.cancel({ kind: 'user' }))
    type('Talk.')
    await agent.whenIdle()
    stage.model.script(({ actor }) => `I am ${actor}.`)

    type('Again.')
    await agent.whenIdle()

    const scene = await stage.open('room')
    const said = (await transcriptOf(scene)).filter((text) => text.startsWith('Ellis:'))
    expect(said).toEqual(['Ellis: Talk.', 'Ellis: Again.'])
    expect(answersOf(agent).at(-1)).toContain('**Ann:** I am ann.')
  })

  it('a title or a summary is asked of nobody in the scene', async () => {
    const stage = await openStage(trio)
    await stage.open('room')

    const chunks = await Array.fromAsync(
      stage.ctx.llm.stream({
        provider: 'tavern-stage',
        model: 'room',
        purpose: 'session-title',
        messages: [],
      }),
    )

    expect(chunks).toContainEqual({ type: 'text-delta', index: 0, text: 'A room' })
    expect(stage.model.requests).toEqual([])
  })

  it('does not hear what others whisper', async () => {
    const stage = await openStage(trio)
    const { agent, type } = await takeSeat(stage)
    stage.model.script(({ actor, afterTool }) => {
      if (actor !== 'ann' || afterTool) return `I am ${actor}.`
      return { call: 'whisper', args: { to: ['bo'], text: 'He must not know.' } }
    })

    type('Well?')
    await agent.whenIdle()

    expect(answersOf(agent).join()).not.toContain('He must not know')
  })
})
