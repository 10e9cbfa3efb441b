/** Machines with addresses of their own: network namespaces on one bridge, which can be cut off and killed one by one. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { natsServer } from '../nats/server.ts'

export interface NetMachine {
  readonly name: string
  readonly address: string
  /** Runs a command on this machine. */
  readonly prefix: readonly string[]
  /** No packet comes or goes until healed. */
  cut(): void
  heal(): void
}

export interface Net {
  readonly machines: readonly NetMachine[]
  /** Everything of it is gone: namespaces, links, servers. */
  close(): Promise<void>
}

const ip = (...args: string[]) =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Why no namespaces can be made here; undefined when they can. */
export function whyNoNamespaces(): string | undefined {
  const probe = `tavern-probe-${process.pid}`
  try {
    ip('netns', 'add', probe)
    ip('netns', 'del', probe)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error)
  }
}

let count = 0

/** As many machines as names, in one network that nothing else is in. */
export function openNet(names: readonly string[]): Net {
  count += 1
  const own = `tv${process.pid % 100_000}x${count}`
  const hub = `${own}-hub`
  const spaces = [hub, ...names.map((name) => `${own}-${name}`)]
  for (const space of spaces) {
    ip('netns', 'add', space)
    ip('-n', space, 'link', 'set', 'lo', 'up')
  }
  ip('-n', hub, 'link', 'add', 'bridge', 'type', 'bridge')
  ip('-n', hub, 'link', 'set', 'bridge', 'up')
  const machines = names.map((name, index) => connected(hub, `${own}-${name}`, { name, index }))
  return {
    machines,
    close: async () => {
      for (const space of spaces) ip('netns', 'del', space)
    },
  }
}

function connected(
  hub: string,
  space: string,
  { name, index }: { readonly name: string; readonly index: number },
): NetMachine {
  const address = `10.77.0.${index + 1}`
  const port = `port${index}`
  ip('-n', hub, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
  ip('-n', hub, 'link', 'set', port, 'master', 'bridge')
  ip('-n', hub, 'link', 'set', port, 'up')
  ip('-n', space, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
  ip('-n', space, 'link', 'set', 'eth0', 'up')
  return {
    name,
    address,
    prefix: ['ip', 'netns', 'exec', space],
    cut: () => void ip('-n', hub, 'link', 'set', port, 'down'),
    heal: () => void ip('-n', hub, 'link', 'set', port, 'up'),
  }
}

export interface NetServer {
  readonly name: string
  readonly url: string
  /** Of a cluster: it leads, and every stream too, for as long as nothing happens. */
  lead(): Promise<void>
  stop(): Promise<void>
}

const PORT = 4222
const ROUTE_PORT = 6222
const MONITOR_PORT = 8222
/** The system's own account is for whoever says who leads. */
const ACCOUNTS = `accounts {
  $SYS { users: [{ user: system, password: system }] }
  PLAY { jetstream: enabled, users: [{ user: play, password: play }] }
}
no_auth_user: play`

/** A NATS server on each of these machines, one cluster where there are several; each syncs every write. */
export async function startServers(machines: readonly NetMachine[]): Promise<readonly NetServer[]> {
  const routes = machines.map(({ address }) => `nats-route://${address}:${ROUTE_PORT}`).join(', ')
  return await Promise.all(
    machines.map(async (machine) => {
      const cluster =
        machines.length > 1
          ? `cluster { name: tavern, listen: "${machine.address}:${ROUTE_PORT}", routes: [${routes}] }`
          : ''
      return await startServer(machine, cluster)
    }),
  )
}

async function startServer(machine: NetMachine, cluster: string): Promise<NetServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-nats-'))
  const { address, name } = machine
  const config = join(folder, 'server.conf')
  writeFileSync(
    config,
    [
      `server_name: ${name}`,
      `listen: "${address}:${PORT}"`,
      `http: "${address}:${MONITOR_PORT}"`,
      `jetstream { store_dir: "${join(folder, 'store')}", sync_interval: always }`,
      ACCOUNTS,
      cluster,
    ].join('\n'),
  )
  const log = join(folder, 'log')
  const child = onMachine(machine, [natsServer(), '-c', config, '-l', log])
  await untilListens(machine, child)
  const url = `nats://${address}:${PORT}`
  return {
    name,
    url,
    lead: () => lead(machine, url),
    stop: async () => {
      const ended = once(child, 'exit')
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await ended
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function lead(machine: NetMachine, url: string): Promise<void> {
  const { address, name } = machine
  const script = join(import.meta.dirname, 'lead.ts')
  const monitor = `http://${address}:${MONITOR_PORT}`
  const [program, ...args] = [...machine.prefix, process.execPath, script, monitor, url, name]
  await promisify(execFile)(program, args)
}

/** Asked from that machine itself: this process is in none of the networks. */
async function untilListens(machine: NetMachine, child: ChildProcess): Promise<void> {
  const { address } = machine
  const dial = `require('node:net').connect(${PORT}, '${address}').on('connect', () => process.exit(0)).on('error', () => process.exit(1))`
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) throw new Error(`nats-server ended with code ${child.exitCode}`)
    const asked = onMachine(machine, [process.execPath, '-e', dial])
    const [code] = await once(asked, 'exit')
    if (code === 0) return
  }
  throw new Error(`no server at ${address}`)
}

function onMachine({ prefix }: NetMachine, command: readonly string[]): ChildProcess {
  const [program, ...args] = [...prefix, ...command]
  if (program === undefined) throw new Error('there is nothing to run')
  return spawn(program, args, { stdio: 'ignore' })
}
