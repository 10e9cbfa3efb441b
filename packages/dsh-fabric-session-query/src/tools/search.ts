/** The two searches as an agent makes them: no cursors, a bounded number of hits, a deadline. */
import type { SessionId } from '@deepseek-ai/dsh-session'
import type {
  SessionEventMetadataFilter,
  SessionEventSearchHit,
  SessionQueryEngine,
  SessionSearchCursor,
  SessionSearchHit,
  SessionSearchPage,
} from '@deepseek-ai/dsh-session-query'
import { type Caller, othersFilter } from './caller.ts'
import { RecallError } from './error.ts'

export interface Bounds {
  readonly maxSearchResults: number
  readonly searchTimeoutMs: number
}

/** In the model's spelling. */
export interface SearchArguments {
  readonly query: string
  readonly limit?: number
  readonly since?: string
  readonly until?: string
}

export interface Found {
  session_id: string
  seq: number
  type: string
  time: string
  surface: string
  excerpt: string
}

export interface Findings {
  matches: Found[]
  /** There is more than is shown: a narrower query finds it. */
  more: boolean
}

interface Asking {
  readonly query: SessionQueryEngine
  readonly caller: Caller
  readonly bounds: Bounds
}

/** The strongest event of each other session of the caller's folder. */
export async function searchSessions(
  { query, caller, bounds }: Asking,
  given: SearchArguments,
): Promise<Findings> {
  const limit = limitOf(given, bounds)
  const filter = othersFilter(caller)
  const eventFilters = timeFilters(given)
  if (filter === undefined) return { matches: [], more: false }
  return await inTime({ caller, bounds }, async (signal) => {
    const hits = await collected<SessionSearchHit>(limit, ({ header }) => header.id !== caller.id, {
      next: (cursor) =>
        query.searchSessions(
          { query: given.query, sessionFilters: [filter], eventFilters, limit, ...cursor },
          { signal },
        ),
    })
    return findings(
      hits.map(({ bestMatch }) => bestMatch),
      limit,
    )
  })
}

/** Events of one session; of the caller's own, those before the step in which it asks. */
export async function searchEvents(
  { query, caller, bounds }: Asking,
  given: SearchArguments,
  sessionId: SessionId,
): Promise<Findings> {
  const limit = limitOf(given, bounds)
  const isOwn = sessionId === caller.id
  if (isOwn && caller.presentFrom === 0) return { matches: [], more: false }
  const filters = [
    ...timeFilters(given),
    ...(isOwn ? [{ kind: 'seq' as const, to: caller.presentFrom - 1 }] : []),
  ]
  return await inTime({ caller, bounds }, async (signal) => {
    const hits = await collected<SessionEventSearchHit>(limit, () => true, {
      next: (cursor) =>
        query.searchEvents(
          { sessionId, query: given.query, filters, limit, ...cursor },
          { signal },
        ),
    })
    return findings(hits, limit)
  })
}

interface Pages<Hit> {
  next(cursor: { readonly cursor?: SessionSearchCursor }): Promise<SessionSearchPage<Hit>>
}

/** One more than the limit where there are more. What was found stays if the logs change between two pages. */
async function collected<Hit>(
  limit: number,
  wanted: (hit: Hit) => boolean,
  pages: Pages<Hit>,
): Promise<readonly Hit[]> {
  const hits: Hit[] = []
  let cursor: SessionSearchCursor | undefined
  do {
    const page = await pageOf(pages, cursor)
    if (page === undefined) break
    hits.push(...page.items.filter(wanted))
    cursor = page.nextCursor
  } while (cursor !== undefined && hits.length <= limit)
  return hits
}

async function pageOf<Hit>(
  pages: Pages<Hit>,
  cursor: SessionSearchCursor | undefined,
): Promise<SessionSearchPage<Hit> | undefined> {
  if (cursor === undefined) return await pages.next({})
  try {
    return await pages.next({ cursor })
  } catch (error) {
    if (isStale(error)) return undefined
    throw error
  }
}

function isStale(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SESSION_QUERY_STALE_CURSOR'
}

function findings(hits: readonly SessionEventSearchHit[], limit: number): Findings {
  return {
    matches: hits.slice(0, limit).map(({ sessionId, seq, type, time, surface, snippet }) => ({
      session_id: sessionId,
      seq,
      type,
      time: new Date(time).toISOString(),
      surface,
      excerpt: snippet,
    })),
    more: hits.length > limit,
  }
}

/** The agent's own cancel keeps its reason; our deadline has a code of its own. */
async function inTime<Result>(
  { caller, bounds }: Pick<Asking, 'caller' | 'bounds'>,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = AbortSignal.timeout(bounds.searchTimeoutMs)
  try {
    return await work(AbortSignal.any([caller.signal, deadline]))
  } catch (error) {
    caller.signal.throwIfAborted()
    if (!deadline.aborted) throw error
    throw new RecallError(
      'too-slow',
      `the search took longer than ${bounds.searchTimeoutMs / 1000} s`,
      error,
    )
  }
}

function limitOf({ limit }: SearchArguments, { maxSearchResults }: Bounds): number {
  const asked = limit ?? Math.min(20, maxSearchResults)
  if (Number.isSafeInteger(asked) && asked >= 1 && asked <= maxSearchResults) return asked
  throw new RecallError('invalid-argument', `limit must be from 1 to ${maxSearchResults}: ${asked}`)
}

function timeFilters({ since, until }: SearchArguments): readonly SessionEventMetadataFilter[] {
  if (since === undefined && until === undefined) return []
  const from = since === undefined ? {} : { from: instant('since', since) }
  const to = until === undefined ? {} : { to: instant('until', until) }
  return [{ kind: 'time', ...from, ...to }]
}

function instant(name: string, text: string): number {
  const time = /(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw new RecallError(
    'invalid-argument',
    `${name} must be a time with its zone, as 2026-01-31T18:00:00Z: ${text.slice(0, 40)}`,
  )
}
