/** The NATS JetStream engine of the mesh: `ctx.mesh` on a cluster, or opened by hand. */
import { type Context, Service } from '@deepseek-ai/cordis'
import z from '@deepseek-ai/schemastery'
import { MeshError } from '../error.ts'
import type { Mesh, MeshReport, MeshWorkspace } from '../mesh.ts'
import type { Credentials, Secret, Tls } from './connect.ts'
import { defaults, openNatsMesh } from './mesh.ts'

export type { Credentials, Secret, Tls } from './connect.ts'
export { type NatsMeshOptions, openNatsMesh } from './mesh.ts'

export interface Config {
  readonly servers: string[]
  readonly name?: string
  readonly replicas?: number
  readonly monitors?: string[]
  readonly credentials?: Credentials
  readonly tls?: Tls
  readonly payloadLimitBytes?: number
  readonly historyLimit?: number
  readonly patienceMs?: number
}

const secret: z<Secret> = z.union([
  z.object({ file: z.string().required() }),
  z.object({ env: z.string().required() }),
])
const credentials: z<Credentials> = z.union([
  z.object({
    kind: z.const('password').required(),
    user: z.string().required(),
    password: secret.required(),
  }),
  z.object({ kind: z.const('token').required(), token: secret.required() }),
  z.object({ kind: z.const('nkey').required(), seed: secret.required() }),
  z.object({ kind: z.const('creds').required(), creds: secret.required() }),
])

/** A union, so that it may be absent: an object alone would always be there. */
const tls: z<Tls> = z.union([z.object({ ca: z.string(), cert: z.string(), key: z.string() })])

export default class NatsMesh extends Service implements Mesh {
  static readonly Config: z<Config> = z.object({
    servers: z.array(z.string()).required(),
    name: z.string().default(defaults.name),
    replicas: z.number().step(1).min(1).max(5).default(defaults.replicas),
    monitors: z.array(z.string()).default([]),
    credentials,
    tls,
    payloadLimitBytes: z.number().step(1).min(1024).default(defaults.payloadLimitBytes),
    historyLimit: z.number().step(1).min(1).default(defaults.historyLimit),
    patienceMs: z.number().min(0).default(defaults.patienceMs),
  })

  private readonly config: Config
  private opened: Mesh | undefined

  constructor(ctx: Context, config: Config) {
    super(ctx, 'mesh')
    this.config = config
  }

  async *[Service.init](): AsyncGenerator<() => Promise<void>, void, void> {
    const mesh = await openNatsMesh(this.config)
    this.opened = mesh
    yield () => mesh.close()
  }

  workspace(identity: string): MeshWorkspace {
    return this.mesh.workspace(identity)
  }

  check(): Promise<MeshReport> {
    return this.mesh.check()
  }

  close(): Promise<void> {
    return this.mesh.close()
  }

  private get mesh(): Mesh {
    if (this.opened !== undefined) return this.opened
    throw new MeshError('closed', 'the mesh store is not open yet')
  }
}
