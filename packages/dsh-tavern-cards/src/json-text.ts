/** JSON text of a card: UTF-8, bounded in nesting before anything is built from it. */
import type { JsonValue } from 'dsh-fabric-protocol'
import type { JsonObject } from './card.ts'
import { CardError } from './card-error.ts'
import { maxJsonDepth } from './limits.ts'

export interface DecodedText {
  readonly text: string
  /** The text began with a byte order mark, now removed. */
  readonly marked: boolean
}

/** Throws `bad-json` for bytes that are not UTF-8. */
export function decodeText(bytes: Uint8Array, file: string): DecodedText {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    const found = 'UTF-16 byte order mark'
    throw new CardError('bad-json', `must be UTF-8 text, found a ${found}`, { file, found })
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const marked = text.startsWith('\uFEFF')
    return { text: marked ? text.slice(1) : text, marked }
  } catch (cause) {
    const found = 'bytes that are no UTF-8'
    throw new CardError('bad-json', `must be UTF-8 text, found ${found}`, { file, found }, cause)
  }
}

/** Throws `too-large` for nesting over the limit, `bad-json` for what does not parse. */
export function parseJson(text: string, file: string): JsonValue {
  requireBoundedDepth(text, file)
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch (cause) {
    const found = cause instanceof Error ? cause.message.slice(0, 200) : 'unknown'
    throw new CardError('bad-json', `is not valid JSON: ${found}`, { file, found }, cause)
  }
}

/** UTF-8 JSON, two spaces deep, ending in a newline; nesting over the limit is `too-large`. */
export function jsonText(value: JsonObject, file: string): string {
  const text = `${JSON.stringify(value, undefined, 2)}\n`
  requireBoundedDepth(text, file)
  return text
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What stands there, in few words, for messages. */
export function describeValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (typeof value === 'string') return value === '' ? 'empty text' : `text ${quoteShort(value)}`
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object'
  return `${typeof value} ${value}`
}

function quoteShort(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}

const quote = 0x22
const backslash = 0x5c

/** Counts brackets outside strings; damaged JSON is left to the parser. */
function requireBoundedDepth(text: string, file: string): void {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) depth--
    if (depth > maxJsonDepth) {
      const found = `nesting over ${maxJsonDepth}`
      throw new CardError('too-large', `must nest at most ${maxJsonDepth} deep`, { file, found })
    }
  }
}
