/** Writes one session's documents, leaving alone what is there already: a grown log costs only what it grew by. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SessionHeader } from '@deepseek-ai/dsh-session'
import type { SessionEventSearchDocument } from '@deepseek-ai/dsh-session-query'
import { termsOf } from '../terms.ts'
import type { Part } from './schema.ts'

export interface SessionEntry {
  readonly header: SessionHeader
  readonly generation: string
  readonly persisted: boolean
  readonly documents: readonly SessionEventSearchDocument[]
  /** Only what came to the documents that are there; none of those changed. */
  readonly isGrowth?: boolean
  /** Why the log cannot be read; it then has no documents. */
  readonly fault?: string
}

/** A caller may let others run between the steps; the transaction is the caller's, and holds all of them. */
export function* writeSession(db: DatabaseSync, part: Part, entry: SessionEntry): Generator<void> {
  const session = upsertSession(db, part, entry)
  const kept = entry.isGrowth === true ? new Map<number, Kept>() : documentsOf(db, part, session)
  const move = db.prepare(`UPDATE ${part}_documents SET surface = ? WHERE id = ?`)
  const insert = inserting(db, part, session)
  let written = 0
  for (const document of entry.documents) {
    const row = kept.get(document.seq)
    if (
      row?.['text'] === stored(document.text) &&
      row['type'] === document.type &&
      row['time'] === document.time
    ) {
      kept.delete(document.seq)
      if (row['surface'] !== document.surface) move.run(document.surface, Number(row['id']))
      continue
    }
    if (row !== undefined) {
      kept.delete(document.seq)
      remove(db, part, [Number(row['id'])])
    }
    insert(document)
    written += 1
    if (written % STEP === 0) yield
  }
  remove(
    db,
    part,
    [...kept.values()].map(({ id }) => Number(id)),
  )
}

type Kept = ReturnType<StatementSync['all']>[number]

function documentsOf(db: DatabaseSync, part: Part, session: number): Map<number, Kept> {
  const rows = db
    .prepare(`SELECT id, seq, type, time, surface, text FROM ${part}_documents WHERE session = ?`)
    .all(session)
  return new Map(rows.map((row) => [Number(row['seq']), row]))
}

export function deleteSession(db: DatabaseSync, part: Part, id: string): void {
  const row = db.prepare(`SELECT number FROM ${part}_sessions WHERE id = ?`).get(id)
  if (row === undefined) return
  const session = Number(row['number'])
  const ids = db.prepare(`SELECT id FROM ${part}_documents WHERE session = ?`).all(session)
  remove(
    db,
    part,
    ids.map((document) => Number(document['id'])),
  )
  db.prepare(`DELETE FROM ${part}_sessions WHERE number = ?`).run(session)
}

/** Each term between spaces of its own, so that a phrase can be counted in it as plain text. */
export function indexText(terms: readonly string[]): string {
  return terms.length === 0 ? '' : ` ${terms.join('  ')} `
}

/** Some milliseconds of work. */
const STEP = 128

function upsertSession(db: DatabaseSync, part: Part, entry: SessionEntry): number {
  const { header, generation, persisted, fault } = entry
  const row = db
    .prepare(
      `INSERT INTO ${part}_sessions (id, header, created_at, cwd, parent, persisted, generation, fault)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET header = excluded.header, created_at = excluded.created_at,
         cwd = excluded.cwd, parent = excluded.parent, persisted = excluded.persisted,
         generation = excluded.generation, fault = excluded.fault
       RETURNING number`,
    )
    .get(
      header.id,
      JSON.stringify(header),
      header.createdAt,
      header.cwd ?? null,
      header.parentSession ?? null,
      persisted ? 1 : 0,
      generation,
      fault ?? null,
    )
  return Number(row?.['number'])
}

function inserting(db: DatabaseSync, part: Part, session: number) {
  const document = db.prepare(
    `INSERT INTO ${part}_documents (session, seq, type, time, surface, length, text)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  )
  const terms = db.prepare(`INSERT INTO ${part}_terms (rowid, terms) VALUES (?, ?)`)
  return ({ seq, type, time, surface, text }: SessionEventSearchDocument): void => {
    const kept = stored(text)
    const row = document.get(session, seq, type, time, surface, Array.from(kept).length, kept)
    terms.run(Number(row?.['id']), indexText(termsOf(kept)))
  }
}

function remove(db: DatabaseSync, part: Part, ids: readonly number[]): void {
  const terms = db.prepare(`DELETE FROM ${part}_terms WHERE rowid = ?`)
  const documents = db.prepare(`DELETE FROM ${part}_documents WHERE id = ?`)
  for (const id of ids) {
    terms.run(id)
    documents.run(id)
  }
}

/** What SQLite gives back unchanged. */
function stored(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
