/** What an argument of the mesh may be; every engine checks with these, so every engine refuses alike. */
import type { JsonValue } from 'dsh-fabric-protocol'
import { MeshError } from './error.ts'
import type { Author, Letter, MailboxPlace, Place, Post, Swap, Worker } from './mesh.ts'

const ID_BYTES = 256
export const LABEL_BYTES = 512
export const ERROR_BYTES = 8 * 1024
const IDENTITY_BYTES = 16 * 1024
const SECRET_BYTES = 16
export const LIMIT = { most: 500, default: 100 }
export const DELAY_MS = 30 * 24 * 60 * 60 * 1000
export const LEAST_LEASE_MS = 100
export const ATTEMPTS = 1000
export const PRIORITY = 100

function refuse(message: string, detail: Readonly<Record<string, unknown>>): never {
  throw new MeshError('invalid-argument', message, { detail })
}

export function checkText(thing: string, value: string, bytes: number, blank = false): string {
  if (typeof value !== 'string')
    refuse(`${thing} must be a string: found ${typeof value}`, { thing })
  const length = Buffer.byteLength(value)
  if (length > bytes || (!blank && value.trim() === '')) {
    const least = blank ? 0 : 1
    const found = value.trim() === '' ? 'a blank one' : `${length} bytes`
    refuse(`${thing} must have ${least} to ${bytes} UTF-8 bytes: found ${found}`, { thing, length })
  }
  if (!value.isWellFormed()) {
    refuse(`${thing} must be well-formed Unicode: found a lone surrogate`, { thing })
  }
  return value
}

export function checkId(thing: string, value: string): string {
  return checkText(thing, value, ID_BYTES)
}

export function checkIdentity(value: string): string {
  return checkText('workspace identity', value, IDENTITY_BYTES)
}

/** A key prefix may be empty: it then covers every key. */
export function checkPrefix(value: string): string {
  return checkText('key prefix', value, ID_BYTES, true)
}

export function checkErrorText(value: string): string {
  return checkText('error text', value, ERROR_BYTES, true)
}

export function checkReason(value: string): string {
  return checkText('release reason', value, ERROR_BYTES)
}

export function checkAuthor(author: Author): void {
  checkId('author (by)', author.by)
  if (author.cause !== undefined) checkId('cause', author.cause)
}

export function checkPlace(thing: string, place: Place): void {
  checkId(`${thing} id`, place.id)
  checkAuthor(place)
  if (place.label !== undefined)
    checkText(`label of ${thing} '${place.id}'`, place.label, LABEL_BYTES)
}

export function checkMailboxPlace(place: MailboxPlace): void {
  checkPlace('mailbox', place)
  const { leaseMs, maxAttempts } = place
  if (leaseMs !== undefined) checkInteger('leaseMs', leaseMs, [LEAST_LEASE_MS, DELAY_MS])
  if (maxAttempts !== undefined) checkInteger('maxAttempts', maxAttempts, [1, ATTEMPTS])
}

export function checkTopicPost(
  topicId: string,
  post: Post & { readonly to?: readonly string[] },
): void {
  checkId('topic id', topicId)
  checkAuthor(post)
  if (post.id !== undefined) checkId('message id', post.id)
  for (const addressee of post.to ?? []) checkId('addressee', addressee)
}

export function checkChange(change: Omit<Swap, 'value'>): void {
  checkId('state key', change.key)
  checkCount('expected version', change.expectedVersion)
  checkAuthor(change)
  if (change.id !== undefined) checkId('change id', change.id)
}

export function checkLetter(letter: Letter): void {
  checkAuthor(letter)
  if (letter.id !== undefined) checkId('message id', letter.id)
  checkInteger('priority', letter.priority ?? 0, [-PRIORITY, PRIORITY])
  checkInteger('delayMs', letter.delayMs ?? 0, [0, DELAY_MS])
}

export function checkWorker(worker: Worker): void {
  checkId('worker id', worker.id)
  const length = typeof worker.secret === 'string' ? Buffer.byteLength(worker.secret) : 0
  if (length < SECRET_BYTES) {
    const wanted = `the secret of worker '${worker.id}' must have at least ${SECRET_BYTES} bytes`
    refuse(`${wanted}: found ${length}`, { worker: worker.id, length })
  }
}

export function checkInteger(
  thing: string,
  value: number,
  range: readonly [number, number],
): number {
  const [least, most] = range
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    const wanted = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `${least} to ${most}`
    refuse(`${thing} must be an integer ${wanted}: found ${String(value)}`, { thing, value })
  }
  return value
}

export function checkLimit(value: number = LIMIT.default): number {
  return checkInteger('limit', value, [1, LIMIT.most])
}

/** Cursors, versions and counts. */
export function checkCount(thing: string, value: number): number {
  return checkInteger(thing, value, [0, Number.MAX_SAFE_INTEGER])
}

/** The JSON text of a value, taken now: what the caller changes later is not stored. */
export function encodeJson(thing: string, value: JsonValue, limitBytes: number): string {
  const text = stringify(thing, value)
  const length = Buffer.byteLength(text)
  if (length <= limitBytes) return text
  throw new MeshError(
    'payload-too-large',
    `${thing} must have at most ${limitBytes} bytes of JSON: found ${length}`,
    { detail: { thing, length, limitBytes } },
  )
}

function stringify(thing: string, value: JsonValue): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw new MeshError('invalid-argument', `${thing} must be JSON: ${String(cause)}`, { cause })
  }
  return text ?? refuse(`${thing} must be JSON: found ${typeof value}`, { thing })
}
