/** Real nats-servers on loopback for tests: one, or a cluster of three, that sync every write. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'

const START_MS = 20_000
const script = join(import.meta.dirname, 'nats-server.sh')

/** The path of a server's program; `old` is one that a mesh refuses. */
export function natsServer(kind: 'current' | 'old' = 'current'): string {
  return execFileSync(script, [kind], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()
}

export interface NatsNode {
  readonly name: string
  readonly url: string
  readonly port: number
  /** Resolves once it answers. */
  start(): Promise<void>
  /** It answers nothing until it is killed; what is sent to it is lost. */
  hang(): void
  /** As if the machine lost its power, but for what the disk holds. */
  kill(): Promise<void>
}

export interface Nats {
  readonly nodes: readonly NatsNode[]
  readonly servers: readonly string[]
  /** All end, and nothing of them is left. */
  stop(): Promise<void>
}

export interface NatsOptions {
  readonly program?: string
  /** More of the server's configuration. */
  readonly config?: string
  /** False: a server that syncs now and then only. */
  readonly sync?: boolean
  /** False: servers without JetStream. */
  readonly jetStream?: boolean
}

/** One server. */
export async function startNats(options: NatsOptions = {}): Promise<Nats> {
  const folder = mkdtempSync(join(tmpdir(), 'nats-'))
  const [port = 0] = await freePorts(1)
  const node = nodeOf({ folder, name: 'n1', port, options })
  return started([node], folder)
}

/** Three servers of one cluster; resolves once a stream of three replicas can be made. */
export async function startCluster(options: NatsOptions = {}): Promise<Nats> {
  const folder = mkdtempSync(join(tmpdir(), 'nats-'))
  const ports = await freePorts(6)
  const routePorts = ports.slice(3)
  const routes = routePorts.map((port) => `nats-route://127.0.0.1:${port}`).join(', ')
  const nodes = [0, 1, 2].map((index) => {
    const cluster = `cluster { name: tavern, listen: "127.0.0.1:${routePorts[index]}", routes: [${routes}] }`
    return nodeOf({ folder, name: `n${index + 1}`, port: ports[index] ?? 0, options, cluster })
  })
  const nats = await started(nodes, folder)
  await untilQuorum(nats)
  return nats
}

interface NodeFacts {
  readonly folder: string
  readonly name: string
  readonly port: number
  readonly options: NatsOptions
  readonly cluster?: string
}

async function started(
  nodes: readonly (NatsNode & { readonly end: () => void })[],
  folder: string,
): Promise<Nats> {
  const end = (): void => {
    for (const node of nodes) node.end()
  }
  process.once('exit', end)
  await Promise.all(nodes.map((node) => node.start()))
  return {
    nodes,
    servers: nodes.map(({ url }) => url),
    stop: async () => {
      process.off('exit', end)
      await Promise.all(nodes.map((node) => node.kill()))
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function nodeOf({ cluster = '', folder, name, options, port }: NodeFacts) {
  const path = join(folder, `${name}.conf`)
  const sync = options.sync === false ? '' : ', sync_interval: always'
  const store = `jetstream { store_dir: "${join(folder, name)}"${sync} }`
  const jetStream = options.jetStream === false ? '' : store
  writeFileSync(
    path,
    `server_name: ${name}\nlisten: "127.0.0.1:${port}"\n${jetStream}\n${cluster}\n${options.config ?? ''}\n`,
  )
  let child: ChildProcess | undefined
  return {
    name,
    port,
    url: `nats://127.0.0.1:${port}`,
    start: async () => {
      const log = join(folder, `${name}.log`)
      child = spawn(options.program ?? natsServer(), ['-c', path, '-l', log], { stdio: 'ignore' })
      await untilAnswers(port, child)
    },
    kill: async () => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
    hang: () => child?.kill('SIGSTOP'),
    end: () => child?.kill('SIGKILL'),
  }
}

/** The server's first line comes as soon as it listens. */
async function untilAnswers(port: number, child: ChildProcess): Promise<void> {
  const until = performance.now() + START_MS
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`nats-server ended with code ${child.exitCode}`)
    const { connect: dial } = await import('node:net')
    const answered = await new Promise<boolean>((resolve) => {
      const socket = dial(port, '127.0.0.1')
      socket.once('data', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
    if (answered) return
    await pause(20)
  }
  throw new Error(`nats-server did not answer on port ${port}`)
}

async function untilQuorum(nats: Nats): Promise<void> {
  const connection = await connect({ servers: Array.from(nats.servers) })
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 2000 })
  const until = performance.now() + START_MS
  const probe = { name: 'probe', subjects: ['probe'], num_replicas: 3 }
  for (;;) {
    try {
      await manager.streams.add(probe)
      await manager.streams.delete('probe')
      break
    } catch (error) {
      if (performance.now() >= until) throw error
      await pause(100)
    }
  }
  await connection.close()
}

export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => {
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  })
  await Promise.all(
    servers.map((server) => {
      const closed = once(server, 'close')
      server.close()
      return closed
    }),
  )
  return ports
}
