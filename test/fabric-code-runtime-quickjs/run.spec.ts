import { expect, test } from 'vitest'
import { namespaceOf, openBed } from './bed.ts'

const { run, valueOf, failureOf } = openBed()

test('logs and completion come back exactly', async () => {
  const outcome = await run('console.log("running"); return { value: 2 }')

  expect(outcome).toEqual({ status: 'completed', value: { value: 2 }, logs: ['running'] })
})

test('a program that returns nothing completes without a value', async () => {
  expect(await run('')).toEqual({ status: 'completed', logs: [] })
  expect(await run('return undefined')).toEqual({ status: 'completed', logs: [] })
})

test('every console method and print write one line each, in order', async () => {
  const outcome = await run(`
    console.log('a', 1); console.info('b'); console.warn('c'); console.error('d'); console.debug('e')
    print('f', { g: [1, 'h'], i: undefined }, new Map([['k', new Set([1])]]), null, 12n, -0)`)

  expect(outcome.logs).toEqual([
    'a 1',
    'b',
    'c',
    'd',
    'e',
    `f { g: [ 1, "h" ], i: undefined } Map(1) {"k" => Set(1) { 1 } } null 12n -0`.replace(
      'Map(1) {"k"',
      'Map(1) { "k"',
    ),
  ])
})

test('a logged value runs none of its own code', async () => {
  const outcome = await run(`
    const value = { get secret() { throw new Error('ran') }, toJSON() { throw new Error('ran') } }
    console.log(value, new Proxy({}, { ownKeys() { throw new Error('ran') } }))
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, i) => ['k' + i, i]))
    for (let i = 0; i < 5; i++) for (const key of Object.keys(wide)) wide[key] = { ...wide }
    return 1`)

  expect(outcome).toMatchObject({ status: 'completed', value: 1 })
  expect(outcome.logs[0]).toContain('secret: [accessor]')
  expect(outcome.logs[0]).toContain('[Proxy]')
})

test('an uncaught error names its own line and column', async () => {
  const failure = await failureOf(
    `const amount: number = 1
  const other = amount as number; throw new TypeError('no such amount')`,
    { file: 'rules/weather.ts' },
  )

  expect(failure).toEqual({
    kind: 'exception',
    message: 'TypeError: no such amount (rules/weather.ts:2:45)',
    at: { line: 2, column: 45 },
  })
})

test.each([
  ['return 1 +\n  * 2', { line: 2, column: 3 }],
  ['\n const nothing = null; nothing.x', { line: 2, column: 24 }],
  ['function a() {\n  return b()\n}\nfunction b() {\n  missing()\n}\na()', { line: 5, column: 3 }],
  ['await Promise.reject(new Error("x"))', { line: 1, column: 26 }],
])('%j fails where it is wrong', async (program, at) => {
  expect(await failureOf(program)).toMatchObject({ kind: 'exception', at })
})

test('a stack shows the author his own lines and none of ours', async () => {
  const stack = await valueOf(`
function inner() { return new Error('x').stack }
return inner()`)

  expect(stack).toMatch(/^ {4}at inner \(program:2:\d+\)\n {4}at \S+ \(program:3:\d+\)$/)
})

test('the position does not depend on what the program makes of the error', async () => {
  const failure = await failureOf(`
const error = new Error('real')
Object.defineProperty(error, 'stack', { value: 'at x (program:99:99)' })
throw error`)

  expect(failure).toMatchObject({ at: { line: 2 } })
})

test.each([
  ['throw "text"', 'Uncaught text'],
  ['throw { code: 1 }', 'Uncaught { code: 1 }'],
  ['throw undefined', 'Uncaught undefined'],
  ['throw Object.assign(new Error("m"), { name: "Mine" })', 'Mine: m (program:1:25)'],
])('%s is an exception that says what was thrown', async (program, message) => {
  expect(await failureOf(program)).toMatchObject({ kind: 'exception', message })
})

test('a run leaves nothing for the next', async () => {
  await valueOf(
    'globalThis.left = 1; Object.prototype.left = 1; Array.prototype.map = null; return 1',
  )

  expect(await valueOf('return [globalThis.left ?? null, typeof [].map]')).toEqual([
    null,
    'function',
  ])
})

