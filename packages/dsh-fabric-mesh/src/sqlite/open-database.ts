/** Opens the file of a mesh, makes it when it is new, and refuses what is not one. */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MeshError } from '../error.ts'
import { isBusy, storeFailure } from './failure.ts'
import { idKey } from './id-key.ts'
import { rollBack } from './roll-back.ts'
import { APPLICATION_ID, MIGRATIONS, SCHEMA, SCHEMA_VERSION } from './schema.ts'

/** Chosen by measurement (README, Figures): a commit writes whole pages. */
const PAGE_BYTES = 512
/** Pages in the write-ahead log before they are copied to the file: 4 MB. */
const CHECKPOINT_PAGES = 8000
const LOG_BYTES = 8 * 1024 * 1024
const CACHE_KIB = 8 * 1024
/** How long opening may sleep on another process's lock before it tries again. */
const PAUSE_MS = 5

/** A store that is there; fails with `not-found`. */
export function openExisting(path: string, patienceMs: number): DatabaseSync {
  if (existsSync(path)) return openDatabase(path, patienceMs)
  throw new MeshError('not-found', `there is no mesh store '${path}'`, { detail: { path } })
}

/** Blocks for at most the patience: opening happens once, and nothing works before it. */
export function openDatabase(path: string, patienceMs: number): DatabaseSync {
  createFile(path)
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return openOnce(path)
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw storeFailure(error, path)
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
}

/** Only the user may read it: a mesh holds the secrets of a scene. */
function createFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  } catch (cause) {
    const message = `the mesh store '${path}' cannot be opened: ${String(cause)}`
    throw new MeshError('store-unavailable', message, { detail: { path }, cause })
  }
}

function openOnce(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    const found = readVersionAtOnce(database, path)
    if (found === 'new') create(database, path)
    else if (found === 'older') migrate(database, path)
    configure(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Of one moment: another process may be making the store right now. */
function readVersionAtOnce(database: DatabaseSync, path: string): 'new' | 'known' | 'older' {
  database.exec('BEGIN')
  try {
    return readVersion(database, path)
  } finally {
    rollBack(database)
  }
}

function readVersion(database: DatabaseSync, path: string): 'new' | 'known' | 'older' {
  const application = pragma(database, 'application_id')
  const version = pragma(database, 'user_version')
  if (application === APPLICATION_ID && version === SCHEMA_VERSION) return 'known'
  if (application === APPLICATION_ID && MIGRATIONS.has(version + 1)) return 'older'
  const tables = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all()
  if (application === 0 && version === 0 && tables.length === 0) return 'new'

  const detail = { path, application, version, expected: SCHEMA_VERSION }
  const found =
    application === APPLICATION_ID
      ? `it has version ${version}, and this build reads version ${SCHEMA_VERSION}`
      : 'it is a database of another program'
  throw new MeshError('store-invalid', `'${path}' is no mesh store: ${found}`, { detail })
}

/** Several processes may come here at once: the lock lets one create, the others find it done. */
function create(database: DatabaseSync, path: string): void {
  database.exec(`PRAGMA page_size = ${PAGE_BYTES}`)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('BEGIN IMMEDIATE')
  if (readVersion(database, path) === 'new') {
    database.exec(SCHEMA)
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  }
  database.exec('COMMIT')
}

/** Whole or not at all. A process of the old version that has the store open fails at its next write of an id. */
function migrate(database: DatabaseSync, path: string): void {
  database.function('id_key', { deterministic: true }, (id) => idKey(String(id)))
  database.exec('BEGIN IMMEDIATE')
  try {
    while (readVersion(database, path) === 'older') {
      const version = pragma(database, 'user_version') + 1
      database.exec(MIGRATIONS.get(version) ?? '')
      database.exec(`PRAGMA user_version = ${version}`)
    }
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function configure(database: DatabaseSync): void {
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = FULL')
  database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  database.exec(`PRAGMA journal_size_limit = ${LOG_BYTES}`)
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
}

function pragma(database: DatabaseSync, name: string): number {
  const row = database.prepare(`PRAGMA ${name}`).get()
  return Number(row?.[name] ?? 0)
}
