/** What a rule may do, in a realm of its own without any host: the same text runs in the runtime. */
import { createContext, runInContext } from 'node:vm'
import { assert, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { seededDraws, seedOf } from '../../packages/dsh-tavern-narrator/src/draws.ts'
import { ruledBy } from '../../packages/dsh-tavern-narrator/src/rules/decision.ts'
import { limits } from '../../packages/dsh-tavern-narrator/src/rules/limits.ts'
import {
  preludeSource,
  type RuleFacts,
} from '../../packages/dsh-tavern-narrator/src/rules/prelude.ts'

const facts: RuleFacts = {
  scene: { id: 'inn', onStage: ['mara'], cast: [{ id: 'mara', name: 'Mara', onStage: true }] },
  cause: { kind: 'line', author: { id: 'seat:Ellis', name: 'Ellis' }, text: 'Well?' },
  world: [
    { key: 'logs', value: 9, version: 3, kind: 'number' },
    { key: 'lit', value: true, version: 1, kind: 'boolean' },
    { key: 'list', value: ['a', { b: 1 }], version: 1, kind: 'json' },
    { key: '__proto__', value: 'odd', version: 1, kind: 'string' },
    { key: 'place', value: 'the cellar', version: 2 },
    { key: 'gone', value: undefined, version: 0, kind: 'number' },
  ],
  variables: [{ key: 'dread', value: 1, version: 5, kind: 'number' }],
  seed: seedOf('a seed'),
}

const made = z.object({
  changes: z.array(z.unknown()),
  rolls: z.array(z.object({ faces: z.array(z.number()), total: z.number() }).loose()),
  tells: z.array(z.unknown()),
  narration: z.string(),
  returned: z.boolean(),
})

/** What the program comes to; fails with what it throws. */
function run(program: string, given: RuleFacts = facts) {
  const json: unknown = runInContext(
    `const { globals, complete } = (() => {${preludeSource(given)}})()
     Object.assign(globalThis, globals)
     JSON.stringify(complete((() => {${program}\n})()))`,
    createContext({}),
  )
  return made.parse(JSON.parse(String(json)))
}

describe('the world', () => {
  test('is read, and changed once for each key that really became another', () => {
    const { changes } = run(`
      world.set('logs', world.get('logs') - 1)
      world.set('logs', world.get('logs') - 1)
      world.set('lit', true)
      world.set('gone', 4)
      variables.set('dread', 2)`)

    expect(changes).toEqual([
      { key: 'logs', value: 7, expectedVersion: 3 },
      { key: 'gone', value: 4, expectedVersion: 0 },
      { key: 'dread', value: 2, expectedVersion: 5 },
    ])
  })

  test('has what came in play too, to look at', () => {
    expect(
      run("narrate(world.find('place') + String(world.has('gone')) + world.find('x'))").narration,
    ) //
      .toBe('the cellarfalseundefined')
    expect(run('narrate(world.keys().join())').narration).toBe('logs,lit,list,__proto__,place')
  })

  test.each([
    ["world.get('nothing')", "world has no 'nothing' in scene.yml"],
    ["world.get('place')", "world has no 'place' in scene.yml"],
    ["world.get('gone')", "world has no 'gone' now"],
    ["world.set('place', 'x')", "world has no 'place' in scene.yml"],
    ["world.set('logs', 'x')", "world 'logs' was to become a string, not a number"],
    ["world.set('logs', NaN)", "world 'logs' can only be JSON"],
    ["world.set('list', undefined)", "world 'list' can only be JSON"],
    ["variables.get('logs')", "variables has no 'logs' in scene.yml"],
    [
      "world.get('list')[0] = 'b'; 'use strict'; (() => { 'use strict'; world.get('list')[0] = 1 })()",
      'read only',
    ],
  ])('%s is refused by name', (program, found) => {
    expect(() => run(program)).toThrow(found)
  })

  test('whose value a character made another kind is refused by kind, not by value', () => {
    const world = [{ key: 'logs', value: 'none left', version: 4, kind: 'number' }]

    expect(() => run("world.get('logs')", { ...facts, world })).toThrow(
      "world 'logs' is now a string, not a number",
    )
  })
})

describe('dice', () => {
  test('are the narrator’s own generator, from the same seed', () => {
    const { rolls } = run("for (let n = 0; n < 16; n += 1) roll('6d1000')")
    const draws = seededDraws('a seed')

    const expected = Array.from({ length: 16 }, () =>
      Array.from({ length: 6 }, () => 1 + Math.floor(draws.next('', String) * 1000)),
    )

    expect(rolls.map(({ faces }) => faces)).toEqual(expected)
  })

  test('and Math.random is the same generator', () => {
    const value = Number(run('narrate(String(Math.random()))').narration)

    expect(value).toBe(seededDraws('a seed').next('', String))
  })

  test('stay within their sides, and the total is their sum', () => {
    assert(
      property(
        integer({ min: 1, max: 100 }),
        integer({ min: 1, max: 99_999 }),
        integer({ min: -999, max: 999 }),
        (count, sides, plus) => {
          const { rolls } = run(`roll('${count}d${sides}${plus < 0 ? plus : `+${plus}`}')`)
          const faces = rolls[0]?.faces ?? []
          expect(faces).toHaveLength(count)
          expect(faces.every((face) => face >= 1 && face <= sides)).toBe(true)
          expect(rolls[0]?.total).toBe(faces.reduce((sum, face) => sum + face, plus))
        },
      ),
      { numRuns: 50 },
    )
  })

  test.each(['', 'd', '6', '2d0', '0d6', '101d6', '1d6x', '1d6+', ' 1d6', '1e3d6', '-1d6'])(
    '%j are none',
    (dice) => {
      expect(() => run(`roll('${dice}')`)).toThrow('no dice')
    },
  )
})

describe('bounds', () => {
  test.each([
    [`for (let n = 0; n <= ${limits.rolls}; n += 1) roll('d6')`, 'may roll'],
    [`for (let n = 0; n <= ${limits.passages}; n += 1) narrate('x')`, 'may narrate'],
    [`for (let n = 0; n <= ${limits.tells}; n += 1) tell('mara', 'x')`, 'may tell'],
    [`narrate('x'.repeat(${limits.text + 1}))`, 'narrate takes'],
    ["narrate(' ')", 'not empty'],
    ["tell('nobody', 'x')", 'nobody to tell'],
    [`world.set('list', 'x'.repeat(${limits.value}))`, 'characters'],
    ['new Date()', 'has no clock'],
    ['Date.now()', 'has no clock'],
  ])('%s', (program, found) => {
    expect(() => run(program)).toThrow(found)
  })

  test('the most that a rule can say is taken', () => {
    const { narration } = run(
      `for (let n = 0; n < ${limits.passages}; n += 1) narrate('x'.repeat(${limits.text}))`,
    )
    const value = JSON.parse(JSON.stringify({ ...run(''), narration }))

    expect(ruledBy({ status: 'completed', value, logs: [] })).toMatchObject({ status: 'done' })
  })
})

function code(value: object): string {
  const ruled = ruledBy({ status: 'completed', value: { ...value }, logs: [] })
  return ruled.status === 'failed' ? ruled.code : ruled.status
}

describe('what comes back', () => {
  test('is taken when it is what a rule makes', () => {
    expect(code(run("narrate('x')"))).toBe('done')
  })

  test('is a failure when the program returned something', () => {
    expect(code(run('return 1'))).toBe('invalid-output')
  })

  test('is a failure when it is anything else', () => {
    expect(code({})).toBe('invalid-output')
    expect(code({ ...run(''), narration: 3 })).toBe('invalid-output')
    expect(code({ ...run(''), changes: [{ key: 'k', value: 1, expectedVersion: -1 }] })).toBe(
      'invalid-output',
    )
    expect(
      code({ ...run(''), tells: Array.from({ length: 5 }, () => ({ to: 'mara', text: 'x' })) }),
    ).toBe('invalid-output')
  })
})
