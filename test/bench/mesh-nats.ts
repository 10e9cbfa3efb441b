/** The mesh on NATS, one server and three: each operation beside the raw client's calls for the same records, in turns. */
import {
  type JetStreamClient,
  jetstream,
  type JetStreamManager,
  jetstreamManager,
} from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Mesh, MeshWorkspace, Worker } from 'dsh-fabric-mesh'
import { openNatsMesh } from 'dsh-fabric-mesh/nats'
import { type Nats, startCluster, startNats } from '../nats/server.ts'
import { atLeast, figuresOf, median, type Report } from './report.ts'

const figure = figuresOf('nats')
const ROUNDS = 150
const BATCHES = 20
const IN_FLIGHT = 64
const TARGET = 0.8
const by = 'narrator'
const worker: Worker = { id: 'mara', secret: 'the secret of mara' }
const done = { status: 'completed', result: { sequence: 1 } } as const
const payload = { text: 't'.repeat(200) }
/** As large as what the mesh stores for the payload. */
const body = new TextEncoder().encode(JSON.stringify({ payload, beside: 'b'.repeat(150) }))
const command = new TextEncoder().encode('c'.repeat(180))

export async function natsBench(report: Report): Promise<void> {
  const kinds = [
    { where: 'one server', replicas: 1, start: startNats },
    { where: 'three servers', replicas: 3, start: startCluster },
  ]
  for (const { replicas, start, where } of kinds) {
    const nats = await start()
    try {
      await compare(report, where, await openBench(nats, replicas))
    } finally {
      await nats.stop()
    }
  }
}

interface Bench {
  readonly mesh: Mesh
  readonly workspace: MeshWorkspace
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  /** Makes ids that no other operation has. */
  next: number
}

/** What one does through the mesh, and what it takes of the client alone. */
interface Pair {
  readonly ours: (lane: number) => Promise<unknown>
  readonly raw: (lane: number) => Promise<unknown>
  readonly before?: (count: number) => Promise<unknown>
}

async function openBench(nats: Nats, replicas: number): Promise<Bench> {
  const servers = Array.from(nats.servers)
  const mesh = await openNatsMesh({ servers, replicas })
  const workspace = mesh.workspace('workspace:bench')
  await workspace.topics.create({ id: 'scene', by })
  await workspace.mailboxes.create({ id: 'mara', by })
  const connection = await connect({ servers, noAsyncTraces: true })
  const client = jetstream(connection)
  const manager = await jetstreamManager(connection)
  for (const name of ['topic', 'mail', 'keys']) {
    const config = { name, subjects: [`raw.${name}.>`], num_replicas: replicas, allow_direct: true }
    await manager.streams.add(config)
  }
  return { mesh, workspace, connection, client, manager, next: 1 }
}

async function compare(report: Report, where: string, bench: Bench): Promise<void> {
  for (const [name, pair] of Object.entries(pairsOf(bench))) {
    await pair.before?.(ROUNDS * 2 + BATCHES * 2 * IN_FLIGHT)
    const alone = await inTurns(pair, ROUNDS, (act) => act(0))
    report(figure(`${name}, ${where}`, 1000 / alone.ours, 'per s'))
    report(atLeast(figure(`${name}, ${where}, against raw`, alone.ratio, 'times'), TARGET))
    const many = await inTurns(pair, BATCHES, (act) =>
      Promise.all(Array.from({ length: IN_FLIGHT }, (_, lane) => act(lane))),
    )
    const perSecond = (1000 * IN_FLIGHT) / many.ours
    report(figure(`${name}, ${where}, 64 at once`, perSecond, 'per s'))
    report(
      atLeast(figure(`${name}, ${where}, 64 at once, against raw`, many.ratio, 'times'), TARGET),
    )
  }
  await bench.mesh.close()
  await bench.connection.close()
}

