/** What tests ask of the servers beside the mesh: who leads a stream, whether every replica has everything. */
import { type JetStreamManager, jetstreamManager, type StreamInfo } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { Nats } from './server.ts'

export interface StreamWatch {
  readonly manager: JetStreamManager
  readonly name: string
  close(): Promise<void>
}

/** `name`: of the mesh. */
export async function watchStreams(nats: Nats, name: string): Promise<StreamWatch> {
  const servers = Array.from(nats.servers)
  const connection = await connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 100 })
  const manager = await jetstreamManager(connection, { timeout: 1000 })
  return { manager, name, close: () => connection.close() }
}

export async function streamsOf({ manager, name }: StreamWatch): Promise<readonly StreamInfo[]> {
  const found: StreamInfo[] = []
  for await (const info of manager.streams.list(`${name}.>`)) found.push(info)
  return found
}

export async function leaderOf(
  watch: StreamWatch,
  kind: 'topic' | 'mailbox' | 'states',
): Promise<string> {
  const letter = { topic: '-t-', mailbox: '-m-', states: '-s-' }[kind]
  return until(async () => {
    const streams = await streamsOf(watch)
    return streams.find(({ config }) => config.name.includes(letter))?.cluster?.leader
  })
}

/** Resolves once all replicas of all streams of the mesh are there and current. */
export async function untilCurrent(watch: StreamWatch): Promise<void> {
  await until(async () => {
    const streams = await streamsOf(watch)
    const replicas = streams.flatMap(({ cluster }) => cluster?.replicas ?? [])
    const led = streams.every(({ cluster }) => (cluster?.leader ?? '') !== '')
    return led && replicas.every(({ current, offline }) => current && !(offline ?? false))
      ? true
      : undefined
  })
}

async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await ask().catch(() => undefined) // no leader just now
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
