/** A SQLite store in a folder of its own, for tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SqliteMeshOptions, openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import type { MeshBed } from '../contract/mesh.ts'

export interface SqliteBed extends MeshBed {
  readonly folder: string
  readonly path: string
}

export function sqliteBed(options: Omit<SqliteMeshOptions, 'path'> = {}): SqliteBed {
  const folder = mkdtempSync(join(tmpdir(), 'mesh-'))
  const path = join(folder, 'mesh.db')
  return {
    folder,
    path,
    open: async (more) => openSqliteMesh({ path, ...options, ...more }),
    dispose: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
