import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chance, pick, seededDraws, shuffle } from '../../packages/dsh-tavern-narrator/src/draws.ts'

const values = (seed: string, count: number) => {
  const draws = seededDraws(seed)
  return Array.from({ length: count }, () => draws.next('a number', String))
}

describe('seeded draws', () => {
  test('a seed gives the numbers it gave when scenes were recorded', () => {
    expect(values('inn.1/line-1', 3)).toEqual([
      0.2515332540497184, 0.5980780506506562, 0.4712717058137059,
    ])
    expect(values('', 1)).toEqual([0.4400450112298131])
  })

  test('equal seeds give equal numbers, any string is a seed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (seed) => {
        expect(values(seed, 5)).toEqual(values(seed, 5))
      }),
    )
  })

  test('numbers are in [0, 1) and lie evenly, also over near seeds', () => {
    const firsts = Array.from({ length: 4000 }, (_, index) => values(`inn.1#${index}`, 1)[0] ?? -1)
    const stream = values('one long stream', 4000)

    for (const numbers of [firsts, stream]) {
      const tenths = Array.from({ length: 10 }, () => 0)
      for (const number of numbers) {
        expect(number).toBeGreaterThanOrEqual(0)
        expect(number).toBeLessThan(1)
        const tenth = Math.floor(number * 10)
        tenths[tenth] = (tenths[tenth] ?? 0) + 1
      }
      for (const count of tenths) expect(count).toBeGreaterThan(320)
      for (const count of tenths) expect(count).toBeLessThan(480)
    }
  })

  test('a draw is recorded with what it was for and what followed', () => {
    const draws = seededDraws('inn.1')

    const value = draws.next('a coin', (number) => (number < 0.5 ? 'heads' : 'tails'))

    const outcome = value < 0.5 ? 'heads' : 'tails'
    expect(draws.draws).toEqual([{ what: 'a coin', value, outcome }])
  })

  test('the record handed out does not change with later draws', () => {
    const draws = seededDraws('inn.1')
    draws.next('first', String)
    const record = draws.draws

    draws.next('second', String)

    expect(record.map(({ what }) => what)).toEqual(['first'])
    expect(draws.draws.map(({ what }) => what)).toEqual(['first', 'second'])
  })
})

describe('chance', () => {
  test('0 never happens and 1 always does', () => {
    const draws = seededDraws('edges')

    for (let count = 0; count < 500; count++) {
      expect(chance(draws, 'never', 0)).toBe(false)
      expect(chance(draws, 'always', 1)).toBe(true)
    }
  })

  test('0 does not happen even at the lowest number there is', () => {
    expect(chance({ next: () => 0, draws: [] }, 'never', 0)).toBe(false)
  })

  test('the record says what happened', () => {
    const draws = seededDraws('record')

    const happened = Array.from({ length: 20 }, () => chance(draws, 'rain', 0.5))

    expect(draws.draws.map(({ outcome }) => outcome === 'yes')).toEqual(happened)
    expect(new Set(happened).size).toBe(2)
  })
})

describe('pick', () => {
  test('of none it draws nothing', () => {
    const draws = seededDraws('none')

    expect(pick(draws, 'who', [])).toBeUndefined()
    expect(draws.draws).toEqual([])
  })

  test('each is as likely and the record names the one', () => {
    const draws = seededDraws('even')
    const counts = new Map([
      ['mara', 0],
      ['ivo', 0],
      ['tess', 0],
    ])

    for (let count = 0; count < 3000; count++) {
      const picked = pick(draws, 'who', ['mara', 'ivo', 'tess']) ?? 'nobody'
      expect(draws.draws.at(-1)?.outcome).toBe(picked)
      counts.set(picked, (counts.get(picked) ?? 0) + 1)
    }

    expect([...counts.keys()]).toEqual(['mara', 'ivo', 'tess'])
    for (const count of counts.values()) expect(count).toBeGreaterThan(900)
  }, 20_000)
})

describe('shuffle', () => {
  test('it keeps every item and leaves the given list as it was', () => {
    fc.assert(
      fc.property(fc.string(), fc.uniqueArray(fc.string()), (seed, ids) => {
        const before = ids.slice()

        const shuffled = shuffle(seededDraws(seed), 'order', ids)

        expect(shuffled.toSorted()).toEqual(before.toSorted())
        expect(ids).toEqual(before)
      }),
    )
  })

  test('the record tells the order', () => {
    const draws = seededDraws('record')

    const shuffled = shuffle(draws, 'order', ['mara', 'ivo', 'tess'])

    expect(draws.draws.map(({ what }) => what)).toEqual([
      'order: place 1 of 3',
      'order: place 2 of 3',
    ])
    expect(draws.draws.map(({ outcome }) => outcome)).toEqual(shuffled.slice(0, 2))
  })

  test('each order is as likely', () => {
    const counts = new Map<string, number>()

    for (let seed = 0; seed < 3000; seed++) {
      const order = shuffle(seededDraws(`orders ${seed}`), 'order', ['a', 'b', 'c']).join('')
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }

    expect(counts.size).toBe(6)
    for (const count of counts.values()) expect(count).toBeGreaterThan(400)
    for (const count of counts.values()) expect(count).toBeLessThan(600)
  })
})
