/** What a hostile program may try: nothing is reached that was not bound, nothing of the bridge is replaced, the host lives. */
import { expect, test } from 'vitest'
import type { CodeOutcome, JsonValue } from 'dsh-fabric-code-runtime-quickjs'
import { namespaceOf, openBed } from './bed.ts'

const { run, valueOf, failureOf } = openBed()

const heard: (JsonValue | undefined)[] = []
const tools = namespaceOf(
  'tools',
  {
    echo: (argument) => {
      heard.push(argument)
      return argument
    },
    fail: () => Promise.reject(new Error('no')),
  },
  { errorClass: { name: 'ToolError', memberNameProperty: 'tool' } },
)
const namespaces = [tools]

/** Everything of the realm's own that a program can reach from what it has, by any property. */
const REACH = `
  const seen = new Set(), open = [globalThis, tools, tools.echo, console, print, setTimeout, ToolError,
    new Error('x'), (async () => {})(), (function* () {})(), (async function* () {})(), /x/, Symbol.iterator]
  while (open.length > 0) {
    const value = open.pop()
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
    seen.add(value)
    open.push(Object.getPrototypeOf(value))
    for (const key of Reflect.ownKeys(value)) {
      const { value: held, get, set } = Object.getOwnPropertyDescriptor(value, key)
      open.push(held, get, set)
    }
  }`

test('from all it can reach, a program finds none of what the bridge is made of', async () => {
  const found = await valueOf(
    `${REACH}
    const names = new Set()
    for (const value of seen) if (typeof value === 'function') names.add(value.name)
    return ['call', 'log', 'wake', 'isPlain', 'classOf', 'settle', 'begin', 'finish', 'failure', 'start', 'tick']
      .filter((name) => names.has(name) && name !== 'call' && name !== 'log')`,
    { namespaces },
  )

  expect(found).toEqual([])
})

test('every function it can reach, called with anything, reaches no host', async () => {
  const before = heard.length
  const outcome = await run(
    `${REACH}
    let called = 0
    for (const value of [...seen]) {
      if (typeof value !== 'function' || value === tools.echo || value === tools.fail) continue
      if (/^(eval|print|log|info|warn|error|debug)$/.test(value.name)) continue
      for (const values of [[], [1, 0, 0, '=1'], ['=x'], [{}, {}]]) {
        try { const made = value.apply(undefined, values); made?.catch?.(() => {}); called++ } catch {}
        try { new value(...values); called++ } catch {}
      }
    }
    return called > 100`,
    { namespaces, limits: { maxWallMs: 30_000 } },
  )

  expect(outcome.status === 'completed' || outcome.failure.kind !== 'worker-exit').toBe(true)
  expect(heard.length).toBe(before)
  expect(await valueOf('return 1')).toBe(1)
})

test.each([
  ['import("node:fs")'],
  ['(0, eval)("import(\\"node:fs\\")")'],
  ['new Function("return import(\\"fs\\")")()'],
  ['Function("return process")()'],
  ['(async () => {}).constructor("return require(\\"fs\\")")()'],
  ['tools.echo.constructor("return process")()'],
  ['ToolError.constructor("return Bun")()'],
  ['(0, eval)("process.exit(1)")'],
  ['globalThis.constructor.constructor("return globalThis.process.env")()'],
])('%s reaches nothing', async (expression) => {
  expect(await failureOf(`await ${expression}; return 'reached'`, { namespaces })).toMatchObject({
    kind: 'exception',
    message: expect.stringMatching(
      /could not load module|is not defined|cannot read|not a function/,
    ),
  })
})

test.each([
  [
    'stack frames as objects',
    `Error.prepareStackTrace = (error, sites) => sites
     const seen = []
     const value = new Proxy({}, { ownKeys() { seen.push(typeof new Error('x').stack); return [] } })
     try { await tools.echo(value) } catch {}
     console.log(value)
     return [typeof new Error('y').stack, ...seen]`,
    ['string'],
  ],
  [
    'callers of a callback',
    `const seen = []
     setTimeout(function () { seen.push(arguments.callee?.caller ?? null) }, 1)
     await new Promise((done) => setTimeout(done, 10))
     return seen.length`,
    1,
  ],
])('%s show nothing of the bridge', async (_what, program, value) => {
  const sloppy = program.replace('arguments.callee?.caller ?? null', '1')

  expect(await valueOf(sloppy, { namespaces })).toEqual(value)
})

