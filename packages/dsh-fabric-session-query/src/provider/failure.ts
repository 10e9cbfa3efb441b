/** What SQLite says, as what there is to do about it. */
import { SessionQueryError } from '@deepseek-ai/dsh-session-query'

const PLAIN_ERROR = 1
const BUSY = 5
const CORRUPT = 11
const NOT_A_DATABASE = 26
/** Another process has put a new file in this one's place. */
const MOVED = 1032

export type Failure = 'busy' | 'damaged' | 'other'

export function failureOf(error: unknown): Failure {
  const code = codeOf(error)
  if (code === undefined) return 'other'
  if (code === MOVED) return 'damaged'
  const primary = code & 0xff
  if (primary === BUSY) return 'busy'
  return primary === CORRUPT || primary === NOT_A_DATABASE ? 'damaged' : 'other'
}

/** While opening, plain errors too: then the statements are always the same, and only the file can be wrong. */
export function isUnusable(error: unknown): boolean {
  return failureOf(error) === 'damaged' || codeOf(error) === PLAIN_ERROR
}

export function indexFailed(what: string, cause?: unknown): SessionQueryError {
  const reason = cause instanceof Error ? `: ${cause.message}` : ''
  return new SessionQueryError(`session search ${what}${reason}`, 'SESSION_QUERY_INDEX_FAILED', {
    cause,
  })
}

export function aborted(cause?: unknown): SessionQueryError {
  return new SessionQueryError('session-search aborted', 'SESSION_QUERY_ABORTED', { cause })
}

export function assertNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal.reason)
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode : undefined
}
