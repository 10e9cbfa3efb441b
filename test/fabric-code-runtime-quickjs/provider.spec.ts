import { Context } from '@deepseek-ai/cordis'
import { afterEach, expect, test } from 'vitest'
import QuickjsCode, { type Config } from 'dsh-fabric-code-runtime-quickjs/provider'

const mounted: { dispose(): Promise<void> }[] = []

afterEach(async () => {
  for (const fiber of mounted.splice(0)) await fiber.dispose()
})

async function mount(config: Config = {}): Promise<Context> {
  const context = new Context()
  const fiber = await context.plugin(QuickjsCode, config)
  mounted.push(fiber)
  return context
}

test('a program is checked, then run', async () => {
  const context = await mount()

  expect(
    await context.checkedCode.run({
      program: 'const n: number = 2; console.log("running"); return { value: n }',
      namespaces: [],
    }),
  ).toEqual({ status: 'completed', value: { value: 2 }, logs: ['running'] })
})

test('a program that does not check does not run, and says where', async () => {
  const context = await mount()
  const request = { program: '\nreturn tools.open()', file: 'rules/door.ts', namespaces: [] }

  const outcome = await context.checkedCode.run(request)
  expect(outcome).toMatchObject({
    status: 'failed',
    logs: [],
    failure: {
      kind: 'check',
      message: expect.stringContaining('rules/door.ts:2:8'),
      diagnostics: [{ line: 2, column: 8, message: expect.stringContaining('tools') }],
    },
  })
  expect(await context.checkedCode.check(request)).toHaveLength(1)
  expect(await context.checkedCode.check({ ...request, program: 'return 1' })).toEqual([])
})

test('a run within a run finds a place', async () => {
  const context = await mount({ maxWorkers: 2 })
  const inner = () => context.checkedCode.run({ program: 'return 20', namespaces: [] })
  const call = async () => {
    const outcome = await inner()
    return outcome.status === 'completed' ? outcome.value : null
  }

  expect(
    await context.checkedCode.run({
      program: 'return 1 + await tools.inner()',
      namespaces: [{ global: 'tools', members: new Map([['inner', { call }]]) }],
    }),
  ).toMatchObject({ value: 21 })
})

test.each([
  [{ maxWallMs: 2_147_483_648 }, 'maxWallMs'],
  [{ maxWallMs: 0 }, 'maxWallMs'],
  [{ memoryLimitBytes: 4_294_967_296 }, 'memoryLimitBytes'],
  [{ maxOutputBytes: 127 }, 'maxOutputBytes'],
  [{ maxStackBytes: 1_048_576 }, 'maxStackBytes'],
  [{ maxSourceBytes: 1.5 }, 'maxSourceBytes'],
  [{ maxWorkers: 0 }, 'maxWorkers'],
] as const)('%j is refused at mount', async (config, name) => {
  await expect(mount(config)).rejects.toThrow(name)
})

test('the largest wall budget is taken', async () => {
  const context = await mount({ maxWallMs: 2_147_483_647 })

  expect(await context.checkedCode.run({ program: 'return 1', namespaces: [] })).toMatchObject({
    value: 1,
  })
})

test('disposal during a run aborts it, and the service is gone', async () => {
  const context = await mount()
  const started = Promise.withResolvers<void>()
  const call = async () => started.resolve() as undefined
  const running = context.checkedCode.run({
    program: 'void tools.started(); while (true) {}',
    namespaces: [{ global: 'tools', members: new Map([['started', { call }]]) }],
  })
  await started.promise
  const held = context.checkedCode
  await mounted.pop()?.dispose()

  expect(await running).toMatchObject({
    failure: { kind: 'abort', message: 'runtime disposed' },
  })
  await expect(held.run({ program: '', namespaces: [] })).rejects.toMatchObject({
    code: 'disposed',
  })
})
