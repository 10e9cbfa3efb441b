import { everyone } from 'dsh-tavern-protocol'
import { describe, expect, test } from 'vitest'
import { ellis, entrance, exit, hears, line, mara, pip, whisper } from './beats.ts'
import { newWorkspace, openRun } from './run-bed.ts'

describe('who hears a beat', () => {
  test('for everyone are those on stage and in the seats, its author, and the narrator', async () => {
    const { run } = await openRun(newWorkspace())

    expect(run.heardBy(everyone, ellis.id).toSorted()).toEqual([
      'character:mara',
      'character:pip',
      'narrator',
      'seat:Ellis',
    ])
  })

  test('for some are those of them that are present', async () => {
    const { run } = await openRun(newWorkspace())
    const { audience } = hears(mara.id, 'character:crane', 'seat:Nobody')

    expect(run.heardBy(audience, ellis.id).toSorted()).toEqual([
      'character:mara',
      'narrator',
      'seat:Ellis',
    ])
  })

  test('for all is not who is away, until it enters', async () => {
    const { run } = await openRun(newWorkspace())
    const crane = { id: 'character:crane', name: 'Crane' } as const
    const before = await run.publish('a', line())

    const entered = await run.publish('b', entrance({ author: crane, character: 'crane' }))

    expect(before.beat.heardBy).not.toContain(crane.id)
    expect(entered.beat.heardBy).toContain(crane.id)
  })

  test('for an exit is who leaves, and nothing after it', async () => {
    const { run } = await openRun(newWorkspace())

    const left = await run.publish('a', exit())
    const after = await run.publish('b', line({ author: mara }))

    expect(left.beat.heardBy).toContain(pip.id)
    expect(after.beat.heardBy).not.toContain(pip.id)
  })
})

describe('a beat published twice', () => {
  test('is one beat, the first, told of once', async () => {
    const { run, told } = await openRun(newWorkspace())

    const first = await run.publish('a', line({ text: 'One.' }))
    const again = await run.publish('a', line({ text: 'Two.' }))

    expect(again).toEqual(first)
    expect(told).toEqual([first])
    expect(run.stage.beats).toBe(1)
    expect(await run.find('a')).toEqual(first)
  })

  test('keeps who heard it then, whoever is present now', async () => {
    const { run } = await openRun(newWorkspace())
    await run.publish('a', line({ author: mara }))
    await run.publish('b', exit())

    const again = await run.publish('a', line({ author: mara }))

    expect(again.beat.heardBy).toContain(pip.id)
  })
})

describe('a run that is opened again', () => {
  test.each([3, 50, 51])('after %i beats stands where it stood', async (count) => {
    const workspace = newWorkspace()
    const { run } = await openRun(workspace)
    await run.publish('exit', exit())
    for (let index = 1; index < count; index += 1) {
      await run.publish(`line-${index}`, line({ text: `Line ${index}.` }))
    }

    const again = await openRun(workspace)

    expect(again.run.stage).toEqual(run.stage)
    expect(again.run.stage.beats).toBe(count)
    expect(again.told).toEqual([])
  })

  test('goes on from a kept fold, not from the first beat', async () => {
    const workspace = newWorkspace()
    const { run } = await openRun(workspace)
    for (let index = 0; index < 60; index += 1) await run.publish(`l-${index}`, line())

    const kept = await workspace.states.find('run/inn.1/fold')

    expect(kept?.value).toMatchObject({ sequence: 50, beats: 50 })
  })

  test('takes in beats that another process published', async () => {
    const workspace = newWorkspace()
    const { run } = await openRun(workspace)
    const other = await openRun(workspace)
    await other.run.publish('a', exit())
    await other.run.publish('b', line({ author: mara, text: 'Gone.' }))

    await run.publish('c', line({ author: ellis, text: 'Who?' }))

    expect(run.stage).toEqual((await openRun(workspace)).run.stage)
    expect(run.stage.onStage).toEqual(['mara'])
    expect(run.stage.beats).toBe(3)
  })

  test('refuses a topic message that is no beat, saying which', async () => {
    const workspace = newWorkspace()
    const { run } = await openRun(workspace)
    await run.publish('a', line())
    await workspace.topics.publish(run.topicId, { payload: { kind: 'shout' }, by: 'someone' })

    await expect(openRun(workspace)).rejects.toMatchObject({
      code: 'invalid-record',
      message: expect.stringMatching(/^topic 'run\/inn\.1' message 2 is not a beat: /),
    })
  })

  test('refuses a kept fold that it cannot read, saying where it lies', async () => {
    const workspace = newWorkspace()
    await openRun(workspace)
    await workspace.states.compareAndSwap({
      key: 'run/inn.1/fold',
      expectedVersion: 0,
      value: { sequence: 'many' },
      by: 'someone',
    })

    await expect(openRun(workspace)).rejects.toMatchObject({
      code: 'invalid-record',
      message: expect.stringMatching(/^state 'run\/inn\.1\/fold': /),
    })
  })
})

test('the newest beats are read oldest first', async () => {
  const { run } = await openRun(newWorkspace())
  for (const id of ['a', 'b', 'c']) await run.publish(id, whisper())

  expect((await run.tail(2)).map(({ id }) => id)).toEqual(['b', 'c'])
  expect((await run.read(1, 1)).map(({ id }) => id)).toEqual(['b'])
})
