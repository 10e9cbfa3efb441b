/** Cursors belong to one request, one service and one state of what is searched; nothing else may be read from them. */
import { createHash } from 'node:crypto'
import { SessionQueryError, SessionSearchCursor } from '@deepseek-ai/dsh-session-query'

/** What a cursor holds on to. */
export interface CursorBinding {
  /** Of the service that gave it. */
  readonly instance: string
  /** Of the request. */
  readonly identity: string
  /** Of what was searched. */
  readonly generation: string
}

export function cursorAt(binding: CursorBinding, offset: number): SessionSearchCursor {
  const content = JSON.stringify([offset, requestKey(binding), digest(binding.generation)])
  return SessionSearchCursor(Buffer.from(content).toString('base64url'))
}

export function offsetOf(cursor: SessionSearchCursor | undefined, binding: CursorBinding): number {
  if (cursor === undefined) return 0
  const [offset, request, generation] = decoded(cursor)
  if (request !== requestKey(binding) || !isOffset(offset)) {
    throw invalid(new Error('cursor does not belong to this normalized request'))
  }
  if (generation === digest(binding.generation)) return offset
  throw new SessionQueryError(
    'session-search cursor is stale because its relevant corpus changed',
    'SESSION_QUERY_STALE_CURSOR',
  )
}

function decoded(cursor: SessionSearchCursor): readonly unknown[] {
  let content: unknown
  try {
    content = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch (error) {
    throw invalid(error)
  }
  return Array.isArray(content) ? content : []
}

function requestKey({ instance, identity }: CursorBinding): string {
  return digest(JSON.stringify([instance, identity]))
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function invalid(cause: unknown): SessionQueryError {
  return new SessionQueryError('session-search cursor is invalid', 'SESSION_QUERY_INVALID_CURSOR', {
    cause,
  })
}
