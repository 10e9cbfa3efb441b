/** What the check lets pass and what it refuses, with the author's own lines and columns. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Compiler } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/compiler.ts'
import type { Checked } from '../../packages/dsh-fabric-code-runtime-quickjs/src/checking.ts'
import { declarations } from './check-bed.ts'
import { cleanPrograms } from './check-clean.ts'
import { faultyPrograms } from './check-faulty.ts'

const compiler = new Compiler()
const check = (program: string): Checked => compiler.check({ program, declarations })

function parses(javascript: string): void {
  // oxlint-disable-next-line typescript/no-implied-eval, no-new -- only parsed, never called
  new Function(`return async function () {'use strict';\n${javascript}\n}`)
}

describe('a program that uses only what is bound', () => {
  it.each(cleanPrograms)('passes: %s', (program) => {
    const checked = check(program)

    if (checked.status === 'refused') throw new Error(JSON.stringify(checked.diagnostics))
    expect(checked.javascript).toHaveLength(program.length)
    parses(checked.javascript)
  })
})

describe('a faulty program', () => {
  it.each(faultyPrograms)('is refused: %s', (program, line, column, says) => {
    const checked = check(program)

    if (checked.status === 'clean') throw new Error('it passed')
    expect(checked.diagnostics[0]).toMatchObject({ line, column })
    expect(checked.diagnostics[0]?.message).toMatch(says)
    expect(checked.diagnostics[0]?.source).toBe(program.split(/\r?\n/)[line - 1])
  })

  it('has all its faults told in the order of the text', () => {
    const checked = check('tools.b()\ntools.a()\n\n  tools.c()')

    const places = checked.status === 'refused' ? checked.diagnostics : []
    expect(places.map(({ line, column }) => [line, column])).toEqual([
      [1, 7],
      [2, 7],
      [4, 9],
    ])
  })
})

it('any text as program is clean or refused inside itself', () => {
  const pieces = [
    '{',
    '}',
    '(',
    ')',
    '`',
    "'",
    '/*',
    '//',
    '\n',
    '${',
    'return ',
    'tools.',
    '\u2028',
  ]
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((each) => each.join('')),
  )
  fc.assert(
    fc.property(texts, (program) => {
      const checked = check(program)
      if (checked.status === 'clean') return parses(checked.javascript)
      for (const { line, column } of checked.diagnostics) {
        expect(line).toBeGreaterThan(0)
        expect(column).toBeGreaterThan(0)
      }
      expect(checked.diagnostics).not.toEqual([])
    }),
    { numRuns: 150 },
  )
})

it.each(['[', '(', '{', '!', 'a=>', '[[]', 'x?', '-'])(
  '%s nested 30,000 deep is refused',
  (piece) => {
    expect(check(piece.repeat(30_000))).toMatchObject({ status: 'refused' })
    expect(check('return 1')).toMatchObject({ status: 'clean' })
  },
)
