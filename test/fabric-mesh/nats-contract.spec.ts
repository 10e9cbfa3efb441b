/** The NATS engine keeps the contract of the mesh, on one server and on three. */
import { afterAll, beforeAll, describe, vi } from 'vitest'
import { meshContract } from '../contract/mesh.ts'
import { type Nats, startCluster, startNats } from '../nats/server.ts'
import { natsBed } from './nats-bed.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const beds = [
  { name: 'NATS, one server', replicas: 1, start: startNats },
  { name: 'NATS, three servers', replicas: 3, start: startCluster },
]

describe.each(beds)('on real servers: $name', ({ name, replicas, start }) => {
  let nats: Nats
  beforeAll(async () => {
    nats = await start()
  })
  afterAll(() => nats.stop())

  meshContract(name, async () => natsBed(nats, replicas))
})