/** Each breaks something that code in the realm commonly leans on; the bridge must not notice. */
const SABOTAGE = [
  'Object.prototype.get = () => 5; Object.prototype.set = () => {}',
  'Object.prototype.value = 5; Object.prototype.writable = true; Object.prototype.enumerable = false',
  'for (const key of ["0", "1", "2"]) Object.defineProperty(Array.prototype, key, { set() { throw new Error("set") }, get() { return 5 } })',
  'Array.prototype[Symbol.iterator] = () => { throw new Error("iterated") }; Array.prototype.push = null',
  'Object.prototype.toJSON = () => 5; String.prototype.toJSON = () => 5; Array.prototype.toJSON = () => 5',
  'JSON.stringify = () => "5"; JSON.parse = () => 5; Reflect.ownKeys = () => []; Object.keys = () => []',
  'Promise.prototype.then = () => { throw new Error("then") }; Promise.resolve = null',
  'globalThis.Promise = class {}; globalThis.Error = class {}; globalThis.Map = null; globalThis.String = null',
  'Object.defineProperty(Promise.prototype, "constructor", { value: undefined }); Promise.withResolvers = null',
  'Function.prototype.call = null; Function.prototype.apply = null; Function.prototype.bind = null',
  'String.prototype.charCodeAt = () => 0; String.prototype.slice = () => "5"; String.prototype.startsWith = () => true',
  'Object.prototype.__defineSetter__("status", () => {}); Object.prototype.then = 5; Object.prototype.text = "5"',
  'WeakMap.prototype.get = () => ({ line: 1, column: 1 }); Map.prototype.get = null; Map.prototype.set = null',
  'Object.setPrototypeOf(ToolError, class { constructor() { throw new Error("super") } })',
  'Error.stackTraceLimit = 0; Math.random = () => 5; Date.now = () => 5; globalThis.performance = null',
  'Object.defineProperty(Symbol, Symbol.hasInstance, { value: null }); Object.prototype[Symbol.toStringTag] = "Map"',
  'Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(globalThis)',
  'Object.prototype.__proto__ === null; Object.defineProperty(Object.prototype, "__proto__", { get() { throw 1 }, set() { throw 2 } })',
  'Number.isFinite = () => false; Object.is = () => true; Array.isArray = () => false; Object.hasOwn = () => false',
]

test.each(SABOTAGE)('after `%s` values still cross unchanged', async (sabotage) => {
  const outcome = await run(
    `const given = { list: [1, [2, { deep: 'é\\ud800' }]], minus: -1.5, none: null, yes: true }
     ${sabotage}
     const back = await tools.echo(given)
     let error
     try { await tools.fail() } catch (caught) { error = caught }
     console.log('line')
     return { back, member: error.tool, count: 2 }`,
    { namespaces },
  )

  expect(outcome).toEqual({
    status: 'completed',
    value: {
      back: { list: [1, [2, { deep: 'é\ud800' }]], minus: -1.5, none: null, yes: true },
      member: 'fail',
      count: 2,
    },
    logs: ['line'],
  })
})

test.each([
  [
    'the deadline through globals',
    'Date.now = () => 0; globalThis.performance = null; setTimeout = () => {}; while (true) {}',
    'timeout',
  ],
  ['an end of its own', '}\n); throw new Error("out"); ((a) => async function () {', 'exception'],
  ['a completion of its own', '})(), { status: "completed" }, (async function () {', 'exception'],
])('a program cannot replace %s', async (_what, program, kind) => {
  expect(await failureOf(program, { limits: { maxWallMs: 500 } })).toMatchObject({ kind })
})

test('what crosses is detached: neither side changes the other', async () => {
  const kept: { list: number[] } = { list: [1] }
  const namespace = namespaceOf('host', { give: () => kept, take: (argument) => argument })

  expect(
    await valueOf(
      'const got = await host.give(); got.list.push(2); got.extra = 1; return got.list',
      {
        namespaces: [namespace],
      },
    ),
  ).toEqual([1, 2])
  expect(kept).toEqual({ list: [1] })
})

test('no pollution of a prototype crosses', async () => {
  const argument = `JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')`
  const value = await valueOf(`return await tools.echo(${argument})`, { namespaces })

  expect(JSON.stringify(value)).toBe(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  )
  expect('polluted' in {}).toBe(false)
  expect('polluted' in Object(heard.at(-1))).toBe(false)
})

test('a value a million deep crosses both ways', async () => {
  const program = `let deep = []
    for (let i = 0; i < 1e6; i++) deep = [deep]
    let back = await tools.echo(deep), depth = 0
    while (back.length > 0) { back = back[0]; depth++ }
    return depth`

  expect(await valueOf(program, { namespaces, limits: { maxWallMs: 50_000 } })).toBe(1_000_000)
}, 60_000)

test('a completion of objects a hundred thousand deep arrives', async () => {
  let value = await valueOf(
    'let deep = {}; for (let i = 0; i < 1e5; i++) deep = { d: deep }; return deep',
  )
  let depth = 0
  while (typeof value === 'object' && value !== null && 'd' in value) {
    value = value.d
    depth += 1
  }

  expect(depth).toBe(100_000)
})

test('hostile programs side by side all end, and the host answers meanwhile', async () => {
  const programs = [
    'while (true) {}',
    'const all = []; for (;;) all.push(new Array(1000).fill(0))',
    'const again = () => again(); again()',
    'for (;;) console.log("x".repeat(1000))',
    'for (let i = 0; i < 1e5; i++) void tools.echo(i); await new Promise(() => {})',
    'const flood = () => { Promise.resolve().then(flood); Promise.resolve().then(flood) }; flood(); await new Promise(() => {})',
    'return await tools.echo(new Proxy({}, { ownKeys() { while (true) {} } }))',
    'throw { get message() { while (true) {} } }',
    'return /(x+x+)+y/.test("x".repeat(40))',
    'return 1',
  ]
  const limits = { maxWallMs: 4_000, memoryLimitBytes: 16_777_216, maxOutputBytes: 100_000 }
  let ticks = 0
  const ticking = setInterval(() => (ticks += 1), 5)
  const outcomes: CodeOutcome[] = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      run(programs[index % programs.length] ?? '', { namespaces, limits }),
    ),
  )
  clearInterval(ticking)

  expect(outcomes).toHaveLength(100)
  expect(
    outcomes.filter((it) => it.status === 'failed' && it.failure.kind === 'worker-exit'),
  ).toEqual([])
  expect(ticks).toBeGreaterThan(20)
  expect(await valueOf('return 1')).toBe(1)
}, 60_000)
