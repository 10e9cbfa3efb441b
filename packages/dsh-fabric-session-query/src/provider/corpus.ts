/** Brings the index up to date with the logs: reads only those that changed, each in one transaction of its own. */
import { setImmediate as turn } from 'node:timers/promises'
import type { DatabaseSync } from 'node:sqlite'
import {
  isAppendSurfaceEvent,
  isReplacementSurfaceEvent,
  type Session,
  type SessionEvent,
  type SessionHeader,
  type SessionId,
} from '@deepseek-ai/dsh-session'
import type {
  SessionPersistence,
  SessionPersistenceSnapshot,
} from '@deepseek-ai/dsh-session-persistence'
import {
  assertSessionHeadersCompatible,
  buildSessionEventSearchDocuments,
  extractSessionEventText,
  type SessionEventSearchDocument,
  SessionQueryError,
} from '@deepseek-ai/dsh-session-query'
import { patiently } from './database.ts'
import { deleteSession, type SessionEntry, writeSession } from './documents.ts'
import { aborted, assertNotAborted } from './failure.ts'
import type { Part } from './schema.ts'
import type { Visible } from './search.ts'

export interface Sources {
  readonly live: () => readonly Session[]
  readonly isLive: (id: string) => boolean
  readonly persistence: () => SessionPersistence | undefined
  /** A log that cannot be read is left out, and told here. */
  readonly report: (text: string) => void
}

/** A state of all logs, seen at once. */
export interface Observation {
  readonly visible: Visible
  /** Differs when anything that can be found does. */
  readonly generation: string
}

type Listing = ReadonlyMap<string, SessionPersistenceSnapshot>

const ATTEMPTS = 4
const PASSES = 3

export class Corpus {
  readonly #sources: Sources
  readonly #lives = new WeakMap<Session, number>()
  #livesSeen = 0

  constructor(sources: Sources) {
    this.#sources = sources
  }

  async observe(db: DatabaseSync, signal: AbortSignal | undefined): Promise<Observation> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      assertNotAborted(signal)
      const persistence = this.#sources.persistence()
      const listing = await this.#list(persistence, signal)
      await this.#store(db, { persistence, listing, signal })
      await this.#overlay(db, listing, signal)
      if (persistence === this.#sources.persistence() && this.#isComplete(db, listing)) {
        return this.#observation(db, listing)
      }
    }
    throw new SessionQueryError(
      `session-search persistence observation did not settle in ${ATTEMPTS} attempts`,
      'SESSION_QUERY_PERSISTENCE_FAILED',
    )
  }

  async #list(
    persistence: SessionPersistence | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Listing> {
    if (persistence === undefined) return new Map()
    const snapshots = await asked(() => persistence.listSnapshots(signal), signal)
    return new Map(snapshots.map((snapshot) => [snapshot.header.id, snapshot]))
  }

  async #store(
    db: DatabaseSync,
    given: {
      readonly persistence: SessionPersistence | undefined
      readonly listing: Listing
      readonly signal: AbortSignal | undefined
    },
  ): Promise<void> {
    const { persistence, listing, signal } = given
    if (persistence === undefined) return
    const known = generations(db, 'stored')
    for (const snapshot of listing.values()) {
      const { id } = snapshot.header
      if (known.get(id) === snapshot.revision || this.#sources.isLive(id)) continue
      const entry = await this.#read(persistence, snapshot, signal)
      await written(db, function* () {
        yield* writeSession(db, 'stored', entry)
      })
      assertNotAborted(signal)
    }
    const gone = [...known.keys()].filter((id) => !listing.has(id))
    if (gone.length === 0) return
    await written(db, function* () {
      for (const id of gone) yield deleteSession(db, 'stored', id)
    })
  }

  /** The log may have grown since it was listed: it is kept under the older revision, so the next search looks again. */
  async #read(
    persistence: SessionPersistence,
    { header, revision }: SessionPersistenceSnapshot,
    signal: AbortSignal | undefined,
  ): Promise<SessionEntry> {
    const entry = { header, generation: revision, persisted: true }
    try {
      const log = await asked(() => persistence.inspect(header.id, signal), signal)
      assertSessionHeadersCompatible(header, log.meta)
      return { ...entry, documents: buildSessionEventSearchDocuments(header.id, log.events) }
    } catch (error) {
      const fault = faultOf(error)
      if (fault === undefined) throw error
      this.#sources.report(`session search leaves out session '${header.id}': ${fault}`)
      return { ...entry, documents: [], fault }
    }
  }

  /** Again for what was added meanwhile; a log that never rests is as good as new after the last pass. */
  async #overlay(
    db: DatabaseSync,
    listing: Listing,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (let pass = 0; pass < PASSES; pass += 1) {
      const steps = this.#overlaySteps(db, listing)
      if (steps === undefined) return
      await written(db, () => steps, 'BEGIN')
      assertNotAborted(signal)
    }
  }

  #overlaySteps(db: DatabaseSync, listing: Listing): Generator<void> | undefined {
    const known = generations(db, 'live')
    const live = this.#sources.live()
    for (const session of live) {
      const listed = listing.get(session.id)
      if (listed !== undefined) assertSessionHeadersCompatible(session.header, listed.header)
    }
    const ids = new Set<string>(live.map(({ id }) => id))
    const gone = [...known.keys()].filter((id) => !ids.has(id))
    const changed = live.filter(
      (session) => known.get(session.id) !== this.#liveGeneration(session, listing),
    )
    if (gone.length === 0 && changed.length === 0) return undefined
    const entries = changed.map((session) =>
      this.#liveEntry(session, listing, known.get(session.id)),
    )
    return (function* () {
      for (const id of gone) yield deleteSession(db, 'live', id)
      for (const entry of entries) yield* writeSession(db, 'live', entry)
    })()
  }

  #liveEntry(session: Session, listing: Listing, indexed: string | undefined): SessionEntry {
    const { header, id, events } = session
    const generation = this.#liveGeneration(session, listing)
    const entry = { header, generation, persisted: listing.has(id) }
    const [number, length] = indexed?.split(':') ?? []
    const added = number === generation.split(':')[0] ? events.slice(Number(length)) : undefined
    if (added === undefined || added.some(isReplacementSurfaceEvent)) {
      return { ...entry, documents: buildSessionEventSearchDocuments(id, events) }
    }
    return { ...entry, isGrowth: true, documents: added.flatMap((event) => grown(id, event)) }
  }

  /** A live log only grows; another session under the same id is another object. */
  #liveGeneration(session: Session, listing: Listing): string {
    let number = this.#lives.get(session)
    if (number === undefined) {
      this.#livesSeen += 1
      number = this.#livesSeen
      this.#lives.set(session, number)
    }
    return `${number}:${session.events.length}:${listing.has(session.id) ? 1 : 0}`
  }

  /** Another process may have taken a session out, and a session may have gone from here since it was listed. */
  #isComplete(db: DatabaseSync, listing: Listing): boolean {
    const stored = generations(db, 'stored')
    return [...listing.keys()].every((id) => stored.has(id) || this.#sources.isLive(id))
  }

  #observation(db: DatabaseSync, listing: Listing): Observation {
    const stored = [...listing.values()].map(({ header, revision }) => `${header.id} ${revision}`)
    const live = [...generations(db, 'live')].map(([id, generation]) => `${id} ${generation}`)
    return {
      visible: { stored: [...listing.keys()] },
      generation: JSON.stringify([stored, live].map((lines) => lines.toSorted(byCodeUnit))),
    }
  }
}

