/** Why a cue failed, in a provider's own words as far as they may be kept and shown. */
import { cut, oneLine } from './quoting.ts'

export interface Failure {
  readonly status: 'failed'
  readonly code: string
  readonly message: string
}

/** A provider may answer with a page, or a whole traceback. */
const READ_CHARACTERS = 4096
const MESSAGE_BYTES = 1024
const CODE_BYTES = 64

/** Whatever is called a key, and keys as providers make them; the group is what may stay. */
const credentials: readonly RegExp[] = [
  /(\bbearer\s+)[^\s"',}]+/gi,
  /(\b(?:api[ _-]?key|access[ _-]?token|secret|password)\b[^:=\n]{0,24}[:=]\s*["']?)[^\s"',}]+/gi,
  /(\b(?:sk|pk|rk|gsk|xai|hf|nvapi|AIza)[-_])[\w-]{8,}/g,
]

/** One line of bounded size, without credentials that it repeats. */
export function failure(code: string, message: string): Failure {
  const read = oneLine(message.slice(0, READ_CHARACTERS)).toWellFormed()
  const shown = credentials.reduce((text, pattern) => text.replaceAll(pattern, '$1…'), read)
  return {
    status: 'failed',
    code: cut(oneLine(code).toWellFormed(), CODE_BYTES),
    message: cut(shown, MESSAGE_BYTES),
  }
}

/** Whatever was thrown, as a failure: a character that cannot be put on stage fails its cue, and the scene goes on. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return failure(typeof code === 'string' ? code : 'INTERNAL', message)
}
