/** The log of a mailbox in NATS: checkpoints, what is removed from it, and processes that missed the removal. */
import type { Mesh, MeshWorkspace, Worker } from 'dsh-fabric-mesh'
import { type NatsMeshOptions, openNatsMesh } from 'dsh-fabric-mesh/nats'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { withCode } from '../contract/mesh.ts'
import { type Proxy, startProxy } from '../nats/proxy.ts'
import { type Nats, startNats } from '../nats/server.ts'
import { streamsOf, type StreamWatch, watchStreams } from '../nats/streams.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const by = 'narrator'
const mara: Worker = { id: 'mara', secret: 'the secret of mara' }
const done = { status: 'completed', result: 1 } as const
const MINUTES = 60_000

let nats: Nats
let streams: StreamWatch
let made = 0
beforeAll(async () => {
  nats = await startNats()
})
afterAll(() => nats.stop())

let clock: number
let meshes: Mesh[]
let proxy: Proxy
beforeEach(async () => {
  made += 1
  clock = 1_700_000_000_000
  meshes = []
  streams = await watchStreams(nats, `log-${made}`)
  proxy = await startProxy(nats.nodes[0]?.port ?? 0)
})
afterEach(async () => {
  await Promise.all(meshes.map((mesh) => mesh.close()))
  await streams.close()
  await proxy.close()
})

async function opened(
  servers: readonly string[] = nats.servers,
  more: Partial<NatsMeshOptions> = {},
): Promise<MeshWorkspace> {
  const options = { servers, name: `log-${made}`, replicas: 1, now: () => clock, ...more }
  const mesh = await openNatsMesh(options)
  meshes.push(mesh)
  return mesh.workspace('workspace:inn')
}

async function send({ mailboxes }: MeshWorkspace, from: number, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const id = `cue-${from + index}`
      return mailboxes.send('box', { payload: from + index, by, id })
    }),
  )
}

async function work({ mailboxes }: MeshWorkspace, count: number): Promise<readonly string[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const claim = await mailboxes.claim('box', mara)
      const { id = '' } = claim?.message ?? {}
      await mailboxes.settle('box', id, { token: claim?.token ?? '', outcome: done })
      return claim?.token ?? ''
    }),
  )
}

/** How many messages each kind of subject of the mailbox has. */
async function held(): Promise<Readonly<Record<string, number>>> {
  const box = (await streamsOf(streams)).find(({ config }) => config.name.includes('-m-'))
  const name = box?.config.name ?? ''
  const info = await streams.manager.streams.info(name, { subjects_filter: '>' })
  const counts: Record<string, number> = {}
  for (const [subject, count] of Object.entries(info.state.subjects ?? {})) {
    const kind = subject.split('.')[4] ?? ''
    counts[kind] = (counts[kind] ?? 0) + count
  }
  return counts
}

it('checkpoints bound what a cold start reads; old commands go, what they did stays', async () => {
  const workspace = await opened()
  await workspace.mailboxes.create({ id: 'box', by })
  await send(workspace, 1, 800)
  const tokens = await work(workspace, 700)
  await vi.waitFor(async () => expect((await held())['k']).toBe(1), { timeout: 10_000 })
  expect(await held()).toMatchObject({ l: 800, c: 700, s: 700 })

  clock += 11 * MINUTES
  await send(workspace, 801, 1300)
  await work(workspace, 500)
  await vi.waitFor(async () => expect((await held())['k']).toBe(1), { timeout: 10_000 })

  const after = await held()
  expect(after).toMatchObject({ l: 2100, s: 1200 })
  expect(after['c']).toBeLessThan(1200)
  const { mailboxes } = await opened()
  expect(await mailboxes.find('box')).toMatchObject({ completed: 1200, queued: 900, claimed: 0 })
  expect(await mailboxes.claim('box', mara)).toMatchObject({ message: { payload: 1201 } })
  const outcome = { status: 'failed', error: 'again' } as const
  const again = await mailboxes.settle('box', 'cue-1', { token: tokens[0] ?? '', outcome })
  expect(again).toMatchObject(done)
})

