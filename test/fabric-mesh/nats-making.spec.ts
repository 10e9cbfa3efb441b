/** Several processes that come to a new workspace at once: each finds there what another is just making. */
import type { Mesh } from 'dsh-fabric-mesh'
import { openNatsMesh } from 'dsh-fabric-mesh/nats'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Nats, startCluster } from '../nats/server.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const by = 'narrator'
const ROUNDS = 4

let nats: Nats
/** Each connected to a server of its own. */
let meshes: readonly Mesh[] = []
beforeAll(async () => {
  nats = await startCluster()
  meshes = await openAll('making')
})
afterAll(async () => {
  await Promise.all(meshes.map((mesh) => mesh.close()))
  await nats.stop()
})

function openAll(name: string): Promise<readonly Mesh[]> {
  return Promise.all(nats.servers.map((server) => openNatsMesh({ servers: [server], name })))
}

/** In a new workspace each time, by all of them at once. */
async function together(
  title: string,
  task: (mesh: ReturnType<Mesh['workspace']>, index: number) => Promise<unknown>,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const workspaces = meshes.map((mesh) => mesh.workspace(`workspace:${title}-${round}`))
    await Promise.all(workspaces.map(task))
  }
}

it('a topic that all open at once is there for each of them', async () => {
  await together('topics', async ({ topics }, index) => {
    await topics.open({ id: 'scene', by })
    await topics.publish('scene', { payload: index, by })
    expect(await topics.read('scene')).not.toEqual([])
  })
})

it('a mailbox that all open at once is there for each of them', async () => {
  await together('mailboxes', async ({ mailboxes }, index) => {
    await mailboxes.open({ id: 'box', by })
    await mailboxes.send('box', { payload: index, by })
    expect(
      await mailboxes.claim('box', { id: `w${index}`, secret: 'the secret of a worker' }),
    ).toBeDefined()
  })
})

it('state that all write first at once is there for each of them', async () => {
  await together('states', async ({ states }, index) => {
    const key = `key-${index}`
    const swap = { key, expectedVersion: 0, value: index, by }
    expect(await states.compareAndSwap(swap)).toMatchObject({ status: 'swapped' })
    expect(await states.find(key)).toMatchObject({ value: index })
    expect(await states.list(key)).toHaveLength(1)
  })
})

it('a mesh that all open first at once opens for each of them', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const opened = await openAll(`new-${round}`)
    await Promise.all(opened.map((mesh) => mesh.close()))
  }
})
