/** What a performance becomes, on the real host with a model whose answers the test gives. */
import { describe, expect, test } from 'vitest'
import { beatsOf, openStage, room, say, trio } from '../scenes/stage.ts'

const setTo = (key: string, value: string | number) => ({
  call: 'world_set',
  args: { key, value, expected_version: 1 },
})
const setLamp = setTo('lamp', 'out')

describe('a whispered answer that changes the world', () => {
  test('is a whisper, and a change beside it that everyone sees', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    stage.model.script(({ actor, afterTool }) =>
      actor === 'ann' && !afterTool ? setLamp : `Secret of ${actor}.`,
    )

    const outcome = await say(scene, 'Put it out, quietly.', ['ann'])

    const [cueId = '', besideId = ''] = outcome?.beats ?? []
    expect(outcome?.beats).toEqual([cueId, `${cueId}/world`])
    const [whisper, beside] = await Promise.all([scene.run.find(cueId), scene.run.find(besideId)])
    expect(whisper?.beat).toMatchObject({ kind: 'whisper', text: 'Secret of ann.' })
    expect(beside?.beat).toMatchObject({
      kind: 'world',
      author: { id: 'character:ann' },
      text: '',
      changes: [{ status: 'applied', key: 'lamp', value: 'out' }],
    })

    stage.model.script(({ actor }) => `I am ${actor}.`)
    await say(scene, 'Bo?')
    const bo = stage.model.of('bo').at(-1)
    expect(bo?.newest).toContain('* Ann [now: lamp = "out"] *')
    expect(bo?.bytes).not.toMatch(/Secret of ann|quietly/)
  })

  test('is paid for once', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    stage.model.script(({ afterTool }) => (afterTool ? 'Done.' : setLamp))

    await say(scene, 'Put it out, quietly.', ['ann'])

    // two requests of 100 tokens in, 5 and 10 out
    expect(scene.run.stage.tokens).toEqual({ ann: 215 })
    expect(scene.run.stage.sceneTokens).toBe(215)
  })

  test('is told of its conflict at the next cue, once', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    const { states } = scene.run.workspace
    stage.model.script(({ actor, afterTool }) => {
      if (actor !== 'ann') return `I am ${actor}.`
      if (!afterTool) return setLamp
      void states.compareAndSwap({
        key: scene.run.worldKey('lamp'),
        expectedVersion: 1,
        value: { value: 'broken' },
        by: 'seat:Ellis',
      })
      return 'I put it out.'
    })
    await say(scene, 'Put it out, quietly.', ['ann'])
    stage.model.script(({ actor }) => `I am ${actor}.`)

    await say(scene, 'Well?', ['ann'])
    await say(scene, 'And?', ['ann'])

    const notices = stage.model.of('ann').map(({ newest }) => newest.includes('did not happen'))
    expect(notices).toEqual([false, false, true, false])
  })
})

describe('what no store could hold', () => {
  test('an answer longer than any line is cut', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    stage.model.script(({ actor }) => `${actor}${'钟'.repeat(20_000)}`)

    const outcome = await say(scene, 'Speak, Ann.')

    const said = await scene.run.find(outcome?.beats[0] ?? '')
    expect(said?.beat.text).toMatch(/^ann钟+…$/)
    expect(Buffer.byteLength(said?.beat.text ?? '')).toBeLessThanOrEqual(32 * 1024)
  })

  test.each([
    ['value', { key: 'lamp', value: 'x'.repeat(5000), expected_version: 1 }, 5002, 4096],
    ['key', { key: '钟'.repeat(60), value: 1, expected_version: 0 }, 180, 160],
    ['key', { key: ' ', value: 1, expected_version: 0 }, 1, 160],
  ])('a %s of the world is refused, with its size', async (what, args, found, limit) => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    stage.model.script(({ actor, afterTool }) =>
      actor === 'ann' && !afterTool ? { call: 'world_set', args } : `I am ${actor}.`,
    )

    await say(scene, 'Go on.')

    expect(stage.model.of('ann').at(-1)?.bytes).toContain(
      `${what} must have 1 to ${limit} bytes, found ${found}`,
    )
    expect((await beatsOf(scene)).at(-2)?.beat).toMatchObject({ text: 'I am ann.' })
  })

  test('a conflict tells the beginning of a large value, and the line stands', async () => {
    const world = { a: { value: 1 }, b: { value: 1 } }
    const stage = await openStage(room({ cast: [{ character: 'ann' }], world }))
    const scene = await stage.open('room')
    const { states } = scene.run.workspace
    const race = (key: string) =>
      states.compareAndSwap({
        key: scene.run.worldKey(key),
        expectedVersion: 1,
        value: { value: 'x'.repeat(200_000) },
        by: 'seat:Ellis',
      })
    const answers = [setTo('a', 2), setTo('b', 2), 'Done.']
    stage.model.script(() => {
      if (answers.length === 1) void Promise.all([race('a'), race('b')])
      return answers.shift() ?? 'I am here.'
    })

    const outcome = await say(scene, 'Fill it.')

    expect(outcome).toMatchObject({ status: 'answered', failures: [] })
    const line = (await beatsOf(scene)).at(-1)?.beat
    expect(line).toMatchObject({ text: 'Done.', changes: [{ status: 'conflict', key: 'a' }, {}] })
    expect(JSON.stringify(line).length).toBeLessThan(10_000)
    expect(await say(scene, 'And now?')).toMatchObject({ status: 'answered', failures: [] })
  })
})
