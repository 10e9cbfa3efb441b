/** The SQLite engine of the mesh: `ctx.mesh` from one file, or opened by hand. */
import { type Context, Service } from '@deepseek-ai/cordis'
import z from '@deepseek-ai/schemastery'
import type { Mesh, MeshReport, MeshWorkspace } from '../mesh.ts'
import { defaults, openSqliteMesh } from './mesh.ts'

export { backUpSqliteMesh, type BackupRequest } from './backup.ts'
export { type SqliteMeshOptions, openSqliteMesh } from './mesh.ts'

export interface Config {
  /** The file of the store. No default: a mesh in whatever folder the process started in would be lost. */
  readonly path: string
  readonly payloadLimitBytes?: number
  readonly historyLimit?: number
  readonly patienceMs?: number
}

export default class SqliteMesh extends Service implements Mesh {
  static readonly Config: z<Config> = z.object({
    path: z.string().required(),
    payloadLimitBytes: z.number().step(1).min(1024).default(defaults.payloadLimitBytes),
    historyLimit: z.number().step(1).min(1).default(defaults.historyLimit),
    patienceMs: z.number().min(0).default(defaults.patienceMs),
  })

  private readonly mesh: Mesh

  constructor(ctx: Context, config: Config) {
    super(ctx, 'mesh')
    this.mesh = openSqliteMesh(config)
    ctx.effect(() => () => this.mesh.close(), 'mesh: close the store')
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
}
