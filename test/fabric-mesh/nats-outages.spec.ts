/** Answers that never arrive, and a network that is down for half a minute: nothing is lost, nothing happens twice. */
import type { Mesh, MeshWorkspace, Worker } from 'dsh-fabric-mesh'
import { type NatsMeshOptions, openNatsMesh } from 'dsh-fabric-mesh/nats'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { withCode } from '../contract/mesh.ts'
import { type Proxy, startProxy } from '../nats/proxy.ts'
import { type Nats, startNats } from '../nats/server.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

const OUTAGE_MS = 30_000
const by = 'narrator'
const mara: Worker = { id: 'mara', secret: 'the secret of mara' }
const done = { status: 'completed', result: 1 } as const

let nats: Nats
let made = 0
beforeAll(async () => {
  nats = await startNats()
})
afterAll(() => nats.stop())

/** A mesh behind a proxy, another beside it. */
let proxy: Proxy
let behind: Mesh
let beside: Mesh
let workspace: MeshWorkspace
let elsewhere: MeshWorkspace
beforeEach(async () => {
  made += 1
  proxy = await startProxy(nats.nodes[0]?.port ?? 0)
  const open = (servers: readonly string[], more: Partial<NatsMeshOptions> = {}) =>
    openNatsMesh({ servers, name: `outage-${made}`, replicas: 1, ...more })
  behind = await open([proxy.url])
  beside = await open(nats.servers)
  workspace = behind.workspace('workspace:inn')
  elsewhere = beside.workspace('workspace:inn')
  await workspace.topics.create({ id: 'scene', by })
  await workspace.mailboxes.create({ id: 'box', by })
})
afterEach(async () => {
  await Promise.all([behind.close(), beside.close()])
  await proxy.close()
})

/** An acknowledgement of a write, as the server sends it. */
const isAcknowledgement = (body: string): boolean => /"stream":"[^"]+", ?"seq":\d+/.test(body)

it('a publish whose answer is lost is found, not made twice', async () => {
  const swallowed = proxy.swallow(isAcknowledgement)

  const message = await workspace.topics.publish('scene', { payload: 1, by })

  await swallowed
  expect(message).toMatchObject({ sequence: 1 })
  expect(await elsewhere.topics.read('scene')).toEqual([message])
})

it('a publish at a head whose answer is lost is its own, not a conflict', async () => {
  const swallowed = proxy.swallow(isAcknowledgement)

  const published = await workspace.topics.publishAt('scene', { payload: 1, by, expectedHead: 0 })

  await swallowed
  expect(published).toMatchObject({ status: 'published', replayed: false })
})

it('a swap whose answer is lost has won once, though another writer swapped since', async () => {
  const swap = { key: 'door', by }
  const swallowed = proxy.swallow(isAcknowledgement)

  const first = workspace.states.compareAndSwap({ ...swap, expectedVersion: 0, value: 1 })
  await swallowed
  const second = await elsewhere.states.compareAndSwap({ ...swap, expectedVersion: 1, value: 2 })

  expect(second).toMatchObject({ status: 'swapped', record: { version: 2 } })
  expect(await first).toMatchObject({ status: 'swapped', replayed: false, record: { version: 1 } })
  expect(await elsewhere.states.history('door')).toHaveLength(2)
})

it('a send, a claim and a settlement whose answers are lost happen once', async () => {
  const { mailboxes } = workspace
  let swallowed = proxy.swallow(isAcknowledgement)
  await mailboxes.send('box', { payload: 1, by, id: 'cue' })
  await swallowed
  await mailboxes.send('box', { payload: 2, by, id: 'other' })

  swallowed = proxy.swallow(isAcknowledgement)
  const claim = await mailboxes.claim('box', mara)
  await swallowed
  expect(claim).toMatchObject({ message: { id: 'cue', attempts: 1 } })
  expect(await elsewhere.mailboxes.find('box')).toMatchObject({ claimed: 1, queued: 1 })

  swallowed = proxy.swallow(isAcknowledgement)
  const settled = await mailboxes.settle('box', 'cue', { token: claim?.token ?? '', outcome: done })
  await swallowed
  expect(settled).toMatchObject({ status: 'completed', result: 1 })
  expect(await elsewhere.mailboxes.find('box')).toMatchObject({ completed: 1, queued: 1 })
})

it('a claim issued before an outage survives it, and so does the knowledge of whose it is', async () => {
  await elsewhere.mailboxes.send('box', { payload: 1, by, id: 'cue' })
  const claim = await workspace.mailboxes.claim('box', mara)

  expect(await elsewhere.mailboxes.claimsOf('box', mara)).toEqual([claim])
})

it('patience ends: an operation then fails, and says which servers', async () => {
  const impatient = await openNatsMesh({
    servers: [proxy.url],
    name: `outage-${made}`,
    replicas: 1,
    patienceMs: 1500,
  })
  const { topics } = impatient.workspace('workspace:inn')
  await topics.read('scene')
  proxy.freeze()

  const publishing = topics.publish('scene', { payload: 1, by })

  await expect(publishing).rejects.toMatchObject(withCode('store-unavailable'))
  await expect(publishing).rejects.toThrow(proxy.url)
  proxy.thaw()
  await impatient.close()
})

it('every call and watch that waits survives a network that is down for 30 seconds', async () => {
  const controller = new AbortController()
  const { signal } = controller
  const seen: unknown[] = []
  const changed: unknown[] = []
  const watching = (async () => {
    for await (const { payload } of workspace.topics.watch('scene', { after: 0, signal })) {
      seen.push(payload)
      if (payload === 'last') break
    }
  })()
  const following = (async () => {
    for await (const { sequence } of workspace.states.watch('', { after: 0, signal })) {
      changed.push(sequence)
      if (sequence === 2) break
    }
  })()
  await workspace.topics.publish('scene', { payload: 'first', by })
  await workspace.states.compareAndSwap({ key: 'door', expectedVersion: 0, value: 1, by })
  const claiming = workspace.mailboxes.claimNext('box', mara, signal)
  await workspace.mailboxes.find('box')

  proxy.freeze()
  const publishing = workspace.topics.publish('scene', { payload: 'during', by, id: 'during' })
  const swapping = workspace.states.compareAndSwap({
    key: 'lamp',
    expectedVersion: 0,
    value: 1,
    by,
  })
  await elsewhere.mailboxes.send('box', { payload: 'cue', by })
  await elsewhere.topics.publish('scene', { payload: 'beside', by })
  await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS))
  const thawedAt = performance.now()
  proxy.thaw()

  expect(await publishing).toMatchObject({ id: 'during' })
  expect(await swapping).toMatchObject({ status: 'swapped', record: { version: 1 } })
  expect(await claiming).toMatchObject({ message: { payload: 'cue', attempts: 1 } })
  await elsewhere.topics.publish('scene', { payload: 'last', by })
  await Promise.all([watching, following])
  console.info(
    '30 s without a network: all went on after',
    Math.round(performance.now() - thawedAt),
    'ms',
  )
  expect(seen).toEqual(['first', 'beside', 'during', 'last'])
  expect(changed).toEqual([1, 2])
  expect((await elsewhere.topics.read('scene')).map(({ payload }) => payload)).toEqual(seen)
  expect(await elsewhere.mailboxes.find('box')).toMatchObject({ claimed: 1, queued: 0 })
})
