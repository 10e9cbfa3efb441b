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

/** All per second, a figure a round. */
export interface DiskRates {
  readonly probes: readonly number[]
  readonly callers: readonly {
    readonly count: number
    readonly target: number
    readonly published: readonly number[]
    readonly ratios: readonly number[]
  }[]
}

/** Of the process that calls it. */
export async function measureDisk(folder: string, bench: Bench): Promise<DiskRates> {
  const file = openSync(join(folder, 'probe'), 'a')
  const probes: number[] = []
  const rates = callers.map((caller) => ({
    ...caller,
    published: Array<number>(),
    ratios: Array<number>(),
  }))
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { count, published, ratios } of rates) {
        const before = probe(file)
        const rate = await publishTogether(bench, count)
        const disk = (before + probe(file)) / 2
        probes.push(disk)
        published.push(rate)
        ratios.push(rate / disk)
      }
    }
  } finally {
    closeSync(file)
  }
  return { probes, callers: rates }
}

export function reportDisk(report: Report, rates: DiskRates): void {
  const disk = median(rates.probes)
  report(figure('the disk: 4 KiB appended and fdatasync', disk, 'per s'))
  for (const { count, target, published, ratios } of rates.callers) {
    const who = count === 1 ? 'alone' : `${count} callers`
    report(figure(`durable publishes, ${who}`, median(published), 'per s'))
    const against = figure(`durable publishes against fdatasyncs, ${who}`, median(ratios), 'times')
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
