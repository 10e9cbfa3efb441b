import { asJson } from 'dsh-fabric-protocol'
import { changeWorld, createWorld, findVariable, knows, readWorld, type Run } from 'dsh-tavern-cast'
import { describe, expect, test } from 'vitest'
import { Staging } from '../../packages/dsh-tavern-cast/src/staging.ts'
import { newWorkspace, openRun } from './run-bed.ts'

async function worldRun(): Promise<Run> {
  const { run } = await openRun(newWorkspace())
  await createWorld(run)
  return run
}

const effect = (key: string, value: string, expectedVersion: number) =>
  ({ kind: 'world', key, value, expectedVersion }) as const
const author = (id: string) => ({ id, by: 'character:mara', cause: 'cue-1' }) as const

describe('the world', () => {
  test('begins as the scene says, with who knows of what', async () => {
    expect(await readWorld(await worldRun())).toEqual([
      { key: 'lamp', version: 1, value: 'lit', knownTo: undefined },
      { key: 'safe', version: 1, value: 'empty', knownTo: ['pip'] },
    ])
  })

  test('made again keeps what play has changed', async () => {
    const run = await worldRun()
    await changeWorld(run, effect('lamp', 'out', 1), author('a'))

    await createWorld(run)

    expect(await findVariable(run, 'lamp')).toMatchObject({ value: 'out', version: 2 })
  })

  test('is read whole however large it is', async () => {
    const run = await worldRun()
    const keys = Array.from({ length: 1100 }, (_, index) => `n/${String(index).padStart(4, '0')}`)
    await Promise.all(
      keys.map((key) => changeWorld(run, effect(key, 'x', 0), author(`make ${key}`))),
    )

    const found = (await readWorld(run)).map(({ key }) => key)

    expect(found).toEqual(['lamp', ...keys, 'safe'].toSorted())
  })

  test('of another run is another’s', async () => {
    const run = await worldRun()
    await run.workspace.states.compareAndSwap({
      key: 'run/inn.10/world/lamp',
      expectedVersion: 0,
      value: { value: 'other' },
      by: 'scene',
    })

    expect((await readWorld(run)).map(({ key }) => key)).toEqual(['lamp', 'safe'])
  })

  test('that holds what is no variable is refused, naming it', async () => {
    const run = await worldRun()
    await run.workspace.states.compareAndSwap({
      key: run.worldKey('odd'),
      expectedVersion: 0,
      value: asJson({ knownTo: 'all' }),
      by: 'someone',
    })

    await expect(readWorld(run)).rejects.toMatchObject({
      code: 'invalid-record',
      message: expect.stringMatching(/^world variable 'odd': /),
    })
  })
})

describe('a change', () => {
  test('of what stands there is applied, and says its author and cause', async () => {
    const run = await worldRun()

    const change = await changeWorld(run, effect('lamp', 'out', 1), author('a'))

    expect(change).toEqual({ status: 'applied', key: 'lamp', value: 'out', version: 2 })
    const history = await run.workspace.states.history(run.worldKey('lamp'))
    expect(history.at(-1)).toMatchObject({ by: 'character:mara', cause: 'cue-1', version: 2 })
  })

  test('of what has changed since is a conflict with what stands there instead', async () => {
    const run = await worldRun()
    await changeWorld(run, effect('lamp', 'out', 1), author('a'))

    const change = await changeWorld(run, effect('lamp', 'broken', 1), author('b'))

    expect(change).toEqual({
      status: 'conflict',
      key: 'lamp',
      value: 'broken',
      expectedVersion: 1,
      currentVersion: 2,
      currentValue: 'out',
    })
    expect(await findVariable(run, 'lamp')).toMatchObject({ value: 'out', version: 2 })
  })

  test('of what is not there is a conflict with nothing', async () => {
    const run = await worldRun()

    const change = await changeWorld(run, effect('door', 'open', 3), author('a'))

    expect(change).toMatchObject({ status: 'conflict', currentVersion: 0, currentValue: null })
  })

  test('done again after others is applied once, and reads as it did', async () => {
    const run = await worldRun()
    const first = await changeWorld(run, effect('lamp', 'out', 1), author('a'))
    await changeWorld(run, effect('lamp', 'lit', 2), author('b'))

    const again = await changeWorld(run, effect('lamp', 'out', 1), author('a'))

    expect(again).toEqual(first)
    expect(await findVariable(run, 'lamp')).toMatchObject({ value: 'lit', version: 3 })
  })

  test('leaves who knows of it as it was', async () => {
    const run = await worldRun()

    const change = await changeWorld(run, effect('safe', 'full', 1), author('a'))

    expect(change).toMatchObject({ status: 'applied', knownTo: ['pip'] })
    expect((await findVariable(run, 'safe'))?.knownTo).toEqual(['pip'])
  })

  test('of many at once loses none: the versions count them', async () => {
    const run = await worldRun()
    const count = async (id: string): Promise<void> => {
      const { version = 0, value = 0 } = (await findVariable(run, 'count')) ?? {}
      const next = { kind: 'world', key: 'count', value: Number(value) + 1 } as const
      const change = await changeWorld(run, { ...next, expectedVersion: version }, author(id))
      if (change.status === 'conflict') await count(`${id}+`)
    }

    await Promise.all(Array.from({ length: 20 }, (_, index) => count(`w${index}`)))

    expect(await findVariable(run, 'count')).toMatchObject({ value: 20, version: 20 })
  })
})