it('a process that missed what was removed goes on from the checkpoint', async () => {
  const workspace = await opened()
  const late = await opened([proxy.url])
  await workspace.mailboxes.create({ id: 'box', by })
  await send(workspace, 1, 300)
  await work(workspace, 200)
  const claim = await late.mailboxes.claim('box', mara)
  expect(claim).toMatchObject({ message: { payload: 201 } })

  proxy.freeze()
  await work(workspace, 50)
  expect(await workspace.mailboxes.prune('box', 10)).toEqual({ deleted: 240, retained: 10 })
  await send(workspace, 301, 5)
  proxy.thaw()

  expect(await late.mailboxes.find('box')).toMatchObject({ completed: 10, queued: 54, claimed: 1 })
  expect(await late.mailboxes.claim('box', mara)).toMatchObject({ message: { payload: 252 } })
  const settled = await late.mailboxes.settle('box', 'cue-201', {
    token: claim?.token ?? '',
    outcome: done,
  })
  expect(settled).toMatchObject({ status: 'completed', payload: 201 })
  expect((await late.mailboxes.read('box', { limit: 12 })).map(({ payload }) => payload)).toEqual([
    201, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252,
  ])
  expect(await held()).toMatchObject({ l: 65, s: 11 })
})

it('two prunes at once remove each message once', { repeats: 4 }, async () => {
  const workspace = await opened()
  const other = await opened()
  await workspace.mailboxes.create({ id: 'box', by })
  await send(workspace, 1, 60)
  await work(workspace, 50)

  const pruned = await Promise.all([
    workspace.mailboxes.prune('box', 5),
    other.mailboxes.prune('box', 5),
  ])

  expect(pruned.map(({ deleted }) => deleted).toSorted((a, b) => a - b)).toEqual([0, 45])
  expect(await other.mailboxes.find('box')).toMatchObject({ completed: 5, queued: 10 })
  expect(await other.mailboxes.read('box')).toHaveLength(15)
  expect(await held()).toMatchObject({ l: 15, s: 5 })
})

it('what a prune that was cut short left is removed by the next, though it has nothing to delete', async () => {
  const workspace = await opened()
  const short = await opened([proxy.url], { patienceMs: 500 })
  await workspace.mailboxes.create({ id: 'box', by })
  await send(workspace, 1, 60)
  await work(workspace, 50)
  expect(await short.mailboxes.find('box')).toMatchObject({ completed: 50 })
  const swallowed = proxy.swallow((body) => /"stream":"[^"]+", ?"seq":\d+/.test(body))
  const cut = short.mailboxes.prune('box', 5).catch((error: unknown) => error)
  await swallowed
  proxy.freeze()
  expect(await cut).toMatchObject(withCode('store-unavailable'))
  expect(await held()).toMatchObject({ l: 60, s: 50 })

  expect(await workspace.mailboxes.prune('box', 5)).toEqual({ deleted: 0, retained: 5 })

  expect(await held()).toMatchObject({ l: 15, s: 5 })
  proxy.thaw()
})

it('a message sent anew under the id of a pruned one is settled by whoever has its token', async () => {
  const workspace = await opened()
  const other = await opened()
  const { mailboxes } = workspace
  await mailboxes.create({ id: 'box', by })
  await mailboxes.send('box', { payload: 'old', by, id: 'cue-1' })
  await work(workspace, 1)
  expect(await mailboxes.prune('box', 0)).toEqual({ deleted: 1, retained: 0 })
  await mailboxes.send('box', { payload: 'new', by, id: 'cue-1' })
  const claim = await other.mailboxes.claim('box', mara)

  const token = claim?.token ?? ''
  const settled = await mailboxes.settle('box', 'cue-1', { token, outcome: done })

  expect(settled).toMatchObject({ payload: 'new', status: 'completed' })
})

it('who waits for a message that is settled and pruned meanwhile is told that it is not there', async () => {
  const workspace = await opened()
  const late = await opened([proxy.url])
  await workspace.mailboxes.create({ id: 'box', by })
  await send(workspace, 1, 1)
  const { signal } = new AbortController()
  const waiting = late.mailboxes.whenSettled('box', 'cue-1', signal)
  const told = waiting.catch((error: unknown) => error)
  await vi.waitFor(async () => {
    const [box] = (await streamsOf(streams)).filter(({ config }) => config.name.includes('-m-'))
    expect(box?.state.consumer_count).toBe(1)
  })

  proxy.freeze()
  await work(workspace, 1)
  expect(await workspace.mailboxes.prune('box', 0)).toEqual({ deleted: 1, retained: 0 })
  proxy.thaw()

  expect(await told).toMatchObject(withCode('not-found'))
})
