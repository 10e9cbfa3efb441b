/** Several processes on one file, and processes that die while they write. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Mesh, MeshWorkspace } from 'dsh-fabric-mesh'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Acknowledged } from './process-work.ts'
import { author as by, workerNamed, workspaceIdentity } from './process-work.ts'
import { type Child, type ChildOptions, runTogether, startChild } from './processes.ts'
import { type SqliteBed, sqliteBed } from './sqlite-bed.ts'

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

function four(work: ChildOptions['work'], path = bed.path): readonly ChildOptions[] {
  return ['a', 'b', 'c', 'd'].map((name) => ({ path, work, name }))
}

/** All acknowledgements of a kind, of any child. */
function all<Kind extends Acknowledged['kind']>(children: readonly Child[], kind: Kind) {
  const every = children.flatMap((child) => child.acknowledged)
  return every.filter((one): one is Extract<Acknowledged, { kind: Kind }> => one.kind === kind)
}

describe('four processes on one store', () => {
  it('make it together, and lose no update of one key', async () => {
    const path = join(bed.folder, 'new', 'mesh.db')

    const children = await runTogether(four('increment', path))

    const made = openSqliteMesh({ path })
    const { states } = made.workspace(workspaceIdentity)
    expect(await states.find('count')).toMatchObject({ value: 100, version: 100 })
    await made.close()
    const versions = all(children, 'swapped').map((swap) => swap.version)
    expect(new Set(versions).size).toBe(100)
  })

  it('claim each message once, and oldest first', async () => {
    for (let index = 0; index < 120; index += 1) {
      await workspace.mailboxes.send('box', { payload: index, by, id: `${index}` })
    }

    const children = await runTogether(four('empty'))

    const claimed = all(children, 'claimed')
    expect(claimed).toHaveLength(120)
    expect(new Set(claimed.map((claim) => claim.id)).size).toBe(120)
    for (const child of children) {
      const order = all([child], 'claimed').map((claim) => Number(claim.id))
      expect(order).toEqual(order.toSorted((a, b) => a - b))
    }
    expect(await workspace.mailboxes.find('box')).toMatchObject({ completed: 120, queued: 0 })
  })

  it('take turns: none claims less than a third of what another does', async () => {
    const letters = Array.from({ length: 800 }, (_, index) =>
      workspace.mailboxes.send('box', { payload: index, by }),
    )
    await Promise.all(letters)

    const children = await runTogether(four('empty'))

    const counts = children.map((child) => all([child], 'claimed').length)
    expect(counts.reduce((sum, count) => sum + count)).toBe(800)
    expect(Math.min(...counts) / Math.max(...counts)).toBeGreaterThanOrEqual(0.3)
  })

  it('publish the same ids once each', async () => {
    const children = await runTogether(four('publish-same'))

    expect(all(children, 'published')).toHaveLength(160)
    const messages = await workspace.topics.read('scene', { limit: 500 })
    expect(messages.map((message) => message.sequence)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    )
    const sequences = new Map(messages.map((message) => [message.id, message.sequence]))
    for (const { id, sequence } of all(children, 'published')) {
      expect(sequences.get(id)).toBe(sequence)
    }
  })

  it('wake a watcher in a fifth', async () => {
    const { signal } = new AbortController()
    const seen: number[] = []
    const watching = (async () => {
      for await (const message of workspace.topics.watch('scene', { after: 0, signal })) {
        seen.push(message.sequence)
        if (seen.length === 40) return
      }
    })()

    await runTogether(four('publish-same'))
    await watching

    expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
  })
})

describe('a full disk', () => {
  it('is told to the caller; what was acknowledged is there, and the store goes on', async () => {
    const options = { path: bed.path, work: 'fill', name: 'a', largestFile: 400 } as const

    const child = await startChild(options)
    await child.run()

    expect(all([child], 'refused')).toEqual([{ kind: 'refused', code: 'store-unavailable' }])
    const published = all([child], 'published')
    expect(published.length).toBeGreaterThan(20)
    for (const { id, sequence } of published) {
      expect(await workspace.topics.findMessage('scene', id)).toMatchObject({ sequence })
    }
    expect(await workspace.topics.find('scene')).toMatchObject({ headSequence: published.length })
    expect(
      await workspace.topics.publish('scene', { payload: 'goes on', by, id: 'next' }),
    ).toMatchObject({ sequence: published.length + 1 })
  })
})

describe('processes killed at any moment', () => {
  it('lose nothing acknowledged, claim nothing twice, and leave a sound file', async () => {
    await mesh.close() // nobody else holds the file: a restart may find a log that only the dead wrote

    const dead = (await Promise.all(['a', 'b', 'c'].map((name) => fiveLives(name)))).flat()
    mesh = await bed.open()
    workspace = mesh.workspace(workspaceIdentity)

    expect(dead).toHaveLength(15)
    await expectPublished(all(dead, 'published'))
    await expectMail(dead)
    await expectCount(all(dead, 'swapped'))
    await mesh.close()
    expectSound()
  }, 90_000)
})

/** One worker, killed after some acknowledgement while it goes on with its work, and started again. */
async function fiveLives(name: string): Promise<readonly Child[]> {
  const lives: Child[] = []
  for (let life = 0; life < 5; life += 1) {
    const options = { path: bed.path, work: 'live-on', name: `${name}.${life}` } as const
    const child = await startChild(options)
    const last = 1 + Math.floor(Math.random() * 40)
    await child.run(() => {
      if (child.acknowledged.length === last) child.kill()
    })
    lives.push(child)
  }
  return lives
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
  for (const name of ['a', 'b', 'c']) {
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