test('everyone knows what nobody is named for', () => {
  expect(knows('mara', { knownTo: undefined })).toBe(true)
  expect(knows('mara', { knownTo: ['mara'] })).toBe(true)
  expect(knows('mara', { knownTo: [] })).toBe(false)
})

describe('what a character stages', () => {
  test('it sees at once, and the world does not', async () => {
    const run = await worldRun()
    const staging = new Staging(run, 'mara')

    const staged = await staging.set('lamp', 'out', 1)

    expect(staged).toEqual({ status: 'staged', version: 2, effect: effect('lamp', 'out', 1) })
    expect(await staging.get('lamp')).toEqual({ key: 'lamp', value: 'out', version: 2 })
    expect(await findVariable(run, 'lamp')).toMatchObject({ value: 'lit', version: 1 })
    expect(await new Staging(run, 'pip').get('lamp')).toMatchObject({ value: 'lit' })
  })

  test('goes on from its own last change', async () => {
    const run = await worldRun()
    const staging = new Staging(run, 'mara')
    await staging.set('lamp', 'out', 1)

    expect(await staging.set('lamp', 'lit', 1)).toEqual({
      status: 'conflict',
      current: { key: 'lamp', value: 'out', version: 2 },
    })
    expect(await staging.set('lamp', 'lit', 2)).toMatchObject({ status: 'staged', version: 3 })
  })

  test('may be new, and is told when it is not', async () => {
    const staging = new Staging(await worldRun(), 'mara')

    expect(await staging.set('door', 'open', 0)).toMatchObject({ status: 'staged', version: 1 })
    expect(await staging.set('lamp', 'out', 0)).toEqual({
      status: 'conflict',
      current: { key: 'lamp', value: 'lit', version: 1 },
    })
    expect(await staging.set('window', 'open', 4)).toEqual({
      status: 'conflict',
      current: undefined,
    })
  })

  test('is never what it does not know of', async () => {
    const run = await worldRun()
    const staging = new Staging(run, 'mara')

    expect(await staging.get('safe')).toBeUndefined()
    await expect(staging.set('safe', 'full', 1)).rejects.toMatchObject({ code: 'refused' })
    await expect(staging.set('safe', 'full', 0)).rejects.toThrow(/^you cannot change 'safe'$/)
    expect(await new Staging(run, 'pip').get('safe')).toMatchObject({ value: 'empty' })
  })
})

test('a character stages so many changes, and no more', async () => {
  const staging = new Staging(await worldRun(), 'mara')
  for (let version = 0; version < 32; version += 1) await staging.set('coins', version, version)

  await expect(staging.set('coins', 32, 32)).rejects.toMatchObject({
    code: 'refused',
    message: 'you have changed 32 things; say something first',
  })
  expect(await staging.get('coins')).toMatchObject({ version: 32 })
})

describe('whom a character whispers to', () => {
  test('is found by id, bare or whole, persons too', async () => {
    const staging = new Staging(await worldRun(), 'mara')

    expect(staging.hearers(['pip', 'character:pip', 'Ellis', 'seat:Ellis'])).toEqual([
      'character:pip',
      'character:pip',
      'seat:Ellis',
      'seat:Ellis',
    ])
  })

  test.each(['crane', 'mara', 'character:mara', 'Pip', 'nobody', ''])(
    'is not %j, and the others who are here are named',
    async (wanted) => {
      const staging = new Staging(await worldRun(), 'mara')

      expect(() => staging.hearers(['pip', wanted])).toThrow(
        `'${wanted}' is not here to whisper to (here: character:pip, seat:Ellis)`,
      )
    },
  )
})
