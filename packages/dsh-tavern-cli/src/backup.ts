/** `backup`: the store of a home in one file, of one moment. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { backUpSqliteMesh, homePaths } from './boot.ts'

export interface Backup {
  readonly store: string
  readonly file: string
  readonly bytes: number
}

/** How long it waits for whoever is writing. */
const PATIENCE_MS = 10_000

/** Fails with the `MeshError` of the store: `not-found` where nothing was played, `already-exists` for a file that is there. */
export function backUp(home: string, file: string): Backup {
  const store = homePaths(home).mesh
  const to = resolve(file)
  backUpSqliteMesh({ path: store, to, patienceMs: PATIENCE_MS })
  return { store, file: to, bytes: statSync(to).size }
}
