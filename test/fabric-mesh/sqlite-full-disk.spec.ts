/** A small file system of its own, filled to the last block: what a mesh says, keeps, and does once there is room again. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mesh, MeshWorkspace } from 'dsh-fabric-mesh'
import { openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { by, identity, mara } from './sqlite-bed.ts'

const DISK_BYTES = 16 * 1024 * 1024
/** Left free by the filler: enough for some commits. */
const ROOM_BYTES = 768 * 1024

const folder = mkdtempSync(join(tmpdir(), 'mesh-disk-'))
const mount = join(folder, 'disk')
const filler = join(mount, 'filler')

/** Undefined where this user may mount nothing; CI may, so there it fails. */
const whyNot = attach()

function attach(): string | undefined {
  const image = join(folder, 'image')
  try {
    writeFileSync(image, '')
    truncateSync(image, DISK_BYTES)
    mkdirSync(mount)
    execFileSync('mkfs.ext4', ['-q', '-m', '0', image], { stdio: 'pipe' })
    execFileSync('mount', ['-o', 'loop', image, mount], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    return String(error)
  }
}

function free(): number {
  const { bavail, bsize } = statfsSync(mount)
  return bavail * bsize
}

describe.skipIf(whyNot !== undefined && process.env['CI'] === undefined)('a full disk', () => {
  let mesh: Mesh
  let workspace: MeshWorkspace
  beforeAll(() => {
    if (whyNot !== undefined) throw new Error(whyNot)
    mesh = openSqliteMesh({ path: join(mount, 'mesh.db') })
    workspace = mesh.workspace(identity)
  })
  afterAll(async () => {
    await mesh?.close()
    if (whyNot === undefined) execFileSync('umount', [mount])
    rmSync(folder, { recursive: true, force: true })
  })

  it('is told, loses nothing acknowledged, and is over when there is room again', async () => {
    const { topics, mailboxes, states } = workspace
    await topics.create({ id: 'scene', by })
    await mailboxes.create({ id: 'box', by })
    await mailboxes.send('box', { payload: 'cue', by, id: 'cue' })
    const claim = await mailboxes.claim('box', mara)
    await states.compareAndSwap({ key: 'door', expectedVersion: 0, value: 'open', by })
    writeFileSync(filler, Buffer.alloc(free() - ROOM_BYTES, 1))

    const acknowledged: string[] = []
    const refusal = await publishUntilRefused(acknowledged)

    expect(acknowledged.length).toBeGreaterThan(20)
    expect(refusal).toMatchObject({ name: 'MeshError', code: 'store-unavailable' })
    expect(String(refusal)).toMatch(/mesh\.db' is not available: .*full/)
    await expectAll(acknowledged)
    const opening = () => openSqliteMesh({ path: join(mount, 'another.db'), patienceMs: 100 })
    expect(opening).toThrow(expect.objectContaining({ code: 'store-unavailable' }))

    rmSync(filler)
    const after = await topics.publish('scene', { payload: 'goes on', by, id: 'after' })
    expect(after.sequence).toBe(acknowledged.length + 1)
    const outcome = { status: 'completed', result: 1 } as const
    const settled = await mailboxes.settle('box', 'cue', { token: claim?.token ?? '', outcome })
    expect(settled).toMatchObject(outcome)

    await mesh.close()
    mesh = openSqliteMesh({ path: join(mount, 'mesh.db') })
    workspace = mesh.workspace(identity)
    await expectAll([...acknowledged, 'after'])
    expect(await workspace.states.find('door')).toMatchObject({ value: 'open', version: 1 })
    expect((await mesh.check()).findings).toEqual([])
  }, 120_000)

  async function publishUntilRefused(acknowledged: string[]): Promise<unknown> {
    for (let beat = 1; beat < 100_000; beat += 1) {
      const id = `beat-${beat}`
      try {
        await workspace.topics.publish('scene', { payload: 'x'.repeat(2000), by, id })
      } catch (error) {
        return error
      }
      acknowledged.push(id)
    }
    throw new Error('the disk was never full')
  }

  async function expectAll(ids: readonly string[]): Promise<void> {
    const stored: string[] = []
    for (let after = 0; ; after = stored.length) {
      const page = await workspace.topics.read('scene', { after, limit: 500 })
      if (page.length === 0) break
      stored.push(...page.map(({ id }) => id))
    }
    expect(stored).toEqual(ids)
  }
})
