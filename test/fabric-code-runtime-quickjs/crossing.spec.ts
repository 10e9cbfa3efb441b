import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDecoder } from '../../packages/dsh-fabric-code-runtime-quickjs/src/crossing/decoder.ts'
import { createEncoder } from '../../packages/dsh-fabric-code-runtime-quickjs/src/crossing/encoder.ts'
import { hostRealm } from '../../packages/dsh-fabric-code-runtime-quickjs/src/guest/host-realm.ts'
import { openBed } from './bed.ts'

const { failureOf, valueOf } = openBed()
const encode = createEncoder(hostRealm)
const decode = createDecoder()

const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 6 })

test('a text is what JSON.stringify writes, but for minus zero', () => {
  fc.assert(
    fc.property(json, (value) => {
      const encoded = encode(value, 'it', 1e9)
      if (encoded.status !== 'encoded') throw new Error(encoded.status)
      expect(encoded.text.replaceAll('-0,', '0,')).toBeTypeOf('string')
      expect(JSON.parse(encoded.text)).toEqual(value)
      expect(decode(encoded.text, 1e9)).toEqual(value)
      expect(decode(encoded.text, encoded.depth)).toEqual(value)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['new Map()', 'result: a Map; send [...map] or Object.fromEntries(map)'],
  ['{ a: [new Set([1])] }', 'result.a[0]: a Set; send [...set]'],
  ['{ "a b": { c: new Date(0) } }', 'result["a b"].c: a Date; send its toISOString()'],
  ['[1n]', 'result[0]: a BigInt; send String(value)'],
  ['[1, undefined]', 'result[1]: undefined; leave it out or send null'],
  ['{ a: undefined }', 'result.a: undefined; leave it out or send null'],
  ['NaN', 'result: NaN; JSON has no such number'],
  ['[-Infinity]', 'result[0]: -Infinity; JSON has no such number'],
  ['{ [Symbol("s")]: 1 }', 'result[symbol]: a value under a symbol; name it by a string'],
  ['{ f() {} }', 'result.f: a function; send data'],
  ['[Symbol("s")]', 'result[0]: a symbol; send a string'],
  ['new (class Beer { pints = 1 })()', 'result: an instance of Beer; send a plain object'],
  ['Object.create({ inherited: 1 })', 'result: an instance of a class; send a plain object'],
  ['[1, , 3]', 'result: an array with holes; fill them with null'],
  ['new Array(1e9)', 'result: an array with holes; fill them with null'],
  [
    'Object.assign([1], { extra: 2 })',
    'result: an array with properties of its own; send an object',
  ],
  ['new (class extends Array {})()', 'result: an instance of a class of arrays; send [...it]'],
  ['{ get a() { return 1 } }', 'result.a: an accessor; send its value'],
  ['Object.defineProperty({}, "a", { value: 1 })', 'result.a: hidden (not enumerable)'],
  ['new Proxy({}, {})', 'result: a Proxy; send a plain object'],
  ['new Proxy([], {})', 'result: a Proxy; send a plain object'],
  ['[new Error("x")]', 'result[0]: an Error; send its message'],
  ['[/x/]', 'result[0]: an instance of RegExp; send plain data'],
  ['new Uint8Array(2)', 'result: an instance of Uint8Array; send plain data'],
  ['[Promise.resolve(1)]', 'result[0]: a Promise; await it'],
  ['[new String("x")]', 'result[0]: an instance of String; send plain data'],
  ['Object.setPrototypeOf(new Date(), Object.prototype)', 'result: a Date; send its toISOString()'],
  [
    '(() => { const a = { b: [] }; a.b.push(a); return a })()',
    'result.b[0]: a cycle back to result',
  ],
  [
    '(() => { const a = { b: [{}] }; a.b[0].c = a.b; return [1, a] })()',
    'result[1].b[0].c: a cycle back to result[1].b',
  ],
  ['(() => { const a = []; a[0] = a; return a })()', 'result[0]: a cycle back to result'],
])('%s is refused by its place and kind', async (expression, message) => {
  expect(await failureOf(`return ${expression}`)).toEqual({ kind: 'invalid-output', message })
})

test.each([
  ['{ a: 1, b: [] }'],
  ['Object.assign(Object.create(null), { a: 1 })'],
  ['(() => { const part = { p: 1 }; return [part, part] })()'],
  ['Object.freeze({ a: Object.freeze([1]) })'],
  ['JSON.parse(\'{"__proto__": 1, "constructor": 2, "2": 3, "1": 4}\')'],
  ['["\\ud800", "\\udc00\\ud800", "\\u0000", "\\u2028"]'],
  ['[1e21, 5e-324, 0.1, 9007199254740993]'],
])('%s crosses', async (expression) => {
  // oxlint-disable-next-line no-eval -- the same literal, read by this engine
  const expected: unknown = JSON.parse(JSON.stringify(eval(`(${expression})`)))

  expect(await valueOf(`return ${expression}`)).toEqual(expected)
})

test('minus zero stays minus zero', async () => {
  expect(await valueOf('return [-0, 0]')).toEqual([-0, 0])
})

test('a path that is long shows its end', async () => {
  const program =
    'let deep = [new Map()]; for (let i = 0; i < 1000; i++) deep = [deep]; return { deep }'

  expect(await failureOf(program)).toMatchObject({
    message: `result…${'[0]'.repeat(12)}: a Map; send [...map] or Object.fromEntries(map)`,
  })
})
