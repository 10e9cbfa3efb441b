import { type Beat, everyone, narratorId, type Scene, sceneDefinition } from 'dsh-tavern-protocol'
import { describe, expect, test } from 'vitest'
import {
  dueFor,
  holding,
  isRuleBeat,
  ruleBeatId,
  watchedAtFirst,
} from '../../packages/dsh-tavern-narrator/src/rules/triggers.ts'

const sceneWith = (rules: object): Scene => ({
  id: 'inn',
  ...sceneDefinition.parse({
    title: 'The inn',
    premise: 'Rain.',
    cast: [{ character: 'mara' }],
    world: { logs: { value: 9 }, storm: { value: 'rising' } },
    variables: { dread: 1 },
    rules,
  }),
})

const beat = (changes: Partial<Beat> = {}): Beat => {
  const author = { id: 'character:mara', name: 'Mara' }
  const line = {
    kind: 'line',
    author,
    audience: everyone,
    heardBy: [],
    cause: 'a#0',
    text: 'Well.',
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any kind with the fields of a line
  return { ...line, ...changes } as Beat
}

/** The rules that each of the beats sets off, one after the other. */
function played(scene: Scene, beats: readonly Beat[]): readonly (readonly string[])[] {
  let watched = watchedAtFirst(scene)
  return beats.map((one, index) => {
    const { due, counts } = dueFor(scene, watched, { id: `a#${index}`, beat: one })
    watched = { ...watched, counts }
    return due
  })
}

describe('a beat sets off', () => {
  test('the rules that are for its kind, in the order of the scene', () => {
    const scene = sceneWith({
      zeal: { on: ['line'] },
      calm: { on: ['exit', 'line'] },
      out: { on: ['exit'] },
    })

    expect(played(scene, [beat(), beat({ kind: 'exit' })])).toEqual([
      ['zeal', 'calm'],
      ['calm', 'out'],
    ])
  })

  test('each so many beats, of all kinds or of those named', () => {
    const scene = sceneWith({ all: { every: 2 }, lines: { on: ['line'], every: 2 } })
    const exit = beat({ kind: 'exit' })

    expect(played(scene, [beat(), exit, beat(), exit, exit, beat()])).toEqual([
      [],
      ['all'],
      ['lines'],
      ['all'],
      [],
      ['all'],
    ])
  })

  test('nothing, when a rule made it, when it opens the scene, or when it is no event of the story', () => {
    const scene = sceneWith({ all: { every: 1 } })
    const byRule = beat({ kind: 'narration', author: { id: narratorId, name: 'Narrator' } })
    const due = (id: string, one: Beat) =>
      dueFor(scene, watchedAtFirst(scene), { id, beat: one }).due

    expect(due('a#0@wind', byRule)).toEqual([])
    expect(due('a#0@wind/roll3', byRule)).toEqual([])
    expect(due('a#0', beat({ cause: 'opening' }))).toEqual([])
    expect(due('a#0', beat({ kind: 'roll' }))).toEqual([])
    expect(due('a#0', beat({ kind: 'notice' }))).toEqual([])
    expect(due('a!0/1', byRule)).toEqual(['all'])
  })

  test('rules although a person named a line like a rule’s beat', () => {
    const scene = sceneWith({ all: { every: 1 } })
    const line = beat({ author: { id: 'seat:Ellis', name: 'Ellis' } })

    expect(dueFor(scene, watchedAtFirst(scene), { id: 'me@wind', beat: line }).due).toEqual(['all'])
  })

  test('rules called like parts of every object', () => {
    const scene = sceneWith({ constructor: { every: 1 }, valueof: { every: 1 } })

    expect(played(scene, [beat()])).toEqual([['constructor', 'valueof']])
  })
})

describe('a condition', () => {
  const rules = {
    low: { when: { key: 'logs', atMost: 3 } },
    many: { when: { key: 'logs', atLeast: 9 } },
    calm: { when: { key: 'storm', is: 'over' } },
    dread: { when: { key: 'dread', atLeast: 2 } },
  }
  const held = (values: object) =>
    holding(sceneWith(rules), (key) => new Map(Object.entries(values)).get(key))

  test('compares one value of the world or of the variables', () => {
    expect(held({ logs: 3, storm: 'over', dread: 2 })).toEqual(['low', 'calm', 'dread'])
    expect(held({ logs: 9, storm: 'rising', dread: 1 })).toEqual(['many'])
  })

  test('is not true of what is no longer a number, or gone', () => {
    expect(held({ logs: '2', storm: null })).toEqual([])
    expect(held({})).toEqual([])
  })

  test('that is true when the scene begins has nothing to become', () => {
    expect(watchedAtFirst(sceneWith(rules)).held).toEqual(['many'])
  })

  test.each([
    ['nothing to compare', { key: 'logs' }],
    ['two comparisons', { key: 'logs', atMost: 1, is: 2 }],
  ])('of %s is refused', (_what, when) => {
    expect(() => sceneWith({ low: { when } })).toThrow('one of is, atMost, atLeast')
  })

  test('beside another trigger is refused', () => {
    expect(() => sceneWith({ low: { ...rules.low, every: 3 } })).toThrow('neither on nor every')
  })
})

test('a rule’s beat is known by its id', () => {
  const narrated = beat({ kind: 'narration', author: { id: narratorId, name: 'Narrator' } })

  expect(isRuleBeat({ id: ruleBeatId('line-1#0', 'wind'), beat: narrated })).toBe(true)
  expect(isRuleBeat({ id: `${ruleBeatId('line-1#0', 'wind')}/tell0`, beat: narrated })).toBe(true)
  expect(isRuleBeat({ id: 'line-1#0', beat: narrated })).toBe(false)
})