test('the realm has what a program expects, and no way out', async () => {
  const present = `return [...new Set([structuredClone, URL, URLSearchParams, TextEncoder, TextDecoder, setTimeout,
    setInterval, clearTimeout, clearInterval, queueMicrotask, atob, btoa].map((it) => typeof it))]`
  expect(await valueOf(present)).toEqual(['function'])

  const absent = `return [...new Set([typeof process, typeof require, typeof fetch, typeof Bun, typeof WebAssembly,
    typeof Worker, typeof Deno, typeof module, typeof window])]`
  expect(await valueOf(absent)).toEqual(['undefined'])
})

test('what it has works', async () => {
  const value = await valueOf(`
    const url = new URL('../b?q=ü#h', 'https://münchen.example/x/y')
    const copy = structuredClone({ when: new Date(0), map: new Map([[1, new Set(['a'])]]), deep: [url.href] })
    const bytes = new TextEncoder().encode('€')
    return [url.href, [...new URLSearchParams('a=1&b=2').keys()], copy.when.toISOString(),
      [...copy.map.get(1)], [...bytes], new TextDecoder().decode(bytes), atob(btoa('hé'))]`)

  expect(value).toEqual([
    'https://xn--mnchen-3ya.example/b?q=%C3%BC#h',
    ['a', 'b'],
    '1970-01-01T00:00:00.000Z',
    ['a'],
    [226, 130, 172],
    '€',
    'hé',
  ])
})

test('timers run in order of their time, microtasks before them, and can be cleared', async () => {
  const order = await valueOf(`
    const order = []
    const cleared = setTimeout(() => order.push('never'), 1)
    setTimeout((a, b) => order.push(a + b), 30, 'la', 'te')
    setTimeout(() => { order.push('soon'); Promise.resolve().then(() => order.push('micro')) }, 1)
    setTimeout(() => order.push('sooner or equal'), 1)
    clearTimeout(cleared); clearTimeout(undefined); clearTimeout(12345)
    queueMicrotask(() => order.push('first'))
    let count = 0
    await new Promise((done) => { const each = setInterval(() => { if (++count === 3) { clearInterval(each); done() } }, 2) })
    await new Promise((done) => setTimeout(done, 40))
    return [...order, count]`)

  expect(order).toEqual(['first', 'soon', 'micro', 'sooner or equal', 'late', 3])
})

test('a pending timer does not keep a finished program', async () => {
  expect(await valueOf('setInterval(() => {}, 1); setTimeout(() => {}, 1e9); return 1')).toBe(1)
})

test('an error in a timer fails the run, where it is', async () => {
  const failure = await failureOf(`setTimeout(() => {
  throw new Error('late')
}, 1)
await new Promise((done) => setTimeout(done, 5000))`)

  expect(failure).toMatchObject({ kind: 'exception', at: { line: 2 } })
})

test('a promise that nothing can settle ends the run at once', async () => {
  expect(await failureOf('await new Promise(() => {})')).toMatchObject({
    kind: 'exception',
    message: expect.stringContaining('nothing can settle'),
  })
})

test('random numbers and the time differ from run to run', async () => {
  const drawn = new Set([
    await valueOf('return Math.random()'),
    await valueOf('return Math.random()'),
  ])
  const before = Date.now()
  const now = Number(await valueOf('return Date.now()'))

  expect(drawn.size).toBe(2)
  expect(now).toBeGreaterThanOrEqual(before - 1)
  expect(now).toBeLessThanOrEqual(Date.now() + 1)
})

test('a prelude gives globals, sees the constants and makes the completion', async () => {
  const prelude = {
    source: `let calls = 0
      return { globals: { twice: (x) => { calls += 1; return x * factor } , Date: undefined },
        complete: (value) => ({ value, calls }) }`,
    declarations: 'declare function twice(x: number): number',
  }
  const request = { prelude, constants: { factor: { value: 2 } } }

  expect(await valueOf('return twice(twice(3)) + typeof Date', request)).toEqual({
    value: '12undefined',
    calls: 2,
  })
})

test.each([
  ['throw new Error("broken")', 'broken'],
  ['return 5', '{ globals }'],
  ['return { globals: { tools: 1 } }', "'tools' is bound already"],
  ['return {', 'prelude failed'],
])('the prelude %j is a request that cannot be taken', async (source, message) => {
  const request = {
    prelude: { source, declarations: '' },
    namespaces: [namespaceOf('tools', {})],
  }

  await expect(run('return 1', request)).rejects.toMatchObject({
    code: 'invalid-request',
    message: expect.stringContaining(message),
  })
})
