/** What is stored against what the next operation costs: a million records beside none, snapshots, bytes written. */
import { readFileSync } from 'node:fs'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import {
  type Bench,
  by,
  claimAndSettle,
  figure,
  identity,
  publish,
  repeat,
  send,
  swap,
  timed,
} from './mesh-store.ts'
import { atMost, median, type Report } from './report.ts'

const ROUNDS = 200
const BEATS = 500
const PLACES = 20_000

interface Operation {
  readonly name: string
  readonly target: number
  readonly run: (bench: Bench, round: number) => Promise<unknown>
}

const operations: readonly Operation[] = [
  { name: 'publish', target: 1.6, run: (bench) => publish(bench, 'scene') },
  { name: 'CAS of one key', target: 1.6, run: (bench) => swap(bench, 7) },
  { name: 'CAS of any key', target: 3, run: (bench, round) => swap(bench, anyKey(bench, round)) },
  { name: 'send', target: 1.6, run: (bench) => send(bench, 'mara') },
  { name: 'claim and settle', target: 1.6, run: (bench) => claimAndSettle(bench, 'mara') },
  {
    name: 'read(100)',
    target: 1.6,
    run: ({ workspace }) => workspace.topics.read('scene', { after: 1 }),
  },
]

/** One after the other on both stores, so that what slows the machine slows both. */
export async function compareSizes(report: Report, small: Bench, big: Bench): Promise<void> {
  const times = operations.map(() => ({ few: Array<number>(), many: Array<number>() }))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { run }] of operations.entries()) {
      const both = [
        async () => times[index]?.few.push(await timed(() => run(small, round))),
        async () => times[index]?.many.push(await timed(() => run(big, round))),
      ]
      for (const each of round % 2 === 0 ? both : both.toReversed()) await each()
    }
  }
  for (const [index, { name, target }] of operations.entries()) {
    const { few = [], many = [] } = times[index] ?? {}
    report(figure(`${name} at 0 records`, median(few), 'ms'))
    const ratio = median(many) / median(few)
    report(atMost(figure(`${name} at 1,000,000 against 0`, ratio, 'times'), target))
  }
}

/** Of the same store: a mailbox in which 100,000 messages are settled, and one that never had any. */
export async function compareMailboxes(report: Report, bench: Bench): Promise<void> {
  const full: number[] = []
  const empty: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [mailbox, times] of [['mara', full] as const, ['empty', empty] as const]) {
      await send(bench, mailbox)
      times.push(await timed(() => claimAndSettle(bench, mailbox)))
    }
  }
  const ratio = figure(
    'claim and settle with 100,000 settled against none',
    median(full) / median(empty),
    'times',
  )
  report(atMost(ratio, 1.6))
}

export async function measureSnapshots(report: Report, big: Bench, path: string): Promise<void> {
  report(atMost(figure('snapshot(12) at 1,000,000 records', await snapshotMs(big), 'ms'), 1))

  const mesh = openSqliteMesh({ path })
  const workspace = mesh.workspace(identity)
  const wide = { ...big, mesh, workspace }
  await repeat(PLACES, (index) => workspace.topics.create({ id: `topic-${index}`, by }))
  await repeat(PLACES, (index) => workspace.mailboxes.create({ id: `box-${index}`, by }))
  await workspace.topics.create({ id: 'scene', by })
  const first = await timed(() => workspace.snapshot(12))
  report(figure('first snapshot(12), 20,000 topics and mailboxes', first, 'ms'))
  const next = figure('snapshot(12), 20,000 topics and mailboxes', await snapshotMs(wide), 'ms')
  report(atMost(next, 1))
  await mesh.close()
}

/** Each after a beat. */
async function snapshotMs(bench: Bench): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await publish(bench, 'scene')
    times.push(await timed(() => bench.workspace.snapshot(12)))
  }
  return median(times)
}

export async function countBytes(
  report: Report,
  bench: Bench,
  { when, most }: { readonly when: string; readonly most: number },
): Promise<void> {
  if (bytesWritten() === undefined) return
  const sums = new Map<string, number>()
  const count = async (name: string, work: () => Promise<unknown>) => {
    const before = bytesWritten() ?? 0
    await work()
    sums.set(name, (sums.get(name) ?? 0) + (bytesWritten() ?? 0) - before)
  }
  for (let beat = 0; beat < BEATS; beat += 1) {
    await count('send', () => send(bench, 'mara'))
    await count('publish', () => publish(bench, 'scene'))
    await count('claim+settle', () => claimAndSettle(bench, 'mara'))
    await count('CAS', () => swap(bench, 1 + (beat % 50)))
  }
  const per = (name: string) => (sums.get(name) ?? 0) / BEATS
  for (const name of sums.keys()) report(figure(`bytes written, ${name} ${when}`, per(name), 'B'))
  const beat = per('send') + per('publish') + per('claim+settle')
  report(atMost(figure(`bytes written, a beat ${when}`, beat, 'B'), most))
}

/** Checkpoints and all: every byte the process hands to the system. Linux only. */
export function bytesWritten(): number | undefined {
  try {
    return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
  } catch {
    return undefined // another system does not tell
  }
}

function anyKey({ keys }: Bench, round: number): number {
  return (round * 7919 + 13) % Math.max(keys, 1)
}
