/** The features of a scene on the real host, with a model whose answers the test gives. */
import { describe, expect, it } from 'vitest'
import { beatsOf, openStage, room, say, transcriptOf, trio } from './stage.ts'

describe('a line', () => {
  it('is a beat, then everyone on stage answers it in the rota', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')

    const outcome = await say(scene, 'Good evening.')

    expect(outcome?.status).toBe('answered')
    expect(await transcriptOf(scene)).toEqual([
      'Narrator: A room with one lamp.',
      'Ellis: Good evening.',
      'Ann: I am ann.',
      'Bo: I am bo.',
    ])
  })

  it('reaches a character once, with what the others said before it', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    await say(scene, 'First.')

    await say(scene, 'Second.')

    const second = stage.model.of('bo').at(-1)
    expect(second?.newest).toContain('Ellis: Second.')
    expect(second?.newest).toContain('Ann: I am ann.')
    expect(second?.bytes.split('First.')).toHaveLength(2)
  })

  it('said twice under one id is one beat and one request', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    const line = { id: 'same', text: 'Once.' }
    await (
      await scene.submit(scene.speaker(), line)
    ).outcome

    await (
      await scene.submit(scene.speaker(), line)
    ).outcome

    expect((await transcriptOf(scene)).filter((text) => text === 'Ellis: Once.')).toHaveLength(1)
    expect(stage.model.of('ann')).toHaveLength(1)
  })

  it('said while the scene is busy is answered after the first', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')

    const outcomes = await Promise.all([say(scene, 'One.'), say(scene, 'Two.')])

    expect(outcomes.map((outcome) => outcome?.status)).toEqual(['answered', 'answered'])
    expect(stage.model.requests.map(({ actor }) => actor)).toEqual(['ann', 'bo', 'ann', 'bo'])
  })
})

describe('an audience', () => {
  it('a whisper is heard and answered by its addressee alone', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    await say(scene, 'The password is heron.', ['ann'])

    await say(scene, 'What now?')

    const whispers = (await beatsOf(scene)).filter(({ beat }) => beat.kind === 'whisper')
    expect(whispers.map(({ beat }) => beat.author.name)).toEqual(['Ellis', 'Ann'])
    expect(whispers[1]?.beat.heardBy).toEqual(
      expect.arrayContaining(['character:ann', 'seat:Ellis']),
    )
    expect(whispers[1]?.beat.heardBy).not.toContain('character:bo')
    for (const { bytes } of stage.model.of('bo')) expect(bytes).not.toContain('heron')
  })

  it('who enters later perceives nothing earlier', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    await say(scene, 'A thing of before.')
    await scene.enter('cy')

    await say(scene, 'Hello, Cy.')

    const [first] = stage.model.of('cy')
    expect(first?.newest).toContain('Hello, Cy.')
    expect(first?.bytes).not.toContain('A thing of before.')
  })

  it('who left perceives nothing until it is back', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    await say(scene, 'Hello.')
    await scene.exit('bo')
    await say(scene, 'Now that Bo is gone.')
    await scene.enter('bo')

    await say(scene, 'Welcome back.')

    expect(stage.model.of('bo').at(-1)?.newest).toContain('Welcome back.')
    for (const { bytes } of stage.model.of('bo')) expect(bytes).not.toContain('Now that Bo is gone')
  })

  it('a world variable known to one is in nobody else’s requests', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    stage.model.script(({ actor, afterTool }) => {
      if (actor === 'ann' && !afterTool) return { call: 'world_get', args: { key: 'safe' } }
      return `I am ${actor}.`
    })

    await say(scene, 'Look around.')

    expect(stage.model.of('bo').at(-1)?.newest).toContain('safe')
    for (const { bytes } of stage.model.of('ann')) expect(bytes).not.toContain('empty')
  })
})

describe('the world', () => {
  it('a change made with a line is on its beat, and the next speaker sees it', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    stage.model.script(({ actor, afterTool }) => {
      if (actor !== 'ann' || afterTool) return `I am ${actor}.`
      return { call: 'world_set', args: { key: 'lamp', value: 'out', expected_version: 1 } }
    })

    await say(scene, 'Put it out, Ann.')

    const line = (await beatsOf(scene)).find(({ beat }) => beat.author.name === 'Ann')
    expect(line?.beat).toMatchObject({
      changes: [{ status: 'applied', key: 'lamp', value: 'out', version: 2 }],
    })
    expect(stage.model.of('bo').at(-1)?.newest).toContain('- lamp (version 2): "out"')
  })

  it('a change that meets a newer version is a conflict on the beat, told at the next cue once', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    const { states } = scene.run.workspace
    const key = scene.run.worldKey('lamp')
    let raced = false
    stage.model.script(({ actor, afterTool }) => {
      if (actor === 'ann' && afterTool && !raced) {
        raced = true
        void states.compareAndSwap({
          key,
          expectedVersion: 1,
          value: { value: 'broken' },
          by: 'seat:Ellis',
        })
        return 'I put it out.'
      }
      if (actor !== 'ann' || raced) return `I am ${actor}.`
      return { call: 'world_set', args: { key: 'lamp', value: 'out', expected_version: 1 } }
    })
    await say(scene, 'Put it out, Ann.')
    await say(scene, 'And?')

    await say(scene, 'Well?')

    const line = (await beatsOf(scene)).find(({ beat }) => beat.author.name === 'Ann')
    expect(line?.beat).toMatchObject({
      changes: [{ status: 'conflict', key: 'lamp', currentValue: 'broken', currentVersion: 2 }],
    })
    const told = stage.model.of('ann').map(({ newest }) => newest.includes('[Told to you alone]'))
    expect(told.filter(Boolean)).toHaveLength(1)
    expect((await states.find(key))?.value).toEqual({ value: 'broken' })
  })

  it('a whisper by tool reaches its addressee and nobody else', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    stage.model.script(({ actor, afterTool }) => {
      if (actor !== 'ann' || afterTool) return `I am ${actor}.`
      return { call: 'whisper', args: { to: ['Ellis'], text: 'Trust no one.' } }
    })
    await say(scene, 'Ann?')

    await say(scene, 'Bo?')

    const whisper = (await beatsOf(scene)).find(({ beat }) => beat.kind === 'whisper')
    expect(whisper?.beat.heardBy.toSorted()).toEqual(['character:ann', 'narrator', 'seat:Ellis'])
    for (const { bytes } of stage.model.of('bo')) expect(bytes).not.toContain('Trust no one')
  })

  it('a character that leaves by tool is off the stage after its line', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    stage.model.script(({ actor, afterTool }) => {
      if (actor !== 'ann' || afterTool) return `I am ${actor}.`
      return { call: 'leave', args: {} }
    })

    await say(scene, 'Go, Ann.')

    expect(scene.run.stage.onStage).toEqual(['bo'])
    expect((await beatsOf(scene)).map(({ beat }) => beat.kind)).toEqual([
      'narration',
      'line',
      'line',
      'exit',
      'line',
    ])
  })
})

