/** Who waits on a mailbox while the server refuses, or while its log is damaged: told, never left waiting. */
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Mesh, MeshWorkspace, Worker } from 'dsh-fabric-mesh'
import { openNatsMesh } from 'dsh-fabric-mesh/nats'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { withCode } from '../contract/mesh.ts'
import { startProxy } from '../nats/proxy.ts'
import { type Nats, startNats } from '../nats/server.ts'
import { streamsOf, type StreamWatch, watchStreams } from '../nats/streams.ts'

vi.setConfig({ testTimeout: 20_000, hookTimeout: 60_000 })

const MOST_CONSUMERS = 3
const by = 'narrator'
const mara: Worker = { id: 'mara', secret: 'the secret of mara' }
const done = { status: 'completed', result: 1 } as const
const { signal } = new AbortController()

let nats: Nats
let made = 0
beforeAll(async () => {
  const account = `jetstream { max_consumers: ${MOST_CONSUMERS} }, users: [{ user: a, password: a }]`
  nats = await startNats({ config: `accounts { A { ${account} } }\nno_auth_user: a` })
})
afterAll(() => nats.stop())

let connection: NatsConnection
let streams: StreamWatch
let mesh: Mesh
let beside: Mesh
let workspace: MeshWorkspace
let elsewhere: MeshWorkspace
beforeEach(async () => {
  made += 1
  const options = { servers: nats.servers, name: `wait-${made}`, replicas: 1 }
  connection = await connect({ servers: Array.from(nats.servers) })
  streams = await watchStreams(nats, `wait-${made}`)
  mesh = await openNatsMesh(options)
  beside = await openNatsMesh(options)
  workspace = mesh.workspace('workspace:inn')
  elsewhere = beside.workspace('workspace:inn')
  await workspace.mailboxes.create({ id: 'box', by })
  await workspace.mailboxes.send('box', { payload: 1, by, id: 'cue-1' })
})
afterEach(async () => {
  await Promise.all([mesh.close(), beside.close(), streams.close(), connection.close()])
})

async function mailboxStream() {
  const all = await streamsOf(streams)
  const { config } = all.find(({ config: { name } }) => name.includes('-m-')) ?? {}
  return { name: config?.name ?? '', root: (config?.subjects[0] ?? '').replace('.>', '') }
}

/** As many as the server allows; returns how to take them away. */
async function takeAllConsumers(): Promise<() => Promise<void>> {
  const { name } = await mailboxStream()
  const { consumers } = await jetstreamManager(connection)
  const names = Array.from({ length: MOST_CONSUMERS }, (_, index) => `other-${index}`)
  for (const each of names) await consumers.add(name, { durable_name: each, ack_policy: 'none' })
  return async () => {
    for (const each of names) await consumers.delete(name, each)
  }
}

it('each who waits is told that the server refuses to push, and waits again once it does not', async () => {
  const giveBack = await takeAllConsumers()
  const { mailboxes } = workspace
  const unavailable = withCode('store-unavailable')
  await expect(mailboxes.whenSettled('box', 'cue-1', signal)).rejects.toMatchObject(unavailable)
  await expect(mailboxes.whenSettled('box', 'cue-1', signal)).rejects.toMatchObject(unavailable)

  await giveBack()
  const settled = mailboxes.whenSettled('box', 'cue-1', signal)
  const claim = await elsewhere.mailboxes.claim('box', mara)
  await elsewhere.mailboxes.settle('box', 'cue-1', { token: claim?.token ?? '', outcome: done })

  expect(await settled).toMatchObject(done)
})

it('who waits when a damaged record comes is told, as is who comes later', async () => {
  const { mailboxes } = workspace
  const { root } = await mailboxStream()
  const invalid = withCode('store-invalid')
  const waiting = mailboxes.whenSettled('box', 'cue-1', signal)
  const told = waiting.catch((error: unknown) => error)
  await vi.waitFor(async () => {
    const [stream] = (await streamsOf(streams)).filter(({ config }) => config.name.includes('-m-'))
    expect(stream?.state.consumer_count).toBe(1)
  })

  connection.publish(`${root}.l.damaged`, '{')

  expect(await told).toMatchObject(invalid)
  await expect(mailboxes.whenSettled('box', 'cue-1', signal)).rejects.toMatchObject(invalid)
  await expect(mailboxes.claimNext('box', mara, signal)).rejects.toMatchObject(invalid)
})

it('a mailbox that could not be read at first is read again', async () => {
  const proxy = await startProxy(nats.nodes[0]?.port ?? 0)
  const options = { servers: [proxy.url], name: `wait-${made}`, replicas: 1, patienceMs: 500 }
  const behind = await openNatsMesh(options)
  const { mailboxes } = behind.workspace('workspace:inn')
  const swallowed = proxy.swallow((body) => body.includes('no message found'))
  await expect(mailboxes.find('box')).rejects.toMatchObject(withCode('store-unavailable'))
  await swallowed

  expect(await mailboxes.find('box')).toMatchObject({ queued: 1 })
  await behind.close()
  await proxy.close()
})

it('a change refused by what cannot be seen ends with its patience, and the next one looks again', async () => {
  const options = { servers: nats.servers, name: `wait-${made}`, replicas: 1, patienceMs: 500 }
  const impatient = await openNatsMesh(options)
  const { states } = impatient.workspace('workspace:inn')
  const swap = { key: 'door', by, value: 1 }
  await states.compareAndSwap({ ...swap, expectedVersion: 0 })
  const stored = (await streamsOf(streams)).find(({ config: { name } }) => name.includes('-s-'))
  await streams.manager.streams.purge(stored?.config.name ?? '')

  const refused = states.compareAndSwap({ ...swap, expectedVersion: 1 })

  await expect(refused).rejects.toMatchObject(withCode('store-unavailable'))
  const next = await states.compareAndSwap({ ...swap, expectedVersion: 0 })
  expect(next).toMatchObject({ status: 'swapped', record: { version: 1 } })
  await impatient.close()
})
