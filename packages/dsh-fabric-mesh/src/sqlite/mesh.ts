/** Opens a mesh in one SQLite file. */
import { checkIdentity } from '../bounds.ts'
import { checkStore } from './check.ts'
import type { Mesh, MeshWorkspace } from '../mesh.ts'
import { Store } from './store.ts'
import { SqliteWorkspace } from './workspace.ts'

export interface SqliteMeshOptions {
  /** The file; made with its folder when it is not there. Several processes may open the same one. */
  readonly path: string
  /** The most bytes of JSON a payload, value or result may have; default 256 KiB. */
  readonly payloadLimitBytes?: number
  /** How many changes of each state key are kept, the newest; default 1000. */
  readonly historyLimit?: number
  /** How long an operation waits for another process's lock before `store-unavailable`; default 10,000. */
  readonly patienceMs?: number
  /** Milliseconds since the epoch; only shown, never an order. */
  readonly now?: () => number
}

export const defaults = {
  payloadLimitBytes: 256 * 1024,
  historyLimit: 1000,
  patienceMs: 10_000,
} as const

/** Fails with `store-invalid` for a file that is no mesh, with `store-unavailable` for one it cannot open. */
export function openSqliteMesh(options: SqliteMeshOptions): Mesh {
  const store = new Store({ ...defaults, now: Date.now, ...options })
  return {
    workspace(identity: string): MeshWorkspace {
      store.assertOpen()
      return new SqliteWorkspace(store, checkIdentity(identity))
    },
    check: () => store.read(() => checkStore(store)),
    close: () => store.close(),
  }
}
