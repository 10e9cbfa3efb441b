/** What is in a store, and what is wrong with it. */
import type { MeshFinding, MeshReport } from '../mesh.ts'
import { SCHEMA_VERSION } from './schema.ts'
import type { Sql } from './sql.ts'
import type { Store } from './store.ts'

/** Findings of one kind that are named; the rest is counted. */
const NAMED = 50
/** A claim older than that may have lost its worker. */
const OLD_CLAIM_MS = 24 * 60 * 60 * 1000

const INTEGRITY = `PRAGMA integrity_check(${NAMED})`
const UNREADABLE = `SELECT m.n, m.seq, pl.kind, pl.name FROM record m
  LEFT JOIN place pl ON pl.id = m.place
  WHERE (pl.id IS NULL AND m.place <> 0) OR (m.payload IS NOT NULL AND NOT json_valid(m.payload)) LIMIT ?`
const OLD_CLAIMS = `SELECT d.seq, d.claimed_at AS claimedAt, n.text AS worker, pl.name
  FROM desk d JOIN place pl ON pl.id = d.mailbox LEFT JOIN name n ON n.id = d.worker
  WHERE d.lane = 2 AND d.due IS NULL AND d.claimed_at < ? ORDER BY d.claimed_at LIMIT ?`
const DEAD = `SELECT pl.name, d.dead FROM desk d JOIN place pl ON pl.id = d.mailbox
  WHERE d.lane = 0 AND d.dead > 0 ORDER BY pl.name LIMIT ?`
const COUNTS = `SELECT
  (SELECT count(*) FROM workspace) AS workspaces,
  (SELECT count(*) FROM place WHERE kind = 0) AS topics,
  (SELECT count(*) FROM place WHERE kind = 1) AS mailboxes,
  (SELECT coalesce(sum(states), 0) FROM workspace) AS states,
  (SELECT count(*) FROM record) AS records,
  (SELECT coalesce(sum(queued), 0) FROM desk WHERE lane = 0) AS queued,
  (SELECT coalesce(sum(claimed), 0) FROM desk WHERE lane = 0) AS claimed,
  (SELECT coalesce(sum(dead), 0) FROM desk WHERE lane = 0) AS dead,
  (SELECT count(*) FROM quarantine) AS quarantined,
  (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes`

const kinds = ['topic', 'mailbox', 'state key', 'changes']

interface Unreadable {
  readonly n: number
  readonly seq: number
  readonly kind: number | null
  readonly name: string | null
}

/** Inside a read. Every page of the file is looked at. */
export function checkStore(store: Store): MeshReport {
  const { sql, options } = store
  const sound = sql<{ integrity_check: string }>(INTEGRITY)
    .all()
    .flatMap(({ integrity_check: found }) => (found === 'ok' ? [] : [damage(found)]))
  const facts = sql<Record<string, number>>(COUNTS).get() ?? {}
  const findings = [
    ...sound,
    ...unreadable(sql),
    ...store.quarantine.list(NAMED).map(({ n, found }) => damage(`record ${n}: ${found}`)),
    ...waiting(sql, options.now()),
  ]
  return {
    engine: 'sqlite',
    where: options.path,
    findings,
    facts: { version: SCHEMA_VERSION, ...facts },
  }
}

function unreadable(sql: Sql): readonly MeshFinding[] {
  return sql<Unreadable>(UNREADABLE)
    .all(NAMED)
    .map(({ n, seq, kind, name }) => {
      const place = kind === null ? 'no place' : `${kinds[kind] ?? kind} '${name}'`
      return damage(`record ${n} (${place}, sequence ${seq}) cannot be read`)
    })
}

function waiting(sql: Sql, now: number): readonly MeshFinding[] {
  const old = sql<{ seq: number; claimedAt: number; worker: string; name: string }>(OLD_CLAIMS)
  const claims = old.all(now - OLD_CLAIM_MS, NAMED).map(({ seq, claimedAt, worker, name }) => {
    const since = new Date(claimedAt).toISOString()
    return warning(`mailbox '${name}': message ${seq} is claimed by '${worker}' since ${since}`)
  })
  const dead = sql<{ name: string; dead: number }>(DEAD).all(NAMED)
  return [
    ...claims,
    ...dead.map(({ name, dead: count }) => warning(`mailbox '${name}': ${count} dead letters`)),
  ]
}

function damage(text: string): MeshFinding {
  return { kind: 'damage', text }
}

function warning(text: string): MeshFinding {
  return { kind: 'warning', text }
}
