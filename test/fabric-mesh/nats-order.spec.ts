/** Writes of one turn keep their order, also when the server that had them dies and each must be made again. */
import type { Mesh, MeshWorkspace } from 'dsh-fabric-mesh'
import { openNatsMesh } from 'dsh-fabric-mesh/nats'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Nats, startNats } from '../nats/server.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const by = 'narrator'
const numbers = Array.from({ length: 40 }, (_, index) => index + 1)

let nats: Nats
let mesh: Mesh
let workspace: MeshWorkspace
beforeEach(async () => {
  nats = await startNats()
  mesh = await openNatsMesh({ servers: nats.servers, replicas: 1 })
  workspace = mesh.workspace('workspace:inn')
  await workspace.topics.create({ id: 'scene', by })
  await workspace.mailboxes.create({ id: 'box', by })
  await workspace.topics.read('scene')
  await workspace.mailboxes.read('box')
})
afterEach(async () => {
  await mesh.close()
  await nats.stop()
})

/** All of it is lost, and the server comes back. */
async function lost<T>(write: () => Promise<T>): Promise<T> {
  const [node] = nats.nodes
  node?.hang()
  const writing = write()
  await new Promise((resolve) => setTimeout(resolve, 100))
  await node?.kill()
  await node?.start()
  return writing
}

it('publishes of one turn', async () => {
  const { topics } = workspace

  await lost(() => Promise.all(numbers.map((payload) => topics.publish('scene', { payload, by }))))

  expect((await topics.read('scene')).map(({ payload }) => payload)).toEqual(numbers)
})

it('letters of one turn, and a claim after them', async () => {
  const { mailboxes } = workspace
  const worker = { id: 'mara', secret: 'the secret of mara' }

  const claim = await lost(async () => {
    const sending = numbers.map((payload) => mailboxes.send('box', { payload, by }))
    const claiming = mailboxes.claim('box', worker)
    await Promise.all(sending)
    return claiming
  })

  expect(claim).toMatchObject({ message: { payload: 1 } })
  expect((await mailboxes.read('box')).map(({ payload }) => payload)).toEqual(numbers)
})

it('swaps of one turn, also of different keys', async () => {
  const { states } = workspace
  await states.compareAndSwap({ key: 'door', expectedVersion: 0, value: 0, by })

  await lost(() =>
    Promise.all(
      numbers.map((value) =>
        states.compareAndSwap({ key: `key-${value % 7}-${value}`, expectedVersion: 0, value, by }),
      ),
    ),
  )

  const changed: unknown[] = []
  for await (const change of states.watch('key-', {
    after: 0,
    signal: AbortSignal.timeout(20_000),
  })) {
    changed.push(change.kind === 'set' ? change.value : undefined)
    if (changed.length === numbers.length) break
  }
  expect(changed).toEqual(numbers)
})

it('writes to several places of one turn', async () => {
  const { mailboxes, states, topics } = workspace

  const [, message] = await lost(() =>
    Promise.all([
      mailboxes.send('box', { payload: 'first', by }),
      topics.publish('scene', { payload: 'second', by }),
      states.compareAndSwap({ key: 'third', expectedVersion: 0, value: 3, by }),
    ]),
  )

  expect(message).toMatchObject({ sequence: 1 })
  expect(await states.find('third')).toMatchObject({ value: 3 })
})
