/** Durable publishes against what the disk itself can do, in turns: one caller, 64, 512. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, figure, post } from './mesh-store.ts'
import { atLeast, median, type Report } from './report.ts'

const ROUNDS = 9
const PROBE_MS = 80
const RUN_MS = 250

const callers = [
  { count: 1, target: 0.8 },
  { count: 64, target: 12 },
  { count: 512, target: 25 },
] as const

export async function compareDisk(report: Report, folder: string, bench: Bench): Promise<void> {
  const file = openSync(join(folder, 'probe'), 'a')
  const rates = callers.map(() => ({ published: Array<number>(), ratio: Array<number>() }))
  const probes: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, { count }] of callers.entries()) {
        const before = probe(file)
        const published = await publishTogether(bench, count)
        const disk = (before + probe(file)) / 2
        probes.push(disk)
        rates[index]?.published.push(published)
        rates[index]?.ratio.push(published / disk)
      }
    }
  } finally {
    closeSync(file)
  }
  report(figure('the disk: 4 KiB appended and fdatasync', median(probes), 'per s'))
  for (const [index, { count, target }] of callers.entries()) {
    const who = count === 1 ? 'alone' : `${count} callers`
    const { published = [], ratio = [] } = rates[index] ?? {}
    report(figure(`durable publishes, ${who}`, median(published), 'per s'))
    const against = figure(`durable publishes against fdatasyncs, ${who}`, median(ratio), 'times')
    report(atLeast(against, target))
  }
}

/** Per second. */
function probe(file: number): number {
  const block = Buffer.alloc(4096)
  const start = performance.now()
  let count = 0
  while (performance.now() - start < PROBE_MS) {
    writeSync(file, block)
    fdatasyncSync(file)
    count += 1
  }
  return (count * 1000) / (performance.now() - start)
}

/** Per second; bodies of 200 bytes, each with an id of its own. */
async function publishTogether(bench: Bench, count: number): Promise<number> {
  const text = 't'.repeat(189)
  const start = performance.now()
  let published = 0
  const caller = async (): Promise<void> => {
    while (performance.now() - start < RUN_MS) {
      await post(bench, 'other', `line-${(bench.next += 1)}`, text)
      published += 1
    }
  }
  await Promise.all(Array.from({ length: count }, caller))
  return (published * 1000) / (performance.now() - start)
}
