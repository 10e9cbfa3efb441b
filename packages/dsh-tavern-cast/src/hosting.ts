/** One living process hosts a run: a SQLite write lock that the kernel drops when its holder dies, however it dies. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

/** Who hosts; says so to others, decides nothing. */
const hostRecord = z.object({ pid: z.int(), startedAt: z.string() }).readonly()
export type Host = z.infer<typeof hostRecord>

export type Hosting =
  | { readonly status: 'held'; release(): void }
  | { readonly status: 'taken'; readonly host: Host | undefined }

/** Keeps the connections reachable: a collected one closes itself, and its lock is gone. */
const held = new Set<DatabaseSync>()

const SQLITE_BUSY = 5

/**
 * Takes the place at `path`, or says who has it. Never read or copy the lock file itself from the
 * holding process: closing any other descriptor of it drops the lock (POSIX fcntl).
 */
export function host(path: string, self: Host): Hosting {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('BEGIN IMMEDIATE')
  } catch (error) {
    database.close()
    if (!isBusy(error)) throw error
    return { status: 'taken', host: readHost(path) }
  }
  try {
    writeFileSync(`${path}.owner.tmp`, JSON.stringify(self))
    renameSync(`${path}.owner.tmp`, `${path}.owner`)
  } catch (error) {
    database.close()
    throw error
  }
  held.add(database)
  return {
    status: 'held',
    release() {
      if (held.delete(database)) database.close()
    },
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

function readHost(path: string): Host | undefined {
  try {
    return hostRecord.parse(JSON.parse(readFileSync(`${path}.owner`, 'utf8')))
  } catch {
    return undefined // written a moment after the lock is taken: absent or partial says nothing
  }
}
