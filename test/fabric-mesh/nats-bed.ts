/** A mesh of its own name on a running server, for tests; its streams are removed with it. */
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { Mesh } from 'dsh-fabric-mesh'
import { type NatsMeshOptions, openNatsMesh } from 'dsh-fabric-mesh/nats'
import type { MeshBed } from '../contract/mesh.ts'
import type { Nats } from '../nats/server.ts'

let made = 0

export interface NatsBed extends MeshBed {
  readonly name: string
  open(options?: Partial<NatsMeshOptions>): Promise<Mesh>
}

export function natsBed(nats: Nats, replicas: number): NatsBed {
  made += 1
  const name = `bed-${process.pid}-${made}`
  const { servers } = nats
  return {
    name,
    open: (options) => openNatsMesh({ servers, name, replicas, ...options }),
    dispose: () => removeStreams(nats, name),
  }
}

async function removeStreams(nats: Nats, name: string): Promise<void> {
  const connection = await connect({ servers: Array.from(nats.servers) })
  const manager = await jetstreamManager(connection)
  const names: string[] = []
  for await (const stream of manager.streams.names(`${name}.>`)) names.push(stream)
  await Promise.all(names.map((stream) => manager.streams.delete(stream)))
  await connection.close()
}
