/** Several processes that come to a new workspace at once: each finds there what another is just making. */
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { Mesh } from 'dsh-fabric-mesh'
import { openNatsMesh } from 'dsh-fabric-mesh/nats'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { withCode } from '../contract/mesh.ts'
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
    expect(opened).toHaveLength(nats.servers.length)
    await Promise.all(opened.map((mesh) => mesh.close()))
  }
})

it('a topic whose stream was removed by hand is gone, though that is not believed at once', async () => {
  const mesh = await openNatsMesh({ servers: nats.servers, name: 'removed' })
  const { topics } = mesh.workspace('workspace:inn')
  await topics.open({ id: 'scene', by })
  await topics.publish('scene', { payload: 1, by })

  await removeTopics('removed')

  await expect(topics.read('scene')).rejects.toMatchObject(withCode('not-found'))
  await topics.open({ id: 'scene', by })
  expect(await topics.publish('scene', { payload: 2, by })).toMatchObject({ sequence: 1 })
  await mesh.close()
})

async function removeTopics(mesh: string): Promise<void> {
  const connection = await connect({ servers: Array.from(nats.servers) })
  const { streams } = await jetstreamManager(connection)
  for await (const name of streams.names()) {
    if (name.startsWith(`${mesh}-`) && name.includes('-t-')) await streams.delete(name)
  }
  await connection.close()
}
