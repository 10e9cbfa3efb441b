import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from 'dsh-fabric-code-runtime-quickjs'
import { namespaceOf, openBed } from './bed.ts'

const { run, valueOf } = openBed()

const tree = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    }),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constant('__proto__'), fc.constant('constructor')),
      tie('value'),
      {
        maxKeys: 6,
        noNullPrototype: true,
      },
    ),
  ),
})).value

test('any JSON value crosses to the host and back unchanged', async () => {
  const received: (JsonValue | undefined)[] = []
  const host = namespaceOf('host', {
    take: (argument) => {
      received.push(argument)
      return argument
    },
  })

  await fc.assert(
    fc.asyncProperty(fc.array(tree, { minLength: 20, maxLength: 40 }), async (values) => {
      received.length = 0
      const back = await valueOf(
        'const out = []; for (const value of given) out.push(await host.take(value)); return out',
        {
          namespaces: [host],
          constants: { given: { value: values } },
        },
      )
      expect(received).toEqual(values)
      expect(back).toEqual(values)
    }),
    { numRuns: 30 },
  )
})

const fragments = fc.constantFrom(
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ';',
  '\n',
  '`',
  '${',
  '"',
  "'",
  '/*',
  '*/',
  '//',
  '<!--',
  '=>',
  'async ',
  'await ',
  'return ',
  'throw ',
  'yield ',
  'function ',
  'class ',
  'new ',
  'x',
  '1',
  '.',
  ',',
  '=',
  '...',
  'for(;;)',
  'while(1)',
  'globalThis',
  'tools.echo(1)',
  'import(',
  'eval(',
  '})',
  '((',
  '#x',
  '@',
  '\\u{',
  '\u2028',
  '\ud800',
  '\0',
  '0n',
  '/a/',
)

test('any text as a program ends in a typed outcome within its budget', async () => {
  const program = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join('')),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  )
  const tools = namespaceOf('tools', { echo: (argument) => argument })

  await fc.assert(
    fc.asyncProperty(program, async (text) => {
      const outcome = await run(text, { namespaces: [tools], limits: { maxWallMs: 2_000 } })
      if (outcome.status === 'completed') return
      expect(['exception', 'timeout', 'invalid-output']).toContain(outcome.failure.kind)
      expect(outcome.failure.message).not.toBe('')
    }),
    { numRuns: 150 },
  )
})
