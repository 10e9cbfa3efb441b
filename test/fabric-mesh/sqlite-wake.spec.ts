/** How a watcher hears of another process's commit: by that process's word, and should it die first, a second later. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type SqliteMeshOptions, openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  leavePeerFolder,
  makePeerFolder,
  peerFolder,
} from '../../packages/dsh-fabric-mesh/src/sqlite/peer-folder.ts'
import { Ear, Wake } from '../../packages/dsh-fabric-mesh/src/sqlite/wake.ts'
import { author, workspaceIdentity } from './process-work.ts'
import { startChild } from './processes.ts'
import { type SqliteBed, sqliteBed } from './sqlite-bed.ts'

const peers = vi.hoisted(() => ({ findEachOther: true }))
vi.mock('../../packages/dsh-fabric-mesh/src/sqlite/peer-folder.ts', async (original) => {
  const real = await original<{ peerFolder: (path: string) => string | undefined }>()
  const find = (path: string) => (peers.findEachOther ? real.peerFolder(path) : undefined)
  return { ...real, peerFolder: find }
})

const by = 'narrator'
let bed: SqliteBed
beforeEach(() => {
  peers.findEachOther = true
  bed = sqliteBed()
})
afterEach(async () => {
  vi.useRealTimers()
  await bed.dispose()
})

/** One opening watches a topic, another publishes to it; the timers stand still. */
async function watchedFromElsewhere() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const meshes = [await bed.open(), await bed.open()] as const
  const [here, there] = meshes.map((mesh) => mesh.workspace('workspace:inn').topics)
  if (here === undefined || there === undefined) throw new Error('two were opened')
  await here.create({ id: 'scene', by })
  const { signal } = new AbortController()
  const watch = here.watch('scene', { after: 0, signal })[Symbol.asyncIterator]()
  const heard = watch.next()
  await here.read('scene') // by now the watch has read, found nothing, and waits
  const publish = () => there.publish('scene', { payload: 1, by })
  const close = () => Promise.all(meshes.map((mesh) => mesh.close()))
  return { heard, publish, close }
}

function folder(): string {
  return `${bed.path}-peers`
}

async function use(options: Partial<SqliteMeshOptions> = {}) {
  const mesh = openSqliteMesh({ path: bed.path, ...options })
  const { topics } = mesh.workspace(workspaceIdentity)
  await topics.open({ id: 'scene', by })
  await topics.publish('scene', { payload: 1, by })
  return mesh
}

describe('a watcher', () => {
  it('hears of a commit by the word of who made it alone', async () => {
    const { heard, publish, close } = await watchedFromElsewhere()

    await publish()

    expect((await heard).value).toMatchObject({ sequence: 1 })
    await close()
  })

  it('hears by the timer of a commit that nobody tells of', async () => {
    peers.findEachOther = false
    const { heard, publish, close } = await watchedFromElsewhere()

    await publish()
    vi.advanceTimersByTime(1000)

    expect((await heard).value).toMatchObject({ sequence: 1 })
    await close()
  })

  it('does not miss a commit between a read and the wait that follows', async () => {
    const wake = new Wake()
    const ear = new Ear(wake, 7, new AbortController().signal)

    wake.ring(new Set([7]))
    await ear.wait()
    ear.close()
    wake.ring(new Set([7]))

    const again = Symbol('still waiting')
    expect(await Promise.race([ear.wait(), Promise.resolve(again)])).toBe(again)
  })

  it('is known from the first to the last', () => {
    const told: boolean[] = []
    const wake = new Wake((watched) => told.push(watched))
    const { signal } = new AbortController()

    const ears = [1, 1, 2].map((place) => new Ear(wake, place, signal))
    for (const ear of [...ears, ...ears]) ear.close()

    expect(told).toEqual([true, false])
  })
})

describe('processes that find each other', () => {
  it('leave nothing behind', async () => {
    const meshes = [await use(), await use()]
    await vi.waitFor(() => expect(readdirSync(folder())).toHaveLength(2))

    await Promise.all(meshes.map((mesh) => mesh.close()))

    expect(readdirSync(bed.folder)).toEqual(['mesh.db'])
  })

  it('open no socket before they write or watch', async () => {
    await (await use()).close()
    const mesh = openSqliteMesh({ path: bed.path })

    await mesh.workspace(workspaceIdentity).topics.find('scene')

    expect(existsSync(folder())).toBe(false)
    await mesh.close()
  })

  it('clear away the sockets of the dead', async () => {
    const mesh = await use()
    await mesh.workspace(workspaceIdentity).mailboxes.create({ id: 'box', by: author })
    await mesh.close()
    const child = await startChild({ path: bed.path, work: 'live-on', name: 'a.0' })
    await child.run(() => {
      if (child.acknowledged.length >= 20 && readdirSync(folder()).length > 0) child.kill()
    })
    const dead = readdirSync(folder())

    const next = await use()
    await vi.waitFor(() => expect(readdirSync(folder())).not.toEqual(expect.arrayContaining(dead)))

    expect(dead).toHaveLength(1)
    await next.close()
    expect(readdirSync(bed.folder)).toEqual(['mesh.db'])
  })

  it('meet in the folder for temporary files when the path of the store is long', async () => {
    const long = join(bed.folder, 'l'.repeat(90))
    const path = join(long, 'mesh.db')
    await openSqliteMesh({ path }).close()

    const met = peerFolder(path)

    expect(met?.startsWith(long)).toBe(false)
    expect(met).toBe(peerFolder(path))
    await openSqliteMesh({ path: bed.path }).close()
    expect(peerFolder(bed.path)).toBe(folder())
  })

  it('use no folder that others may enter', () => {
    const open = join(bed.folder, 'open')
    mkdirSync(open, { mode: 0o755 })

    expect(() => makePeerFolder(open)).toThrow('only this user')
    makePeerFolder(folder())
    leavePeerFolder(folder())
    expect(existsSync(folder())).toBe(false)
    rmSync(open, { recursive: true })
  })
})
