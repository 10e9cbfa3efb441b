/** A mesh store for the bench: filled in big batches, and the operations that are measured on it. */
import type { Mesh, MeshWorkspace, Worker } from 'dsh-fabric-mesh'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { type Figure, figuresOf } from './report.ts'

export const by = 'narrator'
export const worker: Worker = { id: 'mara', secret: 'the secret of mara' }
export const identity = 'workspace:bench'

const AT_ONCE = 2000

export interface Bench {
  readonly mesh: Mesh
  readonly workspace: MeshWorkspace
  /** How many state keys there are. */
  readonly keys: number
  /** Makes ids that no other operation has. */
  next: number
}

export const figure: (name: string, value: number, unit: string) => Figure = figuresOf('mesh')

/** Half topic messages, a tenth settled mail, a tenth queued mail, the rest state keys. */
export async function openStore(path: string, records: number): Promise<Bench> {
  const mesh = openSqliteMesh({ path })
  const workspace = mesh.workspace(identity)
  const keys = records * 0.3
  const bench: Bench = { mesh, workspace, keys, next: 1 }
  for (const id of ['scene', 'other']) await workspace.topics.create({ id, by })
  for (const id of ['mara', 'ivo', 'empty']) await workspace.mailboxes.create({ id, by })
  const text = 't'.repeat(189)
  await repeat(records / 2, (index) =>
    post(bench, index % 2 === 0 ? 'scene' : 'other', `old-${index}`, text),
  )
  await repeat(records / 10, (index) => sendTo(bench, 'ivo', `old-${index}`))
  await repeat(records / 10, (index) => sendTo(bench, 'mara', `old-${index}`))
  await repeat(records / 10, () => claimAndSettle(bench, 'mara'))
  await repeat(keys, (index) => create(bench, index))
  return bench
}

/** Calls of one turn share a commit. */
export async function repeat(
  count: number,
  run: (index: number) => Promise<unknown>,
): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) {
    const batch = Math.min(AT_ONCE, count - done)
    await Promise.all(Array.from({ length: batch }, (_, index) => run(done + index)))
  }
}

export function post(bench: Bench, topic: string, id: string, text: string): Promise<unknown> {
  return bench.workspace.topics.publish(topic, { payload: { text }, by, id })
}

/** A beat of a scene. */
export async function publish(bench: Bench, topic: string): Promise<void> {
  const id = `beat-${(bench.next += 1)}`
  const beat = { payload: { text: 't'.repeat(480) }, by, id, cause: id }
  await bench.workspace.topics.publish(topic, beat)
}

export function send(bench: Bench, mailbox: string): Promise<void> {
  return sendTo(bench, mailbox, `cue-${(bench.next += 1)}`)
}

async function sendTo(bench: Bench, mailbox: string, id: string): Promise<void> {
  await bench.workspace.mailboxes.send(mailbox, { payload: { text: 'c'.repeat(340) }, by, id })
}

export async function swap(bench: Bench, index: number): Promise<void> {
  const { states } = bench.workspace
  const key = `key-${index}`
  const expectedVersion = (await states.find(key))?.version ?? 0
  await states.compareAndSwap({ key, expectedVersion, value: { held: 'v'.repeat(90) }, by })
}

async function create(bench: Bench, index: number): Promise<void> {
  const value = { held: 'v'.repeat(90) }
  const swapped = { key: `key-${index}`, expectedVersion: 0, value, by }
  await bench.workspace.states.compareAndSwap(swapped)
}

export async function claimAndSettle(bench: Bench, mailbox: string): Promise<void> {
  const { mailboxes } = bench.workspace
  const claim = await mailboxes.claim(mailbox, worker)
  if (claim === undefined) throw new Error('the bench found nothing to claim')
  const outcome = { status: 'completed', result: { sequence: 1 } } as const
  await mailboxes.settle(mailbox, claim.message.id, { token: claim.token, outcome })
}

/** Milliseconds. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}
