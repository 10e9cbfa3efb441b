/** A copy of a store in one file, of one moment, while others write to it. */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { MeshError } from '../error.ts'
import { storeFailure } from './failure.ts'
import { openExisting } from './open-database.ts'

export interface BackupRequest {
  readonly path: string
  /** Must not be there. Whole or not at all. */
  readonly to: string
  readonly patienceMs: number
}

/**
 * Blocks the calling thread for as long as the copy takes; other processes go on. The copy is a store like any other: put
 * in the place of the first, it is the mesh of that moment. Fails with `already-exists`, `not-found`, `store-invalid`,
 * `store-unavailable`.
 */
export function backUpSqliteMesh(request: BackupRequest): void {
  const to = resolve(request.to)
  if (existsSync(to)) {
    throw new MeshError('already-exists', `'${to}' exists already`, { detail: { path: to } })
  }
  const temporary = `${to}.${process.pid}.tmp`
  const database = openExisting(resolve(request.path), request.patienceMs)
  try {
    closeSync(openSync(temporary, 'wx', 0o600)) // it holds the secrets of a scene
    database.prepare('VACUUM INTO ?').run(temporary)
    flush(temporary)
    linkSync(temporary, to)
  } catch (error) {
    throw storeFailure(error, to)
  } finally {
    database.close()
    rmSync(temporary, { force: true })
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
