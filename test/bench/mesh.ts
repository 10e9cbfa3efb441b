/** The mesh: what 50,000 stored records cost the next operation, beside the host's JSON store; bytes written. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import Storage from '@deepseek-ai/dsh-storage'
import * as StorageDomain from '@deepseek-ai/dsh-storage-domain'
import * as StorageJson from '@deepseek-ai/dsh-storage-json'
import type { Mesh, MeshWorkspace, Worker } from 'dsh-fabric-mesh'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { z } from 'zod'
import { atLeast, atMost, type Figure, median, type Report } from './report.ts'

const STORED = 50_000
const ROUNDS = 150
const BEATS = 500
const worker: Worker = { id: 'mara', secret: 'the secret of mara' }
const by = 'narrator'

type Operation = 'publish' | 'CAS' | 'send' | 'claim+settle' | 'read(100)'

export async function meshBench(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mesh-bench-'))
  try {
    const small = await openStore(join(folder, 'small.db'), 200)
    const big = await openStore(join(folder, 'big.db'), STORED)
    await compareSizes(report, small, big)
    await countBytes(report, small, 'at 0')
    await countBytes(report, big, 'at 50,000')
    await groupCommit(report, small)
    const publishMs = await medianOf('publish', small)
    await small.mesh.close()
    await big.mesh.close()
    await compareJsonStore(report, folder, publishMs)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Bench {
  readonly mesh: Mesh
  readonly workspace: MeshWorkspace
  /** Makes ids that no other operation has. */
  next: number
}

function figure(name: string, value: number, unit: string): Omit<Figure, 'target' | 'ok'> {
  return { area: 'mesh', name, value, unit }
}

/** A store with `count` records: topic messages, settled mail and state changes. */
async function openStore(path: string, count: number): Promise<Bench> {
  const mesh = openSqliteMesh({ path })
  const workspace = mesh.workspace('workspace:bench')
  const bench: Bench = { mesh, workspace, next: 1 }
  for (const id of ['scene', 'other']) await workspace.topics.create({ id, by })
  for (const id of ['mara', 'ivo']) await workspace.mailboxes.create({ id, by })
  for (let stored = 0; stored < count; stored += 500) {
    const batch = Array.from({ length: Math.min(500, count - stored) }, (_, index) =>
      store(bench, index),
    )
    await Promise.all(batch)
  }
  return bench
}

async function store(bench: Bench, index: number): Promise<void> {
  if (index % 4 === 0) await send(bench, 'ivo')
  else if (index % 4 === 1) await swap(bench, `key-${bench.next}`)
  else await publish(bench, index % 4 === 2 ? 'scene' : 'other')
}

async function publish(bench: Bench, topic: string): Promise<number> {
  const id = `beat-${(bench.next += 1)}`
  const post = { payload: { text: 't'.repeat(480) }, by, id, cause: id }
  return (await bench.workspace.topics.publish(topic, post)).sequence
}

async function send(bench: Bench, mailbox: string): Promise<void> {
  const id = `cue-${(bench.next += 1)}`
  await bench.workspace.mailboxes.send(mailbox, { payload: { text: 'c'.repeat(340) }, by, id })
}

async function swap(bench: Bench, key: string): Promise<void> {
  const { states } = bench.workspace
  const expectedVersion = (await states.find(key))?.version ?? 0
  await states.compareAndSwap({ key, expectedVersion, value: { held: 'v'.repeat(90) }, by })
}

async function claimAndSettle(bench: Bench): Promise<void> {
  const { mailboxes } = bench.workspace
  const claim = await mailboxes.claim('mara', worker)
  if (claim === undefined) throw new Error('the bench found nothing to claim')
  const outcome = { status: 'completed', result: { sequence: 1 } } as const
  await mailboxes.settle('mara', claim.message.id, { token: claim.token, outcome })
}

const operations: Readonly<Record<Operation, (bench: Bench) => Promise<unknown>>> = {
  publish: (bench) => publish(bench, 'scene'),
  CAS: (bench) => swap(bench, `key-${1 + (bench.next % 50)}`),
  send: (bench) => send(bench, 'mara'),
  'claim+settle': claimAndSettle,
  'read(100)': (bench) => bench.workspace.topics.read('scene', { after: 1 }),
}

/** Milliseconds. */
async function timed(operation: Operation, bench: Bench): Promise<number> {
  const start = performance.now()
  await operations[operation](bench)
  return performance.now() - start
}

