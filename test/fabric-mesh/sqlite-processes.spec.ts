/** Several processes on one file. */
import { join } from 'node:path'
import type { Mesh, MeshWorkspace } from 'dsh-fabric-mesh'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { author as by, workspaceIdentity } from './process-work.ts'
import { type ChildOptions, all, runTogether, startChild } from './processes.ts'
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

it('two processes with one store see each other at once', async () => {
  await workspace.topics.create({ id: 'of-parent', by })
  const child = await startChild({ path: bed.path, work: 'meet', name: 'of-child' })
  const found: Promise<unknown>[] = []

  await child.run(({ acknowledged }) => {
    if (acknowledged.at(-1)?.kind === 'published') found.push(workspace.topics.find('of-child'))
  })

  expect(all([child], 'saw')).toEqual([{ kind: 'saw', id: 'of-parent' }])
  expect(await Promise.all(found)).toMatchObject([{ id: 'of-child' }])
})

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

  it('lose nothing of what each publishes', async () => {
    const children = await runTogether(four('publish-own'))

    const published = all(children, 'published')
    expect(published).toHaveLength(600)
    const stored: string[] = []
    for (;;) {
      const page = await workspace.topics.read('scene', { after: stored.length, limit: 500 })
      if (page.length === 0) break
      stored.push(...page.map((message) => message.id))
    }
    expect(stored).toHaveLength(600)
    for (const { id, sequence } of published) expect(stored[sequence - 1]).toBe(id)
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
