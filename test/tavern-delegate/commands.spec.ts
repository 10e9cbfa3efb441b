/** A seat's slash commands on the real host: they act on the scene, and never wake the model of the seat. */
import { installModelSelection } from '@deepseek-ai/dsh-agent'
import { sceneCommands } from 'dsh-tavern-scene'
import { describe, expect, it } from 'vitest'
import { trio } from '../scenes/stage.ts'
import { chat, openSeatStage, send, turnsOf } from './seat.ts'

const namesakes = {
  scenes: {
    room: {
      title: 'A room',
      premise: 'A room with one lamp.',
      direction: 'rota',
      cast: [{ character: 'ann' }, { character: 'anders' }, { character: 'cy', onStage: false }],
    },
  },
  characters: { ann: { name: 'Ann' }, anders: { name: 'Anders' }, cy: { name: 'Cy' } },
}

describe('in a seat', () => {
  it('/delegate gives one character the turn, with its direction', async () => {
    const stage = await openSeatStage(trio)
    await stage.open('room')
    const seat = await stage.session()

    const result = await send(stage, seat, '/delegate bo look at the lamp')

    expect(result).toEqual({ kind: 'success', text: 'Bo: I am bo.' })
    expect(stage.model.of('bo')[0]?.newest).toContain('look at the lamp')
    expect(stage.model.of('ann')).toEqual([])
  })

  it('/delegate with a provider and a model uses them for that turn alone', async () => {
    const stage = await openSeatStage(trio)
    await stage.open('room')
    const seat = await stage.session()

    await send(stage, seat, '/delegate bo --provider scripted --model scripted-2 speak')
    await send(stage, seat, '/delegate bo speak')

    expect(stage.model.of('bo').map(({ model }) => model)).toEqual(['scripted-2', 'scripted-1'])
  })

  it('/whisper is heard by one, who answers', async () => {
    const stage = await openSeatStage(trio)
    await stage.open('room')
    const seat = await stage.session()

    const result = await send(stage, seat, '/whisper bo The safe is empty.')

    expect(result.text).toMatch(/^Bo.*: I am bo\.$/)
    expect(stage.model.of('bo')[0]?.newest).toContain('The safe is empty.')
    expect(stage.model.of('ann')).toEqual([])
  })

  it('/cast and /world tell what everyone may know', async () => {
    const stage = await openSeatStage(trio)
    await stage.open('room')
    const seat = await stage.session()

    const cast = await send(stage, seat, '/cast')
    const world = await send(stage, seat, '/world')

    expect(cast.text).toBe('Ann (ann): on stage\nBo (bo): on stage\nCy (cy): away')
    expect(world.text).toBe('lamp = "lit" (version 1)')
  })

  it('/auto shows what was played', async () => {
    const stage = await openSeatStage(trio)
    await stage.open('room')
    const seat = await stage.session()

    const result = await send(stage, seat, '/auto 2')

    expect(result).toEqual({
      kind: 'success',
      text: 'Ann: I am ann.\n\nBo: I am bo.\n\n2 beats (answered).',
    })
  })

  it('/enter and /leave move a character once, and /leave alone keeps the scene', async () => {
    const stage = await openSeatStage(trio)
    const scene = await stage.open('room')
    const seat = await stage.session()

    const entered = await send(stage, seat, '/enter cy')
    const again = await send(stage, seat, '/enter cy')
    const left = await send(stage, seat, '/leave cy')
    const kept = await send(stage, seat, '/leave')

    expect(entered.text).toBe('Cy comes in.')
    expect(again.text).toBe("'cy' is on stage already.")
    expect(left.text).toBe('Cy leaves.')
    expect(kept.text).toBe('The scene is kept.')
    expect(scene.run.stage.onStage).toEqual(['ann', 'bo'])
  })

  it('no command is a turn of the seat, and each is in its log with its result', async () => {
    const stage = await openSeatStage(trio)
    await stage.open('room')
    const seat = await stage.session()
    const lines = ['/delegate ann', '/whisper bo Hush.', '/cast', '/world', '/auto 1', '/enter cy']

    for (const line of lines) await send(stage, seat, line)

    const log = seat.session.events.map(({ type: kind }) => kind)
    expect(turnsOf(seat)).toBe(0)
    expect(log.filter((kind) => kind === 'command/run')).toHaveLength(lines.length)
    expect(log.filter((kind) => kind === 'command/done')).toHaveLength(lines.length)
    for (const { actor } of stage.model.requests) expect(['ann', 'bo', 'cy']).toContain(actor)
  })

  it('what was played by a command is heard by the characters, and not answered again', async () => {
    const stage = await openSeatStage(trio)
    await stage.open('room')
    const seat = await stage.session()
    await send(stage, seat, '/delegate bo')

    const answer = await chat(seat, 'And you, Ann?')

    expect(answer).toContain('**Ann:** I am ann.')
    expect(stage.model.of('ann')[0]?.newest).toContain('Bo: I am bo.')
    expect(turnsOf(seat)).toBe(1)
  })
})

