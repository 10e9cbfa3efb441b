/** Opens a mesh on NATS JetStream. */
import { checkIdentity } from '../bounds.ts'
import type { Mesh, MeshReport, MeshWorkspace } from '../mesh.ts'
import { checkMesh } from './check.ts'
import { type Address, openConnection } from './connect.ts'
import { checkServer, checkStream, streamConfig, unfit } from './fitness.ts'
import { Link, Refusal } from './link.ts'
import { checkMonitors } from './monitor.ts'
import { Names } from './names.ts'
import { Order } from './order.ts'
import { FORMAT, Places } from './places.ts'
import type { Store, StoreOptions } from './store.ts'
import { accountInfo } from './wire.ts'
import { NatsWorkspace } from './workspace.ts'

export interface NatsMeshOptions extends Address {
  /** Meshes of different names on the same servers share nothing; 1 to 32 letters, digits and dashes; default `mesh`. */
  readonly name?: string
  /** Monitoring addresses of the servers, as `http://host:8222`: one that does not sync each write is refused. */
  readonly monitors?: readonly string[]
  /** How many servers keep each record, 1, 3 or 5; default 3. */
  readonly replicas?: number
  /** The most bytes of JSON a payload, value or result may have; default 256 KiB. */
  readonly payloadLimitBytes?: number
  /** How many changes of each state key are kept, the newest; default 1000. Of the process that first writes state. */
  readonly historyLimit?: number
  /** How long an operation tries before `store-unavailable`; default 60,000. */
  readonly patienceMs?: number
  /** Milliseconds since the epoch; decides delays and leases, never an order. */
  readonly now?: () => number
}

export const defaults = {
  name: 'mesh',
  replicas: 3,
  monitors: [],
  payloadLimitBytes: 256 * 1024,
  historyLimit: 1000,
  patienceMs: 60_000,
} satisfies Partial<NatsMeshOptions>

/** Fails with `store-unavailable` where no server answers, with `store-unfit` where one does not keep what is promised. */
export async function openNatsMesh(options: NatsMeshOptions): Promise<Mesh> {
  const wanted = { ...defaults, now: Date.now, ...options }
  const connection = await openConnection(wanted)
  const where = wanted.servers.join(', ')
  const link = new Link(connection, { patienceMs: wanted.patienceMs, where })
  try {
    await checkFitness(link, where, wanted)
    await checkMonitors(wanted.monitors)
  } catch (error) {
    await link.close()
    throw error
  }
  return new NatsMesh(link, where, wanted)
}

class NatsMesh implements Mesh {
  private readonly link: Link
  private readonly where: string
  private readonly order = new Order()
  private readonly places: Places
  private readonly options: StoreOptions & MeshFacts
  private readonly workspaces = new Map<string, NatsWorkspace>()

  constructor(link: Link, where: string, options: NatsMesh['options']) {
    this.link = link
    this.where = where
    this.options = options
    this.places = new Places(link, options)
  }

  workspace(identity: string): MeshWorkspace {
    this.link.assertOpen()
    const known = this.workspaces.get(checkIdentity(identity))
    if (known !== undefined) return known
    const { link, options, order, places } = this
    const names = new Names(options.name, identity)
    const store: Store = { link, names, options, order, places, identity }
    const workspace = new NatsWorkspace(store)
    this.workspaces.set(identity, workspace)
    return workspace
  }

  async check(): Promise<MeshReport> {
    const { link, options, where } = this
    return link.admit(() => checkMesh({ link, where, ...options }))
  }

  async close(): Promise<void> {
    await this.link.close()
    for (const workspace of this.workspaces.values()) workspace.stop()
    this.workspaces.clear()
  }
}

interface MeshFacts {
  readonly name: string
  readonly replicas: number
  readonly monitors: readonly string[]
}

interface Wanted {
  readonly name: string
  readonly replicas: number
  readonly payloadLimitBytes: number
}

/** The mesh's own stream shows that the servers keep what is promised. */
async function checkFitness(link: Link, where: string, wanted: Wanted): Promise<void> {
  if (!/^[A-Za-z0-9-]{1,32}$/.test(wanted.name)) {
    throw unfit(`the name of a mesh must have 1 to 32 letters, digits or dashes`, {
      name: wanted.name,
    })
  }
  const { info } = link.connection
  const { max_payload: maxPayload = 0, version = '0' } = info ?? {}
  checkServer({ version, maxPayload }, where, wanted.payloadLimitBytes)
  await checkJetStream(link, where)
  const stream = `${wanted.name}-mesh`
  const config = streamConfig(stream, `${wanted.name}.mesh`, {
    replicas: wanted.replicas,
    metadata: { format: FORMAT },
  })
  try {
    const found = (await link.findInfo(stream)) ?? (await link.made(stream, config))
    checkStream(found, wanted.replicas)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const why = `the server at '${where}' refuses a stream of ${wanted.replicas} replicas: ${error.message}`
    throw unfit(why, { where, replicas: wanted.replicas })
  }
}

async function checkJetStream(link: Link, where: string): Promise<void> {
  const none = () => unfit(`the server at '${where}' has no JetStream for this account`, { where })
  if (link.connection.info?.jetstream !== true && !(await link.hasJetStream())) throw none()
  try {
    await link.call('INFO', undefined, accountInfo)
  } catch (error) {
    throw error instanceof Refusal ? none() : error
  }
}
