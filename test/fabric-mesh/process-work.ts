/** What a child process of the tests does to a shared store; started by `process-child.ts`, told by its arguments. */
import { writeSync } from 'node:fs'
import type { Claim, MeshWorkspace, Worker } from 'dsh-fabric-mesh'

/** One acknowledged operation: what the store promised to keep. */
export type Acknowledged =
  | { readonly kind: 'sent'; readonly id: string; readonly sequence: number }
  | { readonly kind: 'published'; readonly id: string; readonly sequence: number }
  | { readonly kind: 'swapped'; readonly version: number; readonly value: number }
  | {
      readonly kind: 'claimed'
      readonly id: string
      readonly attempt: number
      readonly token: string
    }
  | {
      readonly kind: 'settled'
      readonly id: string
      readonly token: string
      readonly result: number
    }
  | { readonly kind: 'saw'; readonly id: string }
  | { readonly kind: 'refused'; readonly code: string }

export const workspaceIdentity = 'workspace:shared'
export const author = 'child'

export function workerNamed(name: string): Worker {
  return { id: name, secret: `the secret of worker ${name}` }
}

/** Written at once and in one piece: a killed child has reported what it was promised, up to its last promise. */
export function report(acknowledged: Acknowledged): void {
  writeSync(1, `${JSON.stringify(acknowledged)}\n`)
}

/** Adds one to the key `count` until it has won `wins` times. */
export async function increment(workspace: MeshWorkspace, wins: number): Promise<void> {
  for (let won = 0; won < wins;) {
    const current = await workspace.states.find('count')
    const value = Number(current?.value ?? 0) + 1
    const swap = await workspace.states.compareAndSwap({
      key: 'count',
      expectedVersion: current?.version ?? 0,
      value,
      by: author,
    })
    if (swap.status !== 'swapped') continue
    won += 1
    report({ kind: 'swapped', version: swap.record.version, value })
  }
}

/** Claims and settles until nothing is queued. */
export async function empty(workspace: MeshWorkspace, worker: Worker): Promise<void> {
  for (;;) {
    const claim = await workspace.mailboxes.claim('box', worker)
    if (claim === undefined) return
    reportClaim(claim)
    await settle(workspace, claim)
  }
}

/** Publishes the same ids as everybody else. */
export async function publishSame(workspace: MeshWorkspace, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await publish(workspace, `same-${index}`)
}

/** Publishes ids that nobody else has. */
export async function publishOwn(
  workspace: MeshWorkspace,
  name: string,
  count: number,
): Promise<void> {
  for (let index = 0; index < count; index += 1) await publish(workspace, `${name}-${index}`)
}

/** Sees the topic of whoever started it, and makes one of its own. */
export async function meet(workspace: MeshWorkspace, name: string): Promise<void> {
  const found = await workspace.topics.find('of-parent')
  if (found !== undefined) report({ kind: 'saw', id: found.id })
  const { id, headSequence } = await workspace.topics.create({ id: name, by: author })
  report({ kind: 'published', id, sequence: headSequence })
}

/** First finishes what an earlier life of this worker left, then does one of everything, for ever. */
export async function liveOn(
  workspace: MeshWorkspace,
  worker: Worker,
  life: string,
): Promise<void> {
  for (const claim of await workspace.mailboxes.claimsOf('box', worker)) {
    await settle(workspace, claim)
  }
  for (let index = 0; ; index += 1) {
    const id = `${life}-${index}`
    const post = { payload: { text: 'x'.repeat(300) }, by: author, id }
    const sent = await workspace.mailboxes.send('box', post)
    report({ kind: 'sent', id, sequence: sent.sequence })
    const claim = await workspace.mailboxes.claim('box', worker)
    if (claim !== undefined) reportClaim(claim)
    await publish(workspace, id)
    await increment(workspace, 1)
    if (claim !== undefined && index % 3 !== 2) await settle(workspace, claim)
  }
}

/** Publishes until the store refuses. */
export async function fill(workspace: MeshWorkspace): Promise<void> {
  for (let index = 0; ; index += 1) {
    try {
      await publish(workspace, `fill-${index}`)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      report({ kind: 'refused', code })
      return
    }
  }
}

async function publish(workspace: MeshWorkspace, id: string): Promise<void> {
  const payload = { id, text: 'y'.repeat(400) }
  const message = await workspace.topics.publish('scene', { payload, by: author, id })
  report({ kind: 'published', id, sequence: message.sequence })
}

async function settle(workspace: MeshWorkspace, claim: Claim): Promise<void> {
  const { id, sequence: result } = claim.message
  const { token } = claim
  const outcome = { status: 'completed', result } as const
  await workspace.mailboxes.settle('box', id, { token, outcome })
  report({ kind: 'settled', id, token, result })
}

function reportClaim({ message, token }: Claim): void {
  report({ kind: 'claimed', id: message.id, attempt: message.attempts, token })
}
