/** Checked programs: what one costs warm and cold, what it cannot hold up, and what it gives back. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Context } from '@deepseek-ai/cordis'
import type { CheckedCode, CodeNamespace, CodeOutcome } from 'dsh-fabric-code-runtime-quickjs'
import QuickjsCode from 'dsh-fabric-code-runtime-quickjs/provider'
import { atMost, figuresOf, median, type Report } from './report.ts'

const MIB = 1024 * 1024
const WARM_RUNS = 60
const COLD_RUNS = 3

const figure = figuresOf('code')

export async function codeBench(report: Report): Promise<void> {
  const cold: number[] = []
  for (let run = 0; run < COLD_RUNS; run += 1) {
    cold.push(await withCode(async (code) => timed(() => trivial(code, run))))
  }
  await withCode(async (code) => {
    await warm(code, report, median(cold))
    await logs(code, report)
    await calls(code, report)
    await spin(code, report)
    await many(code, report)
    await hog(code, report)
  })
}

async function warm(code: CheckedCode, report: Report, cold: number): Promise<void> {
  const same: number[] = []
  const fresh: number[] = []
  for (let run = 0; run < 10; run += 1) await trivial(code, -1)
  for (let run = 0; run < WARM_RUNS; run += 1) {
    fresh.push(await timed(() => trivial(code, run + 100)))
    same.push(await timed(() => trivial(code, -1)))
  }
  report(figure('cold first run, 40 tools, check included', cold, 'ms'))
  report(atMost(figure('warm run of a new program, 40 tools, p50', median(fresh), 'ms'), 12))
  report(atMost(figure('warm run of the same program, 40 tools, p50', median(same), 'ms'), 12))
  report(atMost(figure('warm over cold', median(fresh) / cold, 'x'), 0.15))
}

/** A hundred runs after the machine is warm. */
async function many(code: CheckedCode, report: Report): Promise<void> {
  for (let run = 0; run < 100; run += 1) await trivial(code, run)
  const before = await settledRss()
  for (let run = 0; run < 100; run += 1) await trivial(code, run + 1000)
  const grown = (await settledRss()) / before - 1
  report(atMost(figure('growth of RSS over 100 runs', grown * 100, '%'), 10))
}

async function logs(code: CheckedCode, report: Report): Promise<void> {
  const of = async (count: number) => {
    const times: number[] = []
    for (let run = 0; run < 7; run += 1) {
      times.push(await timed(() => completed(code, printing(count), [])))
    }
    return median(times)
  }
  const none = await of(0)
  const [quarter, whole] = [await of(1_000), await of(4_000)]
  report(atMost(figure('4,000 console lines', whole, 'ms'), 60))
  report(atMost(figure('4,000 lines over 1,000 lines', (whole - none) / (quarter - none), 'x'), 5))
}

function printing(lines: number): string {
  return `for (let i = 0; i < ${lines}; i++) console.log('line ' + i, { n: i })`
}

async function calls(code: CheckedCode, report: Report): Promise<void> {
  const alone = await timed(async () => {
    await Promise.all(Array.from({ length: 2_000 }, () => pause(20)))
  })
  const host: CodeNamespace = { global: 'host', members: new Map([['wait', { call: wait }]]) }
  const program = `const all: Promise<unknown>[] = []
for (let i = 0; i < 2000; i++) all.push(host.wait({ i }))
await Promise.all(all)`
  const times: number[] = []
  for (let run = 0; run < 5; run += 1) {
    times.push(await timed(() => completed(code, program, [host])))
  }
  report(figure('2,000 host calls alone', alone, 'ms'))
  report(figure('2,000 host calls of one program', median(times), 'ms'))
  report(atMost(figure('over twice the calls alone', median(times) - 2 * alone, 'ms'), 50))
}

async function wait(): Promise<null> {
  await pause(20)
  return null
}

async function spin(code: CheckedCode, report: Report): Promise<void> {
  const latencies: number[] = []
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let worst = 0
  for (let run = 0; run < 5; run += 1) {
    const controller = new AbortController()
    const started = Promise.withResolvers<undefined>()
    const call = async () => {
      started.resolve(undefined)
      return null
    }
    const host: CodeNamespace = { global: 'host', members: new Map([['started', { call }]]) }
    const running = code.run({
      program: 'await host.started(); while (true) {}',
      namespaces: [host],
      signal: controller.signal,
    })
    await started.promise
    await pause(50)
    delay.reset()
    delay.enable()
    await pause(200)
    const from = performance.now()
    controller.abort(new Error('enough'))
    const outcome = await running
    latencies.push(performance.now() - from)
    delay.disable()
    worst = Math.max(worst, delay.max / 1e6)
    if (outcome.status !== 'failed' || outcome.failure.kind !== 'abort') throw failed(outcome)
  }
  report(atMost(figure('cancel of while(true){}: slowest of 5', Math.max(...latencies), 'ms'), 100))
  report(atMost(figure("longest stall of the host's loop meanwhile", worst, 'ms'), 20))
}

async function hog(code: CheckedCode, report: Report): Promise<void> {
  await trivial(code, -1)
  const before = await settledRss()
  let peak = before
  const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20)
  const from = performance.now()
  const outcome = await code.run({
    program: 'const all: string[] = []; for (;;) all.push("x".repeat(1 << 20) + all.length)',
    namespaces: [],
  })
  const took = performance.now() - from
  clearInterval(watching)
  if (outcome.status !== 'failed' || outcome.failure.kind !== 'memory') throw failed(outcome)
  await trivial(code, -1)
  const after = await settledRss()
  report(figure('a 512 MiB hog is refused after', took, 'ms'))
  report(figure('RSS at its height', peak / MIB, 'MiB'))
  report(atMost(figure('RSS after it, over before', (after / before - 1) * 100, '%'), 10))
}

async function withCode<Result>(work: (code: CheckedCode) => Promise<Result>): Promise<Result> {
  const context = new Context()
  const fiber = await context.plugin(QuickjsCode)
  try {
    return await work(context.checkedCode)
  } finally {
    await fiber.dispose()
  }
}

const TOOLS: CodeNamespace = {
  global: 'tools',
  members: new Map(
    Array.from({ length: 40 }, (_, index) => [
      `tool_${index}`,
      {
        call: async () => null,
        contract: {
          description: `Tool ${index}.`,
          parameters: {
            type: 'object',
            properties: { path: { type: 'string' }, limit: { type: 'integer' } },
            required: ['path'],
          },
        },
      },
    ]),
  ),
}

async function trivial(code: CheckedCode, variant: number): Promise<void> {
  await completed(code, `const n: number = ${variant}\nreturn n + 1`, [TOOLS])
}

async function completed(
  code: CheckedCode,
  program: string,
  namespaces: readonly CodeNamespace[],
): Promise<void> {
  const outcome = await code.run({ program, namespaces })
  if (outcome.status !== 'completed') throw failed(outcome)
}

function failed(outcome: CodeOutcome): Error {
  return new Error(`the bench's program ended as ${JSON.stringify(outcome).slice(0, 300)}`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** Once what is dropped has been collected. */
async function settledRss(): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY
  for (let look = 0; look < 10; look += 1) {
    globalThis.gc?.()
    await nextTurn()
    await pause(50)
    lowest = Math.min(lowest, process.memoryUsage().rss)
  }
  return lowest
}