describe('a name', () => {
  it('is the card’s, the person’s own, or the narrator’s in the scene’s language', async () => {
    const stage = await openStage(room({ language: 'zh' }))
    const { cast } = await stage.open('room', { persona: '林渡' })

    const names = ['character:ann', 'seat:林渡', 'seat:Else', 'narrator'].map((id) =>
      cast.nameOf(id),
    )

    expect(names).toEqual(['Ann', '林渡', 'Else', '旁白'])
  })
})

describe('caps', () => {
  it('beats per line end a request', async () => {
    const stage = await openStage(room({ caps: { beatsPerLine: 1 } }))
    const scene = await stage.open('room')

    const outcome = await say(scene, 'Hello.')

    expect(outcome?.beats).toHaveLength(1)
  })

  it('auto play always ends', async () => {
    const stage = await openStage(room({ caps: { autoBeats: 3 } }))
    const scene = await stage.open('room')

    expect(await scene.auto(100)).toBe('capped')

    expect(scene.run.stage.autoBeats).toBe(3)
  })

  it('a character past its tokens is silent, the others go on', async () => {
    const cast = [{ character: 'ann', tokens: 100 }, { character: 'bo' }]
    const stage = await openStage(room({ cast }))
    const scene = await stage.open('room')
    await say(scene, 'One.')

    await say(scene, 'Two.')

    expect(stage.model.requests.map(({ actor }) => actor)).toEqual(['ann', 'bo', 'bo'])
  })

  it('the scene’s tokens end it with the cap named', async () => {
    const stage = await openStage(room({ caps: { sceneTokens: 100 } }))
    const scene = await stage.open('room')
    await say(scene, 'One.')

    const outcome = await say(scene, 'Two.')

    expect(outcome).toMatchObject({ status: 'capped', cap: 'scene-tokens', beats: [] })
  })
})

describe('a person', () => {
  it('delegates to a muted character with another model for that turn only', async () => {
    const cast = [{ character: 'ann', muted: true }, { character: 'bo' }]
    const stage = await openStage(room({ cast }))
    const scene = await stage.open('room')
    const delegation = { actor: 'ann', route: { model: 'other' }, instruction: 'Sing.' }
    await (
      await scene.delegate(scene.speaker(), delegation)
    ).outcome

    await (
      await scene.delegate(scene.speaker(), { actor: 'ann', route: {} })
    ).outcome

    expect(stage.model.of('ann').map(({ model }) => model)).toEqual(['other', 'scripted-1'])
    expect(stage.model.of('ann')[0]?.newest).toContain('Sing.')
  })

  it('stops an answer: no beat of it, no more cues, and the scene goes on', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    stage.model.script(() => ({ hang: 'I was about to' }))
    stage.ctx.once('performance/delta', () => scene.cancel())
    const stopped = await say(scene, 'Talk.')
    stage.model.script(({ actor }) => `I am ${actor}.`)

    const outcome = await say(scene, 'Again.')

    expect(stopped).toMatchObject({ status: 'cancelled', beats: [] })
    expect(outcome?.status).toBe('answered')
    expect(await transcriptOf(scene)).not.toContain('Ann: I was about to')
    expect(stage.model.of('ann').at(-1)?.bytes).not.toContain('I was about to')
  })

  it('hears of a failed performance, and the next one is asked without it', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    stage.model.script(({ actor }) => (actor === 'ann' ? { fail: 'SERVER' } : `I am ${actor}.`))
    const outcome = await say(scene, 'Hello.')
    stage.model.script(({ actor }) => `I am ${actor}.`)

    await say(scene, 'Better?')

    expect(outcome).toMatchObject({
      status: 'answered',
      failures: [{ character: 'ann', code: 'SERVER' }],
    })
    const last = stage.model.of('ann').at(-1)
    expect(last?.bytes.split('Ellis: Hello.')).toHaveLength(2)
  })
})
