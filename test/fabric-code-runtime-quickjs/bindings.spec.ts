import { expect, test } from 'vitest'
import type { CodeNamespace, JsonValue } from 'dsh-fabric-code-runtime-quickjs'
import { namespaceOf, openBed } from './bed.ts'

const { run, valueOf, failureOf } = openBed()

const tools = namespaceOf(
  'tools',
  {
    echo: (argument) => argument,
    fail: (argument) => {
      throw new Error(`no ${typeof argument === 'string' ? argument : 'such thing'}`)
    },
    // no JSON, whatever its type says
    when: () => Object(new Date(0)),
  },
  { errorClass: { name: 'ToolError', memberNameProperty: 'tool' } },
)

test('a rejected call is an instance of the declared class and names its member', async () => {
  const program = `try { await tools.fail('bread') } catch (error) {
    return [error instanceof ToolError, error instanceof Error, error.tool, error.name, error.message,
      Object.prototype.toString.call(error), error.constructor === ToolError, String(new ToolError('own'))]
  }`

  expect(await valueOf(program, { namespaces: [tools] })).toEqual([
    true,
    true,
    'fail',
    'ToolError',
    'no bread',
    '[object Error]',
    true,
    'ToolError: own',
  ])
})

test('an uncaught rejected call fails where it was made', async () => {
  const program = `const say = () =>
  tools.fail('ale')
await say()`

  expect(await failureOf(program, { namespaces: [tools] })).toEqual({
    kind: 'exception',
    message: 'ToolError: no ale (program:2:9)',
    at: { line: 2, column: 9 },
  })
})

test('without a class a rejected call is an Error', async () => {
  const plain = namespaceOf('plain', { fail: () => Promise.reject(new RangeError('too far')) })
  const program = `try { await plain.fail() } catch (error) { return [error.name, error.message] }`

  expect(await valueOf(program, { namespaces: [plain] })).toEqual(['Error', 'too far'])
})

test.each([
  'Promise',
  'print',
  'globalThis',
  'Object',
  'Error',
  'Array',
  'JSON',
  'Math',
  'Reflect',
  'Symbol',
  'Function',
  'undefined',
  'NaN',
  'Infinity',
  'setTimeout',
  'URL',
  'Map',
  'Set',
  'String',
  'Proxy',
  '__bridge',
  '__fabric__',
  'fabric',
  'port',
  'realm',
  '_x',
  'names',
  'constructor',
  '__proto__',
  'hasOwnProperty',
])('%s works as the name of a namespace', async (global) => {
  const namespace = namespaceOf(global, { echo: (argument) => argument })
  const program = `console.log('seen'); return await ${global}.echo({ a: [1, 'b'] })`

  expect(await run(program, { namespaces: [namespace] })).toEqual({
    status: 'completed',
    value: { a: [1, 'b'] },
    logs: ['seen'],
  })
})

test('an error class named like a built-in still satisfies instanceof', async () => {
  const namespace = namespaceOf(
    'tools',
    { fail: () => Promise.reject(new Error('x')) },
    {
      errorClass: { name: 'TypeError', memberNameProperty: 'member name' },
    },
  )
  const program = `try { await tools.fail() } catch (error) {
    return [error instanceof TypeError, error['member name'], error.name] }`

  expect(await valueOf(program, { namespaces: [namespace] })).toEqual([true, 'fail', 'TypeError'])
})

test('members of any name are own properties of an object without a prototype', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'then', 'with space', '', '名前', '0']
  const members = new Map(names.map((name) => [name, { call: async () => name }]))
  const program = `const out = []
    for (const name of ${JSON.stringify(names)}) out.push(await odd[name]())
    return [out, Object.getPrototypeOf(odd), Object.isFrozen(odd), Object.keys(odd).length]`

  expect(await valueOf(program, { namespaces: [{ global: 'odd', members }] })).toEqual([
    names,
    null,
    true,
    names.length,
  ])
})

test('constants are there, deeply frozen', async () => {
  const constants = { world: { value: { rooms: [{ name: 'inn' }] } }, nothing: { value: null } }
  const program = `
    const frozen = [world, world.rooms, world.rooms[0]].map(Object.isFrozen)
    try { world.rooms[0].name = 'gone' } catch (error) { return [error.name, frozen, world, nothing] }`

  expect(await valueOf(program, { constants })).toEqual([
    'TypeError',
    [true, true, true],
    { rooms: [{ name: 'inn' }] },
    null,
  ])
})

test('the program may declare a bound name for itself', async () => {
  expect(await valueOf('const tools = 1; return tools', { namespaces: [tools] })).toBe(1)
})

