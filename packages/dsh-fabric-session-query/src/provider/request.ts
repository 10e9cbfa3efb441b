/** Requests as the service defines them, checked before anything is opened or read. */
import type { SessionId } from '@deepseek-ai/dsh-session'
import {
  materializeSessionEventResultFilters,
  materializeSessionResultFilters,
  type SessionEventMetadataFilter,
  type SessionEventResultFilter,
  type SessionEventSearchRequest,
  SessionQueryError,
  type SessionResultFilter,
  type SessionSearchCursor,
  type SessionSearchRequest,
} from '@deepseek-ai/dsh-session-query'

export interface Limits {
  readonly defaultLimit: number
  readonly maxLimit: number
}

export interface Search {
  readonly query: string
  /** The one session that is searched; else all are, and each gives its strongest event. */
  readonly sessionId?: SessionId
  readonly sessionFilters: readonly SessionResultFilter[]
  readonly eventFilters: readonly SessionEventMetadataFilter[]
  readonly limit: number
  readonly cursor: SessionSearchCursor | undefined
}

export function sessionSearch(request: SessionSearchRequest, limits: Limits): Search {
  return {
    sessionFilters: materializeSessionResultFilters(request.sessionFilters ?? []),
    eventFilters: metadataFilters(request.eventFilters ?? []),
    ...common(request, limits),
  }
}

export function eventSearch(request: SessionEventSearchRequest, limits: Limits): Search {
  if (typeof request.sessionId !== 'string') {
    throw new SessionQueryError(
      'session-search session id must be text',
      'SESSION_QUERY_INVALID_FILTER',
    )
  }
  return {
    sessionId: request.sessionId,
    sessionFilters: [],
    eventFilters: metadataFilters(request.filters ?? []),
    ...common(request, limits),
  }
}

/** The same for the same request, whatever the order of its filters and of their values. */
export function identityOf({ cursor: _cursor, ...search }: Search): string {
  const { sessionFilters, eventFilters, ...rest } = search
  return JSON.stringify({
    ...rest,
    sessionFilters: sessionFilters.map(canonical).toSorted(),
    eventFilters: eventFilters.map(canonical).toSorted(),
  })
}

function common(
  request: Pick<SessionSearchRequest, 'query' | 'limit' | 'cursor'>,
  limits: Limits,
): Pick<Search, 'query' | 'limit' | 'cursor'> {
  return {
    query: checkedQuery(request.query),
    limit: checkedLimit(request.limit, limits),
    cursor: checkedCursor(request.cursor),
  }
}

function checkedQuery(value: unknown): string {
  if (typeof value !== 'string') throw invalidQuery('must be text')
  const query = value.trim().replace(/\s+/gu, ' ')
  if (query.length === 0) throw invalidQuery('must contain non-whitespace text')
  if (query.includes('\0')) throw invalidQuery('must not contain NUL')
  return query
}

function invalidQuery(what: string): SessionQueryError {
  return new SessionQueryError(`session-search query ${what}`, 'SESSION_QUERY_INVALID_QUERY')
}

function checkedLimit(value: unknown, { defaultLimit, maxLimit }: Limits): number {
  const limit = value ?? defaultLimit
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 1 && limit <= maxLimit) {
    return limit
  }
  throw new SessionQueryError(
    `session-search limit must be an integer between 1 and ${maxLimit}`,
    'SESSION_QUERY_INVALID_LIMIT',
  )
}

function checkedCursor(value: SessionSearchCursor | undefined): SessionSearchCursor | undefined {
  if (value === undefined || typeof value === 'string') return value
  throw new SessionQueryError('session-search cursor must be text', 'SESSION_QUERY_INVALID_CURSOR')
}

function metadataFilters(
  filters: readonly SessionEventMetadataFilter[],
): readonly SessionEventMetadataFilter[] {
  const checked: readonly SessionEventResultFilter[] = materializeSessionEventResultFilters(filters)
  return checked.map((filter) => {
    if (filter.kind !== 'text') return filter
    throw new SessionQueryError(
      'session-search metadata filters do not accept text clauses',
      'SESSION_QUERY_INVALID_FILTER',
    )
  })
}

function canonical(filter: SessionResultFilter | SessionEventMetadataFilter): string {
  if (!('values' in filter)) return JSON.stringify([filter.kind, filter.from, filter.to])
  return JSON.stringify([
    filter.kind,
    filter.values.map((value) => JSON.stringify(value)).toSorted(),
  ])
}
