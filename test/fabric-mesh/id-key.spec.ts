/** The number under which an id is looked up: where ids that count up lie. */
import { assert, property, string } from 'fast-check'
import { expect, it } from 'vitest'
import { idKey } from '../../packages/dsh-fabric-mesh/src/sqlite/id-key.ts'

/** The widest number that SQLite keeps in six bytes. */
const MOST = 2 ** 47

it('ids that count up follow each other', () => {
  const lines = Array.from({ length: 2000 }, (_, index) => `line-${index + 1}`)
  const cues = lines.map((line) => `${line}/0/world1`)

  for (const ids of [lines, cues]) {
    const keys = ids.map((id) => idKey(id))
    expect(keys).toEqual(keys.toSorted((a, b) => a - b))
    expect(new Set(keys).size).toBe(ids.length)
  }
})

it('ids that differ in words only have other numbers', () => {
  const ids = ['beat-1', 'cue-1', 'beat-1/a', 'beat', 'beat-', '1', '', '-1', 'bea-t1']

  expect(new Set(ids.map((id) => idKey(id))).size).toBe(ids.length)
})

it('ids that do not count are spread', () => {
  const ids = Array.from({ length: 5000 }, (_, index) =>
    (index * 2654435761).toString(16).replaceAll(/\d/g, (digit) => `${digit}x`),
  )

  expect(new Set(ids.map((id) => idKey(id))).size).toBeGreaterThan(4990)
})

it('every id has a number that is kept in six bytes', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 256 }), (id) => {
      const key = idKey(id)
      expect(Number.isSafeInteger(key) && key >= 0 && key < MOST).toBe(true)
      expect(idKey(id)).toBe(key)
    }),
  )
  expect(idKey('9'.repeat(256))).toBeLessThan(MOST)
})
