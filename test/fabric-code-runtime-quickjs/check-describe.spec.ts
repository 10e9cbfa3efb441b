/** The text a model repairs its program from. */
import { expect, it } from 'vitest'
import { Compiler } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/compiler.ts'
import { describeDiagnostics } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/describe-diagnostics.ts'
import { declarations } from './check-bed.ts'

const compiler = new Compiler()

function told(program: string, file?: string): string {
  const checked = compiler.check({ program, declarations })
  const diagnostics = checked.status === 'refused' ? checked.diagnostics : []
  return describeDiagnostics({ program, diagnostics, ...(file === undefined ? {} : { file }) })
}

it('names file, line and column, shows the line and points at the place', () => {
  expect(told('\n  await tools.raed({ path: "a" })', 'rules/dice.ts')).toMatchInlineSnapshot(`
    "rules/dice.ts:2:15 tools has no member 'raed'. There is: read, list, write, fetch, search, my-tool. (TS2339)
    2 |   await tools.raed({ path: "a" })
                      ^"
  `)
})

it('tells what the argument should have been', () => {
  expect(told('await tools.read({ file: "a" })')).toMatchInlineSnapshot(`
    "program:1:20 Object literal may only specify known properties, and 'file' does not exist in type '{ path: string; limit?: number; }'.
    tools.read takes one argument: { path: string; limit?: number; } (TS2353)
    1 | await tools.read({ file: "a" })
                           ^"
  `)
})

it('shows the first faults and counts the rest', () => {
  const text = told(Array.from({ length: 9 }, (_, index) => `tools.no${index}()`).join('\n'))

  expect(text.match(/has no member/g)).toHaveLength(5)
  expect(text).toMatch(/4 more$/)
})

it('stays small whatever the program', () => {
  const long = `tools.${'x'.repeat(200_000)}({ a: "${'y'.repeat(50_000)}" })`

  expect(Buffer.byteLength(told(Array.from({ length: 9 }, () => long).join('\n')))).toBeLessThan(
    6_000,
  )
})

it('points below wide letters where they end', () => {
  const [, line = '', caret = ''] = told('const 酒馆 = 1; 酒馆.x').split('\n')

  expect(line).toBe('1 | const 酒馆 = 1; 酒馆.x')
  expect(caret.indexOf('^')).toBe('1 | const xxxx = 1; xxxx.'.length)
})

const broken = ['text: `a `b` c`', 'text: "a "b" c"', "text: 'it's'", 'text: `a']

it.each(broken)('hints at the quotes of a payload where edit or write is called: %s', (payload) => {
  expect(told(`await tools.write({ ${payload} })`)).toMatch(/escape/)
  expect(told(`await tools['edit']({ ${payload} })`)).toMatch(/escape/)
  expect(told(`await tools.search({ ${payload} })`)).not.toMatch(/escape/)
})

it('gives no such hint for faults of another kind', () => {
  expect(told('await tools.write({ path: 1 })')).not.toMatch(/escape/)
})