/** Ours in milliseconds, and how much longer the client alone took in the same turn: what slows the machine slows both. */
async function inTurns(
  pair: Pair,
  rounds: number,
  run: (act: Pair['ours']) => Promise<unknown>,
): Promise<{ readonly ours: number; readonly ratio: number }> {
  const ours: number[] = []
  const raw: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const order = [
      { times: ours, act: pair.ours },
      { times: raw, act: pair.raw },
    ] as const
    for (const { act, times } of round % 2 === 0 ? order : order.toReversed()) {
      const start = performance.now()
      await run(act)
      times.push(performance.now() - start)
    }
  }
  const ratios = ours.map((each, index) => (raw[index] ?? Number.NaN) / each)
  return { ours: median(ours), ratio: median(ratios) }
}

function pairsOf(bench: Bench): Readonly<Record<string, Pair>> {
  const { client, manager } = bench
  const { mailboxes, states, topics } = bench.workspace
  const id = (): string => `id-${(bench.next += 1)}`
  const once = (subject: string, data: Uint8Array) =>
    client.publish(subject, data, { expect: { lastSubjectSequence: 0 } })
  const keys = keysOf(bench)
  return {
    publish: {
      ours: () => topics.publish('scene', { payload, by, id: id() }),
      raw: () => once(`raw.topic.${id()}`, body),
    },
    'tail 100': {
      ours: () => topics.tail('scene', { limit: 100 }),
      raw: async () => {
        const { state } = await manager.streams.info('topic')
        const seq = state.last_seq - 99
        const found: unknown[] = []
        const messages = await manager.direct.getBatch('topic', { seq, batch: 100 })
        for await (const message of messages)
          found.push(JSON.parse(new TextDecoder().decode(message.data)))
        return found
      },
    },
    'get and swap': {
      ours: async (lane) => {
        const key = `own-${lane}`
        const expectedVersion = (await states.find(key))?.version ?? 0
        return states.compareAndSwap({ key, expectedVersion, value: payload, by })
      },
      raw: async (lane) => {
        const subject = `raw.keys.get-${lane}`
        const found = await manager.streams.getMessage('keys', { last_by_subj: subject })
        JSON.parse(found === null ? 'null' : new TextDecoder().decode(found.data))
        const lastSubjectSequence = found?.seq ?? 0
        return client.publish(subject, body, { expect: { lastSubjectSequence } })
      },
    },
    swap: { ours: keys.ours, raw: keys.raw },
    send: {
      ours: () => mailboxes.send('mara', { payload, by, id: id() }),
      raw: () => once(`raw.mail.l.${id()}`, body),
    },
    'claim and settle': {
      before: async (count) => {
        for (let sent = 0; sent < count; sent += IN_FLIGHT) {
          const letters = Array.from({ length: IN_FLIGHT }, () => ({ payload, by, id: id() }))
          await Promise.all(letters.map((letter) => mailboxes.send('mara', letter)))
        }
      },
      ours: async () => {
        const claim = await mailboxes.claim('mara', worker)
        if (claim === undefined) throw new Error('the bench found nothing to claim')
        const { message, token } = claim
        return mailboxes.settle('mara', message.id, { token, outcome: done })
      },
      raw: async () => {
        await once(`raw.mail.c.${id()}`, command)
        return once(`raw.mail.s.${id()}`, body)
      },
    },
  }
}

/** Swaps of a key whose version the writer knows. */
function keysOf({ client, workspace }: Bench): Pick<Pair, 'ours' | 'raw'> {
  const versions = new Map<number, number>()
  const sequences = new Map<number, number>()
  return {
    ours: async (lane) => {
      const expectedVersion = versions.get(lane) ?? 0
      const swap = { key: `known-${lane}`, expectedVersion, value: payload, by }
      const swapped = await workspace.states.compareAndSwap(swap)
      if (swapped.status === 'swapped') versions.set(lane, swapped.record.version)
    },
    raw: async (lane) => {
      const lastSubjectSequence = sequences.get(lane) ?? 0
      const expect = { lastSubjectSequence }
      sequences.set(lane, (await client.publish(`raw.keys.known-${lane}`, body, { expect })).seq)
    },
  }
}
