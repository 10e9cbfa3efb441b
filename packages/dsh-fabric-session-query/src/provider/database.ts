/** Opens the index's file: makes it, refuses one that is not an index, puts a damaged one aside and starts anew. */
import { existsSync, renameSync, statSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseSync } from 'node:sqlite'
import { failureOf, isUnusable } from './failure.ts'
import {
  APPLICATION_ID,
  createLive,
  createStored,
  dropStored,
  foreignTables,
  isWhole,
  VERSION,
} from './schema.ts'

export type JournalMode = 'wal' | 'delete' | 'truncate' | 'persist'

export interface IndexOptions {
  /** Or `:memory:`. */
  readonly path: string
  readonly journalMode: JournalMode
}

/** An open index, and which file it is: another process may put a new one in its place. */
export interface Index {
  readonly db: DatabaseSync
  readonly file: bigint | undefined
}

const MEMORY = ':memory:'
const PATIENCE_MS = 10_000

/** `damaged` is a file that failed in use; it is put aside if it is still there. */
export async function openIndex(
  { path, journalMode }: IndexOptions,
  damaged?: Index['file'],
): Promise<Index> {
  const { DatabaseSync } = await import('node:sqlite')
  if (path === MEMORY)
    return { db: prepared(new DatabaseSync(MEMORY), journalMode), file: undefined }
  const file = resolve(path)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await touch(lockOf(file))
  const lock = new DatabaseSync(lockOf(file), { timeout: 0 })
  try {
    await patiently(() => lock.exec('BEGIN EXCLUSIVE'))
    const wasOurs = pragma(lock, 'application_id') === APPLICATION_ID
    if (damaged !== undefined && damaged === numberOf(file)) putAside(file)
    await touch(file)
    const db = await patiently(() => opened(DatabaseSync, { file, journalMode, wasOurs }))
    lock.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    lock.exec('COMMIT')
    return { db, file: numberOf(file) }
  } finally {
    lock.close()
  }
}

/** Tries again while another process writes; the event loop is free meanwhile. */
export async function patiently<Result>(attempt: () => Result | Promise<Result>): Promise<Result> {
  const end = Date.now() + PATIENCE_MS
  for (let wait = 2; ; wait = Math.min(wait * 2, 50)) {
    try {
      return await attempt()
    } catch (error) {
      if (failureOf(error) !== 'busy' || Date.now() > end) throw error
    }
    await delay(wait)
  }
}

interface Opening {
  readonly file: string
  readonly journalMode: JournalMode
  /** The lock beside it says that an index was here: what cannot be used is ours to replace. */
  readonly wasOurs: boolean
}

function opened(Database: typeof DatabaseSync, { file, journalMode, wasOurs }: Opening) {
  try {
    return prepared(new Database(file, { timeout: 0 }), journalMode, file)
  } catch (error) {
    if (!wasOurs || !isUnusable(error)) throw error
  }
  putAside(file)
  return prepared(new Database(file, { timeout: 0 }), journalMode, file)
}

function prepared(db: DatabaseSync, journalMode: JournalMode, file = MEMORY): DatabaseSync {
  try {
    assertIndex(db, file)
    db.exec(`PRAGMA journal_mode = ${journalMode}`)
    db.exec('PRAGMA synchronous = NORMAL')
    db.exec('PRAGMA temp_store = MEMORY')
    db.exec('BEGIN IMMEDIATE')
    if (pragma(db, 'user_version') !== VERSION || !isWhole(db)) dropStored(db)
    createStored(db)
    db.exec('COMMIT')
    createLive(db)
    // A damaged search table is found here, not at the first unlucky query.
    db.prepare('SELECT count(*) FROM main.stored_sessions').get()
    db.prepare("SELECT rowid FROM main.stored_terms WHERE stored_terms MATCH 'a' LIMIT 1").get()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function assertIndex(db: DatabaseSync, file: string): void {
  const application = pragma(db, 'application_id')
  const foreign = foreignTables(db)
  if (application !== APPLICATION_ID && application !== 0) {
    throw new Error(`'${file}' belongs to another application (id ${application})`)
  }
  if (foreign.length > 0) {
    throw new Error(`'${file}' is not an index: it has tables ${foreign.join(', ')}`)
  }
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
}

/** Only the last damaged file is kept. Processes that still hold it read it on, and are told when they write. */
function putAside(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, `${file}.damaged${suffix}`)
  }
}

function numberOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino
}

async function touch(file: string): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  await handle.close()
}

function lockOf(file: string): string {
  return `${file}.lock`
}