/** What an event comes to while nothing of the log is replaced. */
function grown(sessionId: SessionId, event: SessionEvent): readonly SessionEventSearchDocument[] {
  const { seq, type, time } = event
  const text = extractSessionEventText(event)
  const surface = isAppendSurfaceEvent(event) ? 'current' : 'log-only'
  return text === '' ? [] : [{ sessionId, seq, type, time, surface, text }]
}

/** The session as it was indexed, or as its log cannot be. */
export interface Target {
  readonly header: SessionHeader
  readonly generation: string
  readonly fault: string | undefined
}

/** The live one before the stored one; none that is not visible. */
export function targetOf(db: DatabaseSync, id: string, visible: Visible): Target | undefined {
  const parts: readonly Part[] = visible.stored.includes(id) ? ['live', 'stored'] : ['live']
  for (const part of parts) {
    const row = db
      .prepare(`SELECT header, generation, fault FROM ${part}_sessions WHERE id = ?`)
      .get(id)
    if (row === undefined) continue
    return {
      header: JSON.parse(String(row['header'])),
      generation: `${part}:${String(row['generation'])}`,
      fault: row['fault'] === null ? undefined : String(row['fault']),
    }
  }
  return undefined
}

function byCodeUnit(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

function generations(db: DatabaseSync, part: Part): ReadonlyMap<string, string> {
  const rows = db.prepare(`SELECT id, generation FROM ${part}_sessions`).all()
  return new Map(rows.map((row) => [String(row['id']), String(row['generation'])]))
}

/** All of the steps or none; other code runs between them, other processes wait with their event loops free. */
async function written(
  db: DatabaseSync,
  steps: () => Generator<void>,
  begin: 'BEGIN IMMEDIATE' | 'BEGIN' = 'BEGIN IMMEDIATE',
): Promise<void> {
  await patiently(() => db.exec(begin))
  try {
    for (const step of steps()) await turn(step)
    await patiently(() => db.exec('COMMIT'))
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Waits for what was begun, then says that it was aborted, or why it failed. */
async function asked<Result>(
  question: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  try {
    const answer = await question()
    assertNotAborted(signal)
    return answer
  } catch (error) {
    if (signal?.aborted) throw aborted(error)
    if (error instanceof SessionQueryError || faultOf(error) !== undefined) throw error
    const reason = error instanceof Error ? error.message : 'unknown error'
    throw new SessionQueryError(
      `session-search persistence observation failed: ${reason}`,
      'SESSION_QUERY_PERSISTENCE_FAILED',
      { cause: error },
    )
  }
}

/** Of a log that no later search can read either, until it changes. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const lasting =
    error.name === 'SessionPersistenceCorruptionError' ||
    error.name === 'SessionFormatUnsupportedError' ||
    (error instanceof SessionQueryError && error.code === 'SESSION_QUERY_INVALID_SURFACE')
  return lasting ? error.message : undefined
}