/** One after the other on both stores, so that what slows the machine slows both. */
async function compareSizes(report: Report, small: Bench, big: Bench): Promise<void> {
  const measured = ['publish', 'CAS', 'send', 'claim+settle', 'read(100)'] as const
  const times = new Map(
    measured.map((operation) => [operation, { few: Array<number>(), many: Array<number>() }]),
  )
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [operation, { few, many }] of times) {
      if (round % 2 === 0) few.push(await timed(operation, small))
      many.push(await timed(operation, big))
      if (round % 2 === 1) few.push(await timed(operation, small))
    }
  }
  for (const [operation, { few, many }] of times) {
    report(figure(`${operation} at 0 records`, median(few), 'ms'))
    const ratio = median(many) / median(few)
    report(atMost(figure(`${operation} at 50,000 against 0`, ratio, 'times'), 1.5))
  }
}

async function medianOf(operation: Operation, bench: Bench): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(operation, bench))
  return median(times)
}

/** 64 callers at once share commits. */
async function groupCommit(report: Report, bench: Bench): Promise<void> {
  const start = performance.now()
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 64 }, () => publish(bench, 'other')))
  }
  const perSecond = (20 * 64 * 1000) / (performance.now() - start)
  report(figure('durable publishes, 64 callers at once', perSecond, 'per s'))
}

/** Checkpoints and all: every byte the process hands to the system. Linux only. */
function bytesWritten(): number | undefined {
  try {
    return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
  } catch {
    return undefined // another system does not tell
  }
}

async function countBytes(report: Report, bench: Bench, when: string): Promise<void> {
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
    await count('claim+settle', () => claimAndSettle(bench))
    await count('CAS', () => swap(bench, `key-${1 + (beat % 50)}`))
  }
  const per = (name: string) => (sums.get(name) ?? 0) / BEATS
  for (const name of sums.keys()) report(figure(`bytes written, ${name} ${when}`, per(name), 'B'))
  const beat = per('send') + per('publish') + per('claim+settle')
  report(atMost(figure(`bytes written, a beat ${when}`, beat, 'B'), 14_000))
}

/** One put per publish, as the host's stores do it. */
async function compareJsonStore(report: Report, folder: string, publishMs: number): Promise<void> {
  for (const stored of [0, 1000, 10_000]) {
    const json = await jsonStore(join(folder, `json-${stored}`), stored)
    const rounds = stored > 1000 ? 15 : 40
    const before = bytesWritten() ?? 0
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now()
      await json.put(`new-${round}`)
      times.push(performance.now() - start)
    }
    const bytes = ((bytesWritten() ?? 0) - before) / rounds
    await json.close()
    const shown = stored.toLocaleString('en')
    report(figure(`host's JSON store, one put at ${shown}`, median(times), 'ms'))
    report(figure(`host's JSON store, bytes per put at ${shown}`, bytes, 'B'))
    const faster = figure(
      `publish against that put at ${shown}`,
      median(times) / publishMs,
      'times',
    )
    report(stored === 10_000 ? atLeast(faster, 10) : faster)
  }
}

const message = z.object({ topicId: z.string(), payload: z.object({ text: z.string() }) })
type Message = z.infer<typeof message>

function messageOf(text: string): Message {
  return { topicId: 'scene', payload: { text } }
}

async function jsonStore(root: string, stored: number) {
  const records = Array.from({ length: stored }, (_, index) => [
    `old-${index}`,
    messageOf('t'.repeat(480)),
  ])
  const document = {
    unit: { name: 'bench', version: 1 },
    global: null,
    tables: { messages: Object.fromEntries(records) },
  }
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, 'bench.json'), `${JSON.stringify(document, null, 2)}\n`)

  const ctx = new Context()
  await ctx.plugin(Storage)
  await ctx.plugin(StorageJson, { root })
  await ctx.plugin(StorageDomain, { backend: 'json' })
  const tables = { messages: StorageDomain.domainTable<string, Message>(message) }
  const domain = await ctx.storageDomain.open(
    StorageDomain.defineDomain({ name: 'bench', version: 1, tables }),
  )
  return {
    put: (id: string) => domain.table('messages').put(id, messageOf('t'.repeat(480))),
    close: async () => {
      await domain.close()
      await ctx.fiber.dispose()
    },
  }
}
