import { expect, test } from 'vitest'
import { namespaceOf, openBed } from './bed.ts'

const { run, valueOf, failureOf, runner } = openBed()
const MIB = 1024 * 1024

test('an oversized program is refused before anything reads it', async () => {
  const failure = await failureOf('('.repeat(5000), { limits: { maxSourceBytes: 4096 } })

  expect(failure).toMatchObject({
    kind: 'check',
    message: expect.stringMatching(/5000 bytes.*limit is 4096/),
  })
})

test.each([
  ['while (true) {}'],
  ['for (;;) { try { for (;;) {} } catch {} finally { continue } }'],
  ['await (async () => { for (;;) await 1 })()'],
  ['const again = () => Promise.resolve().then(again); again(); await new Promise(() => {})'],
  ['setInterval(() => {}, 1); await new Promise(() => {})'],
  ['/^(a+)+$/.test("a".repeat(60) + "b")'],
  ['"x".repeat(1e7).replace(/(x+x+)+y/, "")'],
  ['[2, 1].sort(() => { for (;;) {} })'],
  ['JSON.parse("[1]", function () { for (;;) {} })'],
  ['new Proxy({}, { get() { for (;;) {} } }).x'],
  [
    '({ get then() { for (;;) {} } }); return { toJSON() { for (;;) {} }, get x() { return 1 } } && await { then() { for (;;) {} } }',
  ],
])('%j ends as a timeout when its budget does', async (program) => {
  const failure = await failureOf(program, { limits: { maxWallMs: 400 } })

  expect(failure).toMatchObject({ kind: 'timeout', message: expect.stringContaining('400 ms') })
})

test.each([
  ['const all = []; for (;;) all.push({ n: all.length })'],
  [
    'const all = []; try { for (;;) all.push("x".repeat(1e6) + all.length) } catch { return "caught" } finally { return "kept" }',
  ],
  ['return new Uint8Array(2 ** 30).length'],
  ['return "x".repeat(2 ** 29).length'],
  ['await null; const all = []; try { for (;;) all.push([all]) } catch { return 1 }'],
  ['const all = {}; for (let i = 0; ; i++) all["key" + i] = i'],
  [
    'const all = []; const more = () => { for (let i = 0; i < 1000; i++) all.push([]); return Promise.resolve().then(more) }; await more()',
  ],
])('%j ends as memory, past every catch', async (program) => {
  const failure = await failureOf(program, { limits: { memoryLimitBytes: 24 * MIB } })

  expect(failure).toMatchObject({ kind: 'memory', message: expect.stringContaining(`${24 * MIB}`) })
})

test('null thrown while half of the heap is used is what the program threw', async () => {
  const program = 'const held = "x".repeat(12e6) + Math.random(); if (held.length > 1) throw null'

  expect(await failureOf(program, { limits: { memoryLimitBytes: 24 * MIB } })).toEqual({
    kind: 'exception',
    message: 'Uncaught null',
  })
})

test('a result too large for the heap ends as memory', async () => {
  const namespace = namespaceOf('tools', { big: () => 'x'.repeat(40 * MIB) })

  expect(
    await failureOf('return (await tools.big()).length', {
      namespaces: [namespace],
      limits: { memoryLimitBytes: 24 * MIB },
    }),
  ).toMatchObject({ kind: 'memory' })
})

test.each([
  ['function down() { return 1 + down() } down()'],
  ['const down = () => [1].map(down); down()'],
  ['JSON.parse("[".repeat(1e6) + "]".repeat(1e6))'],
  ['let deep = []; for (let i = 0; i < 1e5; i++) deep = [deep]; JSON.stringify(deep)'],
  ['let deep = []; for (let i = 0; i < 1e5; i++) deep = [deep]; structuredClone(deep)'],
  ['class Down { get x() { return this.x } } new Down().x'],
  ['eval("(".repeat(1e5) + ")".repeat(1e5))'],
])('%j is an exception that says the stack ended', async (program) => {
  expect(await failureOf(program)).toMatchObject({
    kind: 'exception',
    message: expect.stringMatching(/stack/i),
  })
})

test('the program can catch the end of its stack and go on', async () => {
  expect(
    await valueOf(
      'let n = 0; const down = () => { n++; down() }; try { down() } catch (error) { return error.name }',
    ),
  ).toBe('RangeError')
})

test('output over its budget ends the run while it is made', async () => {
  const outcome = await run('for (let i = 0; ; i++) console.log("line " + i)', {
    limits: { maxOutputBytes: 1000 },
  })

  expect(outcome).toMatchObject({
    status: 'failed',
    failure: { kind: 'output-limit', message: expect.stringContaining('1000 bytes') },
  })
  expect(outcome.logs[0]).toBe('line 0')
  expect(Buffer.byteLength(JSON.stringify(outcome.logs))).toBeLessThanOrEqual(1000)
})

test.each([
  ['return "é".repeat(600)'],
  ['return { a: Array(400).fill(1.5) }'],
  ['console.log("x".repeat(600)); return "y".repeat(600)'],
  ['throw new Error("x".repeat(2000))'],
])('%j is over the output budget and gives no value', async (program) => {
  const outcome = await run(program, { limits: { maxOutputBytes: 1000 } })

  expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'output-limit' } })
  expect('value' in outcome).toBe(false)
})

test('a completion that holds one part many times is bounded as it is written', async () => {
  const program = 'let part = ["x"]; for (let i = 0; i < 60; i++) part = [part, part]; return part'

  expect(await failureOf(program, { limits: { maxOutputBytes: MIB } })).toMatchObject({
    kind: 'output-limit',
  })
})

test('limits wider than the runtime, or none at all, cannot be taken', async () => {
  for (const limits of [{ maxWallMs: 1e9 }, { maxWallMs: 0 }, { memoryLimitBytes: 1.5 }]) {
    await expect(run('', { limits })).rejects.toMatchObject({ code: 'invalid-request' })
  }
})

test('a hog is thrown away with its memory, and the next program runs', async () => {
  await valueOf('return 1')
  const before = process.memoryUsage().rss
  const failure = await failureOf(
    'const all = []; for (;;) all.push("x".repeat(1 << 20) + all.length)',
  )
  await valueOf('return 1')

  expect(failure.kind).toBe('memory')
  await expect
    .poll(() => process.memoryUsage().rss - before, { timeout: 10_000 })
    .toBeLessThan(200 * MIB)
  expect(runner).toBeDefined()
})
