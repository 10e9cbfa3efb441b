import { expect, test } from 'vitest'
import { CodeRunner } from '../../packages/dsh-fabric-code-runtime-quickjs/src/code-runner.ts'
import { GuestThread } from '../../packages/dsh-fabric-code-runtime-quickjs/src/guest/guest-thread.ts'
import { DEFAULT_LIMITS } from '../../packages/dsh-fabric-code-runtime-quickjs/src/limits.ts'
import { namespaceOf, openBed } from './bed.ts'
import { openErasingChecker } from './erasing-checker.ts'

const { run, valueOf, failureOf } = openBed()

const POOL = { maxWorkers: 2, idleWorkers: 1, workerHighWaterBytes: 67_108_864 }

function openOwn(): CodeRunner {
  return new CodeRunner({
    limits: { ...DEFAULT_LIMITS, maxWallMs: 50_000 },
    pool: POOL,
    declare: () => '',
    checker: openErasingChecker(),
  })
}

/** Called once the program has come so far. */
function signalling(): { started: Promise<void>; namespaces: ReturnType<typeof namespaceOf>[] } {
  const started = Promise.withResolvers<void>()
  const namespaces = [
    namespaceOf('test', {
      started: () => started.resolve() as undefined,
      never: () => new Promise<undefined>(() => undefined),
    }),
  ]
  return { started: started.promise, namespaces }
}

test.each([
  ['a spin', 'await test.started(); while (true) {}'],
  ['a pending call', 'await test.started(); await test.never()'],
  ['a timer', 'await test.started(); await new Promise((done) => setTimeout(done, 1e6))'],
  ['a native loop', 'await test.started(); for (;;) "x".repeat(1e6).split("")'],
])('cancel ends %s, with the reason as the message', async (_what, program) => {
  const controller = new AbortController()
  const { started, namespaces } = signalling()
  const running = run(program, { namespaces, signal: controller.signal })
  await started
  controller.abort(new Error('the player left'))

  expect(await running).toMatchObject({
    status: 'failed',
    failure: { kind: 'abort', message: 'the player left' },
  })
  expect(await valueOf('return 1')).toBe(1)
})

test('a signal that was aborted before is an abort, and nothing runs', async () => {
  expect(await failureOf('return 1', { signal: AbortSignal.abort('too late') })).toEqual({
    kind: 'abort',
    message: 'too late',
  })
})

test('the host goes on while a program spins', async () => {
  const controller = new AbortController()
  const { started, namespaces } = signalling()
  const running = run('await test.started(); while (true) {}', {
    namespaces,
    signal: controller.signal,
  })
  await started
  let ticks = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      ticks += 1
      if (ticks < 20) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
  controller.abort()

  expect(await running).toMatchObject({ failure: { kind: 'abort' } })
})

test('calls still open get their signal and a moment, and then are left behind', async () => {
  const signals: AbortSignal[] = []
  let finished = false
  const namespaces = [
    namespaceOf('tools', {
      polite: (_argument, signal) =>
        new Promise((resolve) => {
          signals.push(signal)
          signal.addEventListener('abort', () => {
            finished = true
            resolve(null)
          })
        }),
      deaf: (_argument, signal) => {
        signals.push(signal)
        return new Promise(() => undefined)
      },
    }),
  ]

  expect(
    await valueOf('void tools.polite(); void tools.deaf(); return "done"', { namespaces }),
  ).toBe('done')
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  expect(finished).toBe(true)
})

test('a call that comes after the end never reaches the host', async () => {
  const heard: unknown[] = []
  const namespaces = [
    namespaceOf('tools', { note: (argument) => void heard.push(argument) as undefined }),
  ]

  await valueOf(
    'Promise.resolve().then(() => Promise.resolve()).then(() => tools.note("late")); return 1',
    {
      namespaces,
    },
  )
  const before = heard.length
  await valueOf('return 1')

  expect(heard.length).toBe(before)
})

test('a wall budget of one millisecond is a timeout of the check', async () => {
  const runner = new CodeRunner({
    limits: DEFAULT_LIMITS,
    pool: POOL,
    declare: () => '',
    checker: {
      check: (_checking, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
      dispose: async () => undefined,
    },
  })
  const request = { program: 'return 1', namespaces: [], limits: { maxWallMs: 1 } }

  expect(await runner.run(request)).toMatchObject({
    failure: { kind: 'timeout', message: expect.stringContaining('type checking') },
  })
  await expect(runner.check(request)).rejects.toMatchObject({ code: 'check-stopped' })
  await runner.dispose()
})

test('an engine that never loads ends as a timeout, and the next run works', async () => {
  const hung = new URL('./hung-thread.ts', import.meta.url)
  let opened = 0
  const runner = new CodeRunner({
    limits: { ...DEFAULT_LIMITS, maxWallMs: 50_000 },
    pool: {
      ...POOL,
      openThread: () => {
        opened += 1
        return opened === 1 ? new GuestThread(hung) : new GuestThread()
      },
    },
    declare: () => '',
    checker: openErasingChecker(),
  })

  expect(
    await runner.run({ program: 'return 1', namespaces: [], limits: { maxWallMs: 300 } }),
  ).toMatchObject({ failure: { kind: 'timeout' } })
  expect(await runner.run({ program: 'return 1', namespaces: [] })).toMatchObject({ value: 1 })
  await runner.dispose()
})

test('a thread that cannot start is a worker-exit with its cause', async () => {
  const runner = new CodeRunner({
    limits: { ...DEFAULT_LIMITS, maxWallMs: 50_000 },
    pool: {
      ...POOL,
      openThread: () => new GuestThread(new URL('./no-such-thread.ts', import.meta.url)),
    },
    declare: () => '',
    checker: openErasingChecker(),
  })

  expect(await runner.run({ program: 'return 1', namespaces: [] })).toMatchObject({
    failure: { kind: 'worker-exit', message: expect.stringContaining('no-such-thread') },
  })
  await runner.dispose()
})

test('disposal ends every run as aborted, those that wait for a place too; then nothing is taken', async () => {
  const runner = openOwn()
  const { started, namespaces } = signalling()
  const running = Array.from({ length: 5 }, () =>
    runner.run({ program: 'void test.started(); while (true) {}', namespaces }),
  )
  await started
  await runner.dispose()

  for (const outcome of await Promise.all(running)) {
    expect(outcome).toMatchObject({ failure: { kind: 'abort', message: 'runtime disposed' } })
  }
  await expect(runner.run({ program: '', namespaces: [] })).rejects.toMatchObject({
    code: 'disposed',
  })
  await expect(runner.check({ program: '', namespaces: [] })).rejects.toMatchObject({
    code: 'disposed',
  })
  await runner.dispose()
})

test('a hundred programs at once all end, over a few threads', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      valueOf(`let sum = 0; for (let i = 0; i < 1000; i++) sum += i; return sum + ${index}`),
    ),
  )

  expect(outcomes).toEqual(Array.from({ length: 100 }, (_, index) => 499_500 + index))
})

test.each([
  ['microtasks', 'const again = () => Promise.resolve().then(again); again(); return 1'],
  ['timers', 'setInterval(() => {}, 0); return 1'],
  ['calls', 'const again = () => test.started().then(again); again(); return 1'],
])('%s left behind do not keep a program that returned', async (_what, program) => {
  const { namespaces } = signalling()

  expect(await valueOf(program, { namespaces })).toBe(1)
})
