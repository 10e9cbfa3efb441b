/** A SQLite store in a folder of its own, for tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { type SqliteMeshOptions, openSqliteMesh } from 'dsh-fabric-mesh/sqlite'
import type { MeshBed } from '../contract/mesh.ts'

export const by = 'narrator'
export const identity = 'workspace:inn'
export const mara = { id: 'mara', secret: 'the secret of mara' }

export interface SqliteBed extends MeshBed {
  readonly folder: string
  readonly path: string
  /** Runs with an open store, and closes it. */
  within<T>(use: (workspace: MeshWorkspace) => Promise<T>): Promise<T>
}

export function sqliteBed(options: Omit<SqliteMeshOptions, 'path'> = {}): SqliteBed {
  const folder = mkdtempSync(join(tmpdir(), 'mesh-'))
  const path = join(folder, 'mesh.db')
  const open: MeshBed['open'] = async (more) => openSqliteMesh({ path, ...options, ...more })
  return {
    folder,
    path,
    open,
    async within(use) {
      const mesh = await open()
      try {
        return await use(mesh.workspace(identity))
      } finally {
        await mesh.close()
      }
    },
    dispose: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
