/** `backup`: a store in one file, of one moment. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { backUpSqliteMesh } from './boot.ts'
import { UsageError } from './exit.ts'
import type { MeshAddress } from './mesh-address.ts'

export interface Backup {
  readonly store: string
  readonly file: string
  readonly bytes: number
}

/** How long it waits for whoever is writing. */
const PATIENCE_MS = 10_000

/** Fails with the `MeshError` of the store: `not-found` where nothing was played, `already-exists` for a file that is there. */
export function backUp(file: string, mesh: MeshAddress): Backup {
  if (mesh.kind !== 'sqlite') {
    throw new UsageError('a mesh on NATS is backed up by its servers: `nats stream backup`')
  }
  const to = resolve(file)
  backUpSqliteMesh({ path: mesh.path, to, patienceMs: PATIENCE_MS })
  return { store: mesh.path, file: to, bytes: statSync(to).size }
}