test('calls run side by side', async () => {
  const open: (() => void)[] = []
  const both = namespaceOf('both', {
    meet: () =>
      new Promise<JsonValue>((resolve) => {
        open.push(() => resolve('met'))
        if (open.length === 2) open.forEach((release) => release())
      }),
  })

  expect(
    await valueOf('return await Promise.all([both.meet(), both.meet()])', { namespaces: [both] }),
  ).toEqual(['met', 'met'])
})

test('two thousand calls at once, and more than are let out at a time', async () => {
  const program = `const all = await Promise.all(Array.from({ length: 10000 }, (_, i) => tools.echo(i)))
    return all.every((value, index) => value === index) && all.length`

  expect(await valueOf(program, { namespaces: [tools] })).toBe(10_000)
})

test('what the host gives must cross too', async () => {
  expect(await failureOf('await tools.when()', { namespaces: [tools] })).toMatchObject({
    kind: 'exception',
    message: expect.stringContaining('tools.when: a Date; send its toISOString()'),
  })
})

test('an argument that cannot cross rejects the call, and the host hears nothing', async () => {
  let heard = 0
  const namespace = namespaceOf('tools', { echo: () => (heard += 1) })
  const program = `try { await tools.echo({ list: [1, { when: new Date() }] }) } catch (error) { return error.message }`

  expect(await valueOf(program, { namespaces: [namespace] })).toBe(
    'tools.echo(argument).list[1].when: a Date; send its toISOString()',
  )
  expect(heard).toBe(0)
})

test('a property of an argument that is undefined is absent, however deep; one of a list is refused', async () => {
  const seen: unknown[] = []
  const note = async (argument: unknown) => {
    seen.push(argument)
    return null
  }
  const namespaces = [namespaceOf('tools', { note })]

  await valueOf(
    `Object.defineProperty(Array.prototype, '0', { set() { throw new Error('seen') }, configurable: true })
    await tools.note({ a: undefined, b: 1, c: undefined, d: { e: undefined }, f: [{ g: undefined }] })`,
    { namespaces },
  )

  expect(seen).toEqual([{ b: 1, d: {}, f: [{}] }])
  expect(await failureOf('await tools.note({ a: [undefined] })', { namespaces })).toMatchObject({
    message: expect.stringContaining('a[0]: undefined'),
  })
})

test('an absent argument and an absent result are undefined', async () => {
  const seen: unknown[] = []
  const namespace = namespaceOf('tools', {
    note: (argument) => {
      seen.push(argument)
      return undefined
    },
  })

  expect(
    await valueOf('return [typeof await tools.note(), typeof await tools.note(undefined)]', {
      namespaces: [namespace],
    }),
  ).toEqual(['undefined', 'undefined'])
  expect(seen).toEqual([undefined, undefined])
})

const refused: readonly (readonly [string, readonly CodeNamespace[], string])[] = [
  ['a reserved global', [namespaceOf('console', {})], "'console' belongs to the runtime"],
  ['a slot of another backend', [namespaceOf('__name__', {})], 'belongs to the runtime'],
  ['a word of a language', [namespaceOf('lambda', {})], 'reserved word'],
  ['no identifier', [namespaceOf('$tools', {})], 'no identifier'],
  ['an empty name', [namespaceOf('', {})], 'no identifier'],
  ['a name bound twice', [namespaceOf('a', {}), namespaceOf('a', {})], 'bound twice'],
  [
    'a class named as a namespace',
    [namespaceOf('a', {}, { errorClass: { name: 'a', memberNameProperty: 'm' } })],
    'bound twice',
  ],
  [
    'a member property that Error has',
    [namespaceOf('a', {}, { errorClass: { name: 'B', memberNameProperty: 'stack' } })],
    "'stack'",
  ],
  [
    'a dunder member property',
    [namespaceOf('a', {}, { errorClass: { name: 'B', memberNameProperty: '__class__' } })],
    "'__class__'",
  ],
]

test.each(refused)('%s is a request that cannot be taken', async (_what, namespaces, message) => {
  await expect(run('return 1', { namespaces })).rejects.toMatchObject({
    name: 'CodeError',
    code: 'invalid-request',
    message: expect.stringContaining(message),
  })
})

test('a constant that cannot cross, or named as a namespace, cannot be taken', async () => {
  await expect(
    run('', { constants: { when: { value: { at: Object(new Date(0)) } } } }),
  ).rejects.toMatchObject({ message: expect.stringContaining('when.at: a Date') })
  await expect(
    run('', { namespaces: [tools], constants: { tools: { value: 1 } } }),
  ).rejects.toMatchObject({ message: expect.stringContaining('bound twice') })
})