describe('a command fails', () => {
  it.each([
    ['/delegate zed', /no character 'zed' \(cast: ann, anders, cy\)/],
    ['/delegate an', /'an' may be ann or anders: say which/],
    ['/delegate cy', /'cy' is not on stage \(on stage: ann, anders\)/],
    ['/whisper cy Hush.', /'cy' is not on stage/],
    ['/whisper ann', /there is no text/],
    ['/auto many', /whole number of beats, found 'many'/],
    ['/enter zed', /no character 'zed'/],
    ['/delegate ann --voice loud', /--voice/],
  ])('%s', async (line, message) => {
    const stage = await openSeatStage(namesakes)
    await stage.open('room')
    const seat = await stage.session()

    const result = await send(stage, seat, line)

    expect(result.kind).toBe('error')
    expect(result.text).toMatch(message)
    expect(stage.model.requests).toEqual([])
    expect(turnsOf(seat)).toBe(0)
  })

  it('with the reason, when the character could not answer', async () => {
    const stage = await openSeatStage(trio)
    await stage.open('room')
    stage.model.script(() => ({ fail: 'AUTH' }))
    const seat = await stage.session()

    const result = await send(stage, seat, '/delegate bo')

    expect(result.kind).toBe('error')
    expect(result.text).toMatch(/bo could not answer: .*AUTH/)
  })

  it('for a scene that does not exist', async () => {
    const stage = await openSeatStage(trio)
    const seat = await stage.session({ model: 'nowhere' })

    const result = await send(stage, seat, '/cast')

    expect(result).toMatchObject({ kind: 'error', text: expect.stringContaining("'nowhere'") })
  })

  it('outside a seat, saying what to do', async () => {
    const stage = await openSeatStage(trio)
    const session = await stage.session({ preset: 'agent-tavern', provider: 'scripted' })

    const result = await send(stage, session, '/delegate bo')

    expect(result).toMatchObject({ kind: 'error', text: expect.stringMatching(/preset Stage/) })
    expect(stage.model.requests).toEqual([])
  })
})

describe('the scene of a seat', () => {
  const two = {
    ...trio,
    scenes: {
      room: { ...trio.scenes['room'] },
      cellar: { title: 'A cellar', premise: 'Dark.', cast: [{ character: 'cy' }] },
    },
  }

  it('is the default when another model was chosen, for lines and commands', async () => {
    const stage = await openSeatStage(two)
    await stage.open('room')
    const seat = await stage.session({ provider: 'scripted', model: 'scripted-1' })

    const answer = await chat(seat, 'Good evening.')
    const cast = await send(stage, seat, '/cast')

    expect(answer).toMatch(/\*\*Ann:\*\* I am ann\.\n\n\*\*Bo:\*\* I am bo\.$/)
    expect(cast.text).toContain('Ann (ann)')
    expect(seat.session.requestHeader()?.config).toMatchObject({
      provider: 'tavern-stage',
      model: 'room',
    })
  })

  it('is the one picked, before the first line too', async () => {
    const stage = await openSeatStage(two)
    const seat = await stage.session({ provider: 'scripted', model: 'scripted-1' })
    installModelSelection(seat.ctx, {
      current: { provider: 'tavern-stage', model: 'cellar' },
      assembled: undefined,
    })

    const cast = await send(stage, seat, '/cast')

    expect(cast.text).toBe('Cy (cy): on stage')
  })

  it('stays what it was when another model is chosen later', async () => {
    const stage = await openSeatStage(two)
    await stage.open('cellar')
    const seat = await stage.session({ model: 'cellar' })
    await chat(seat, 'Good evening.')
    installModelSelection(seat.ctx, {
      current: { provider: 'scripted', model: 'scripted-1' },
      assembled: undefined,
    })

    const answer = await chat(seat, 'Still here?')

    expect(answer).toBe('**Cy:** I am cy.')
  })
})

describe('the default model of the home', () => {
  it('is not replaced by a scene, and still by a model', async () => {
    const { ctx } = await openSeatStage(trio)

    await ctx.agentDefaultModel.saveSelection({ provider: 'tavern-stage', model: 'room' })
    const afterScene = ctx.agentDefaultModel.currentSelection()
    await ctx.agentDefaultModel.saveSelection({ provider: 'scripted', model: 'scripted-1' })

    expect(afterScene.provider).toBe('improv')
    expect(ctx.agentDefaultModel.currentSelection().provider).toBe('scripted')
  })
})

it('a disposed face leaves no command behind, and saves models as the host does', async () => {
  const stage = await openSeatStage(trio)
  const seat = await stage.session()
  const before = stage.ctx.commands.list(seat).length

  await stage.unmount()
  await stage.ctx.agentDefaultModel.saveSelection({ provider: 'tavern-stage', model: 'room' })

  expect(before).toBe(sceneCommands.length)
  expect(stage.ctx.commands.list(seat)).toEqual([])
  expect(stage.ctx.agentDefaultModel.currentSelection().provider).toBe('tavern-stage')
})
