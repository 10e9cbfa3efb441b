/** Several processes on one store: fair claims, how soon a watcher hears, what an idle watcher costs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { reportDisk } from './mesh-disk.ts'
import { type Bench, by, figure, openStore, repeat, send } from './mesh-store.ts'
import { atLeast, atMost, median, type Report } from './report.ts'

const script = join(import.meta.dirname, 'mesh-child.ts')
const LETTERS = 12_000
const WRITES = 200
const SPACING_MS = 10

const claims = z.object({ claimed: z.number(), worstMs: z.number() })
const heard = z.object({ at: z.array(z.number()) })
const idled = z.object({ cpuPercent: z.number() })

const rates = z.array(z.number())
const disk = z.object({
  probes: rates,
  callers: z.array(
    z.object({ count: z.number(), target: z.number(), published: rates, ratios: rates }),
  ),
})

/** In a process that does nothing else, as a host would run it. */
export async function compareDisk(report: Report, folder: string): Promise<void> {
  const child = await start(join(folder, 'disk.db'), 'disk', '')
  reportDisk(report, disk.parse(await child.run()))
}

export async function compareProcesses(report: Report, folder: string): Promise<void> {
  const path = join(folder, 'shared.db')
  const bench = await openStore(path, 0)
  await bench.workspace.topics.create({ id: 'empty', by })
  for (const count of [1, 4, 8]) {
    await repeat(LETTERS, () => send(bench, 'mara'))
    await claimTogether(report, path, count)
  }
  await watch(report, path, bench)
  await idle(report, path)
  await bench.mesh.close()
}

async function claimTogether(report: Report, path: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `worker-${index}`)
  const children = await Promise.all(names.map((name) => start(path, 'claim', name)))
  const results = await Promise.all(children.map(async (child) => claims.parse(await child.run())))
  const claimed = results.map((result) => result.claimed)
  const perSecond = claimed.reduce((sum, each) => sum + each) / 2.5
  const who = count === 1 ? '1 process' : `${count} processes`
  report(figure(`claims and settles, ${who}`, perSecond, 'per s'))
  const worst = figure(`longest claim, ${who}`, Math.max(...results.map((r) => r.worstMs)), 'ms')
  report(atMost(worst, 500))
  if (count === 1) return
  const fair = Math.min(...claimed) / Math.max(...claimed)
  report(atLeast(figure(`slowest worker against fastest, ${who}`, fair, 'times'), 0.3))
}

async function watch(report: Report, path: string, { workspace }: Bench): Promise<void> {
  const child = await start(path, 'watch', '')
  const result = child.run()
  await child.said('watching')
  const called: number[] = []
  const committed: number[] = []
  for (let write = 0; write < WRITES; write += 1) {
    await pause(SPACING_MS)
    called.push(now())
    await workspace.topics.publish('scene', { payload: write, by })
    committed.push(now())
  }
  await workspace.topics.publish('scene', { payload: 'end', by })
  const { at } = heard.parse(await result)
  const since = (times: readonly number[]) =>
    at.map((time, write) => time - (times[write] ?? Number.NaN)).toSorted((a, b) => a - b)
  const fromCommit = since(committed)
  const p50 = figure('from commit to heard in another process, p50', median(fromCommit), 'ms')
  report(atMost(p50, 3))
  const late = fromCommit[Math.floor(WRITES * 0.99)] ?? Number.NaN
  report(figure('from commit to heard in another process, p99', late, 'ms'))
  const fromCall = median(since(called))
  report(figure('from the call of publish to heard in another process, p50', fromCall, 'ms'))
}

function now(): number {
  return performance.timeOrigin + performance.now()
}

async function idle(report: Report, path: string): Promise<void> {
  const child = await start(path, 'idle', '')
  const { cpuPercent } = idled.parse(await child.run())
  report(atMost(figure('a process that watches and hears nothing', cpuPercent, '% CPU'), 0.5))
}

interface Started {
  /** Lets it work; gives what it says last. */
  run(): Promise<unknown>
  said(line: string): Promise<void>
}

async function start(path: string, work: string, name: string): Promise<Started> {
  const child: ChildProcess = spawn(process.execPath, [script, path, work, name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (child.stdout === null || child.stdin === null) throw new Error('the child has no pipes')
  const { stdin } = child
  const lines: string[] = []
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line))
  const ended = once(child, 'close')
  const said = async (line: string): Promise<void> => {
    while (!lines.includes(line)) await once(reader, 'line')
  }
  await said('ready')
  return {
    said,
    run: async () => {
      stdin.write('go\n')
      await ended
      return JSON.parse(lines.at(-1) ?? '')
    },
  }
}
