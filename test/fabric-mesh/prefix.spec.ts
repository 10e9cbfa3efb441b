/** Key prefixes as ranges. */
import { assert, boolean, property, string } from 'fast-check'
import { expect, it } from 'vitest'
import { prefixEnd } from '../../packages/dsh-fabric-mesh/src/sqlite/prefix.ts'

/** The order in which SQLite keeps text. */
function isBefore(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
}

it('the range of a prefix holds what begins with it, and nothing else', () => {
  const text = string({ unit: 'binary', maxLength: 4 }).filter((value) => value.isWellFormed())

  assert(
    property(text, text, boolean(), (prefix, rest, inside) => {
      const key = inside ? prefix + rest : rest
      const end = prefixEnd(prefix)
      const inRange = !isBefore(key, prefix) && (typeof end !== 'string' || isBefore(key, end))
      expect(inRange).toBe(key.startsWith(prefix))
    }),
    { numRuns: 2000 },
  )
})

it.each([
  ['', new Uint8Array(0)],
  ['a', 'b'],
  ['a\u{10ffff}', 'b'],
  ['\u{10ffff}', new Uint8Array(0)],
  ['\ud7ff', '\ue000'],
  ['\uffff', '\u{10000}'],
])('the end of %j', (prefix, end) => {
  expect(prefixEnd(prefix)).toEqual(end)
})
