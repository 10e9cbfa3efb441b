/** Processes that die while they write. */
import { DatabaseSync } from 'node:sqlite'
import type { Mesh, MeshWorkspace } from 'dsh-fabric-mesh'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBun, isRequired } from './bun.ts'
import { author as by, workerNamed, workspaceIdentity } from './process-work.ts'
import { type Child, all, startChild } from './processes.ts'
import { type SqliteBed, sqliteBed } from './sqlite-bed.ts'

const names = ['a', 'b', 'c', 'd']
const runtimes = [
  { name: 'Node', runtime: process.execPath },
  { name: 'Bun', runtime: findBun() },
]

let bed: SqliteBed
let mesh: Mesh
let workspace: MeshWorkspace
beforeEach(async () => {
  bed = sqliteBed()
  mesh = await bed.open()
  workspace = mesh.workspace(workspaceIdentity)
  await workspace.topics.create({ id: 'scene', by })
  await workspace.mailboxes.create({ id: 'box', by })
})
afterEach(async () => {
  await mesh.close()
  await bed.dispose()
})

describe.each(runtimes)('200 processes of $name, killed at any moment', ({ runtime }) => {
  it.skipIf(runtime === undefined && !isRequired)(
    'lose nothing acknowledged, claim nothing twice, and leave a sound file',
    async () => {
      if (runtime === undefined) throw new Error('there is no bun on the path')
      await mesh.close() // nobody else holds the file: a restart may find a log that only the dead wrote

      const dead = (await Promise.all(names.map((name) => lives(name, runtime)))).flat()
      mesh = await bed.open()
      workspace = mesh.workspace(workspaceIdentity)

      expect(dead).toHaveLength(200)
      await expectPublished(all(dead, 'published'))
      await expectMail(dead)
      await expectCount(all(dead, 'swapped'))
      await mesh.close()
      expectSound()
    },
    240_000,
  )
})

/** One worker, killed after some acknowledgement while it goes on with its work, and started again. */
async function lives(name: string, runtime: string): Promise<readonly Child[]> {
  const ended: Child[] = []
  for (let life = 0; life < 200 / names.length; life += 1) {
    const options = { path: bed.path, work: 'live-on', name: `${name}.${life}`, runtime } as const
    const child = await startChild(options)
    const last = 1 + Math.floor(Math.random() * 20)
    await child.run(() => {
      if (child.acknowledged.length === last) child.kill()
    })
    ended.push(child)
  }
  return ended
}

async function expectPublished(published: readonly { id: string; sequence: number }[]) {
  const { topics } = workspace
  for (const { id, sequence } of published) {
    expect(await topics.findMessage('scene', id)).toMatchObject({ id, sequence })
  }
  const stored: number[] = []
  for (;;) {
    const page = await topics.read('scene', { after: stored.at(-1) ?? 0, limit: 500 })
    if (page.length === 0) break
    stored.push(...page.map((message) => message.sequence))
  }
  expect(stored).toEqual(Array.from({ length: stored.length }, (_, index) => index + 1))
}

async function expectMail(dead: readonly Child[]) {
  const { mailboxes } = workspace
  for (const { id, sequence } of all(dead, 'sent')) {
    expect(await mailboxes.findMessage('box', id)).toMatchObject({ sequence })
  }
  const claims = all(dead, 'claimed').map((claim) => `${claim.id} ${claim.attempt}`)
  expect(new Set(claims).size).toBe(claims.length)
  for (const { id, token, result } of all(dead, 'settled')) {
    const outcome = { status: 'failed', error: 'another outcome' } as const
    const settled = await mailboxes.settle('box', id, { token, outcome })
    expect(settled).toMatchObject({ status: 'completed', result })
  }
  await expectHeld(dead)
}

/** A claim that was not settled is still its worker's, with the token it had. */
async function expectHeld(dead: readonly Child[]) {
  const { mailboxes } = workspace
  const held = new Map<string, string>()
  for (const name of names) {
    for (const { message, token } of await mailboxes.claimsOf('box', workerNamed(name))) {
      held.set(message.id, token)
    }
  }
  for (const { id, token } of all(dead, 'claimed')) {
    const message = await mailboxes.findMessage('box', id)
    if (message?.status === 'completed') continue
    expect(held.get(id)).toBe(token)
  }
  const record = await mailboxes.find('box')
  const settled = (record?.completed ?? 0) + (record?.failed ?? 0)
  expect(record?.claimed).toBe(held.size)
  expect(settled + (record?.claimed ?? 0) + (record?.queued ?? 0)).toBe(record?.headSequence)
}

async function expectCount(swaps: readonly { version: number; value: number }[]) {
  const count = await workspace.states.find('count')
  expect(count?.value).toBe(count?.version)
  expect(Number(count?.value)).toBeGreaterThanOrEqual(swaps.length)
  expect(new Set(swaps.map((swap) => swap.version)).size).toBe(swaps.length)
}

function expectSound() {
  const database = new DatabaseSync(bed.path)
  const check = database.prepare('PRAGMA integrity_check').all()
  database.close()
  expect(check).toEqual([{ integrity_check: 'ok' }])
}
