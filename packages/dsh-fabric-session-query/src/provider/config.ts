/** The row's configuration: the host's own keys, meanings and defaults, so a row can change its name alone. */
import z from '@deepseek-ai/schemastery'
import {
  type Config as ReadConfig,
  SESSION_QUERY_DEFAULT_PERSISTED_INSPECT_CONCURRENCY,
  SESSION_QUERY_READ_WINDOW_MAX,
  SessionQueryError,
} from '@deepseek-ai/dsh-session-query'
import type { JournalMode } from './database.ts'

export interface Config extends ReadConfig {
  /** The index's file, or `:memory:`. Its logs are elsewhere: it may be deleted at any time. */
  path: string
  /** `never` turns search off and leaves the exact reads. */
  openAt?: OpenAt
  journalMode?: JournalMode
  defaultLimit?: number
  maxLimit?: number
  /** Of an excerpt, in code points. */
  snippetChars?: number
}

export type OpenAt = 'startup' | 'first-search' | 'never'

const OPEN_AT: readonly OpenAt[] = ['startup', 'first-search', 'never']
const JOURNAL_MODES: readonly JournalMode[] = ['wal', 'delete', 'truncate', 'persist']
/** One more than a page is asked for, and must still be an exact integer. */
const LIMIT_MAX = Number.MAX_SAFE_INTEGER - 1

export const Config: z<Config> = z.object({
  path: z.string().required(),
  openAt: z.union(['startup', 'first-search', 'never']).default('startup'),
  journalMode: z.union(['wal', 'delete', 'truncate', 'persist']).default('wal'),
  defaultLimit: z.number().step(1).min(1).max(LIMIT_MAX).default(20),
  maxLimit: z.number().step(1).min(1).max(LIMIT_MAX).default(100),
  snippetChars: z.number().step(1).min(1).default(240),
  readWindowMax: z.number().step(1).min(0).default(SESSION_QUERY_READ_WINDOW_MAX),
  persistedInspectConcurrency: z
    .number()
    .step(1)
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .default(SESSION_QUERY_DEFAULT_PERSISTED_INSPECT_CONCURRENCY),
})

/** Also for who mounts the service without the schema. */
export function resolved(config: Config): Required<Config> {
  const {
    path,
    openAt = 'startup',
    journalMode = 'wal',
    defaultLimit = 20,
    maxLimit = 100,
    snippetChars = 240,
    readWindowMax = SESSION_QUERY_READ_WINDOW_MAX,
    persistedInspectConcurrency = SESSION_QUERY_DEFAULT_PERSISTED_INSPECT_CONCURRENCY,
  } = config
  if (typeof path !== 'string' || path.trim() === '') throw invalid('path must not be blank')
  if (!OPEN_AT.includes(openAt)) throw invalid('openAt is not supported')
  if (!JOURNAL_MODES.includes(journalMode)) throw invalid('journalMode is not supported')
  assertInteger({ defaultLimit, maxLimit, snippetChars, persistedInspectConcurrency }, 1)
  assertInteger({ readWindowMax }, 0)
  if (defaultLimit > maxLimit) throw invalid('defaultLimit must be at most maxLimit')
  return {
    path,
    openAt,
    journalMode,
    defaultLimit,
    maxLimit,
    snippetChars,
    readWindowMax,
    persistedInspectConcurrency,
  }
}

function assertInteger(values: Readonly<Record<string, number>>, least: number): void {
  for (const [key, value] of Object.entries(values)) {
    if (Number.isSafeInteger(value) && value >= least && value <= LIMIT_MAX) continue
    throw invalid(`${key} must be an integer of at least ${least}`)
  }
}

function invalid(detail: string): SessionQueryError {
  return new SessionQueryError(`session-search config: ${detail}`, 'SESSION_QUERY_INVALID_CONFIG')
}
