/** The index's tables: sessions, their documents as they were written, and the terms by which these are found. */
import type { DatabaseSync } from 'node:sqlite'

export const APPLICATION_ID = 0x46535131
/** Another version is built anew: nothing here cannot be read again from the logs. */
export const VERSION = 1

/** `stored` is what persistence holds, in the file; `live` is what this process runs, beside it in memory. */
export type Part = 'stored' | 'live'

const TABLES = ['sessions', 'documents', 'terms'] as const

export function createStored(db: DatabaseSync): void {
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
  for (const statement of statements('stored', 'main')) db.exec(statement)
  db.exec(`PRAGMA user_version = ${VERSION}`)
}

export function createLive(db: DatabaseSync): void {
  for (const statement of statements('live', 'temp')) db.exec(statement)
}

export function dropStored(db: DatabaseSync): void {
  for (const table of TABLES) db.exec(`DROP TABLE IF EXISTS main.stored_${table}`)
}

/** Missing one of its tables, what the others say is not true. */
export function isWhole(db: DatabaseSync): boolean {
  const found = db.prepare("SELECT name FROM main.sqlite_master WHERE type = 'table'").all()
  const names = new Set(found.map(({ name }) => name))
  return TABLES.every((table) => names.has(`stored_${table}`))
}

/** Names of tables that are not the index's own, its search engine's parts counted as own. */
export function foreignTables(db: DatabaseSync): readonly string[] {
  const rows = db.prepare("SELECT name FROM main.sqlite_master WHERE type = 'table'").all()
  return rows
    .map(({ name }) => String(name))
    .filter((name) => !/^(sqlite_|stored_(sessions|documents|terms(_[a-z]+)?)$)/.test(name))
}

function statements(part: Part, schema: 'main' | 'temp'): readonly string[] {
  return [
    // `generation`: persistence's revision, or how far a live log was read. `fault`: why the log cannot be read.
    `CREATE TABLE IF NOT EXISTS ${schema}.${part}_sessions (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      header TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      cwd TEXT,
      parent TEXT,
      persisted INTEGER NOT NULL,
      generation TEXT NOT NULL,
      fault TEXT
    ) STRICT`,
    `CREATE TABLE IF NOT EXISTS ${schema}.${part}_documents (
      id INTEGER PRIMARY KEY,
      session INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      type TEXT NOT NULL,
      time INTEGER NOT NULL,
      surface TEXT NOT NULL,
      length INTEGER NOT NULL,
      text TEXT NOT NULL,
      UNIQUE (session, seq)
    ) STRICT`,
    // Terms come ready, one space between them: the tokenizer only splits them.
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${schema}.${part}_terms USING fts5(terms, tokenize = 'ascii')`,
  ]
}
