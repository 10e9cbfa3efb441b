/** A seat in DSH: a session of preset `stage` whose model is a scene. */
import { createAssistantMessage, createUserMessage, type Message } from '@deepseek-ai/dsh-llm'
import { SessionId } from '@deepseek-ai/dsh-session'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chat, openSeatStage, send } from '../tavern-delegate/seat.ts'
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

  it('is shown with its next answer what was said between two of them, once', async () => {
    const stage = await openStage(trio)
    const { agent, type } = await takeSeat(stage)
    type('Good evening.')
    await agent.whenIdle()
    const scene = await stage.open('room')
    stage.model.script(({ actor }) => `Meanwhile, ${actor}.`)
    await scene.auto(2)
    stage.model.script(({ actor }) => `Again ${actor}.`)

    type('I am back.')
    await agent.whenIdle()
    type('And now?')
    await agent.whenIdle()

    const [, second, third] = answersOf(agent)
    expect(second).toBe(
      '**Ann:** Meanwhile, ann.\n\n**Bo:** Meanwhile, bo.\n\n**Ann:** Again ann.\n\n**Bo:** Again bo.',
    )
    expect(third).toBe('**Ann:** Again ann.\n\n**Bo:** Again bo.')
  })

  it('does not repeat what its slash commands have shown', async () => {
    const stage = await openSeatStage(trio)
    await stage.open('room')
    const seat = await stage.session()
    await chat(seat, 'Good evening.')
    stage.model.script(({ actor }) => `Handed to ${actor}.`)
    const shown = await send(stage, seat, '/delegate bo')
    stage.model.script(({ actor }) => `Again ${actor}.`)

    const answer = await chat(seat, 'And now?')

    expect(shown.text).toBe('Bo: Handed to bo.')
    expect(answer).not.toContain('Handed to')
    expect(answer).toContain('Again ann.')
  })

  it('goes on after a restart of the host where its last answer ended', async () => {
    const first = await openStage(trio)
    const opened = await first.open('room')
    const line = createUserMessage({
      content: [{ type: 'text', text: 'Good evening.' }],
      source: { kind: 'user' },
    })
    const answer = await answerTo(first, [line])
    expect(answer).toContain('I am bo.')
    first.model.script(({ actor }) => `Meanwhile, ${actor}.`)
    await opened.auto(1)
    await first.close()
    const second = await openStage(trio, { home: first.home })
    await second.open('room')

    const next = createUserMessage({
      content: [{ type: 'text', text: 'Back.' }],
      source: { kind: 'user' },
    })
    const after = await answerTo(second, [line, spokenBack(answer), next])

    expect(after.split('\n\n')[0]).toMatch(/^\*\*\w+:\*\* Meanwhile, \w+\.$/)
    expect(after).not.toContain('A room with one lamp')
    expect(after.match(/I am/g)).toHaveLength(2)
  })

  it('its queued line is stopped with its turn, though another is answered first', async () => {
    const stage = await openStage(trio)
    const { agent, type } = await takeSeat(stage)
    const scene = await stage.open('room')
    stage.model.script(() => ({ hang: 'I was about to' }))
    const begun = once(stage, 'performance/delta')
    const other = await scene.submit(scene.speaker(), { id: 'other', text: 'First.' })
    await begun
    const queued = Promise.withResolvers<void>()
    stage.ctx.on('beat/published', ({ placed }) => {
      if (placed.beat.text === 'Mine.') queued.resolve()
    })
    type('Mine.')
    await queued.promise
    agent.cancel({ kind: 'user' })
    await agent.whenIdle()

    stage.model.script(({ actor }) => `I am ${actor}.`)
    scene.cancel([other.requestId])
    await scene.idle()

    expect((await transcriptOf(scene)).filter((text) => text.startsWith('Ann:'))).toEqual([])
  })

  it('a store that fails under two lines is told once and leaves nothing unhandled', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    stage.model.script(() => ({ hang: 'I was about to' }))
    const begun = once(stage, 'performance/delta')
    const lines = ['One.', 'Two.'].map((text) =>
      createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } }),
    )
    const answering = answerTo(stage, lines)
    await begun

    scene.cast.fail(new Error('the store is gone'))

    await expect(answering).rejects.toThrow('the store is gone')
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  })
})

function once(stage: Stage, event: 'performance/delta'): Promise<void> {
  return new Promise((resolve) => stage.ctx.once(event, () => resolve()))
}

async function answerTo(stage: Stage, messages: readonly Message[]): Promise<string> {
  const chunks = await Array.fromAsync(
    stage.ctx.llm.stream({
      provider: 'tavern-stage',
      model: 'room',
      sessionId: SessionId('seat'),
      messages: [...messages],
    }),
  )
  const finish = chunks.findLast(({ type }) => type === 'finish')
  if (finish?.type === 'finish' && finish.reason.kind === 'error') {
    throw new Error(finish.reason.failure.message)
  }
  return chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.text : '')).join('')
}

function spokenBack(text: string): Message {
  const source = { provider: 'tavern-stage', model: 'room' }
  return createAssistantMessage({ content: [{ type: 'text', text }], source })
}
