/** How the tools refuse: a closed code and our own words; what the service said goes to the log, for it may name what the caller must not see. */
import { HarnessError } from '@deepseek-ai/dsh-llm'
import { SessionQueryError } from '@deepseek-ai/dsh-session-query'

export type RecallErrorCode =
  | 'invalid-argument'
  /** Also for what is there and out of reach: the two look the same. */
  | 'not-found'
  | 'too-slow'
  /** Search is turned off, or the logs cannot be read now. */
  | 'unavailable'
  /** The call comes from no agent. */
  | 'no-agent'

export class RecallError extends HarnessError {
  override readonly code: RecallErrorCode

  constructor(code: RecallErrorCode, message: string, cause?: unknown) {
    super(message, code, { cause })
    this.name = 'RecallError'
    this.code = code
  }
}

export function notFound(what: string): RecallError {
  return new RecallError('not-found', `no ${what} that this agent may read`)
}

/** These messages tell of the request only. */
const aboutTheRequest: ReadonlySet<string> = new Set([
  'SESSION_QUERY_INVALID_QUERY',
  'SESSION_QUERY_INVALID_LIMIT',
  'SESSION_QUERY_INVALID_WINDOW',
])

/** What the service refused, as the agent is told. */
export function told(error: unknown, report: (text: string) => void): RecallError {
  if (error instanceof RecallError) return error
  if (error instanceof SessionQueryError) {
    if (aboutTheRequest.has(error.code)) return new RecallError('invalid-argument', error.message)
    if (error.code === 'SESSION_QUERY_SESSION_NOT_FOUND') return notFound('session')
    if (error.code === 'SESSION_QUERY_EVENT_NOT_FOUND') return notFound('event')
  }
  report(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return new RecallError('unavailable', 'past sessions cannot be read now')
}
