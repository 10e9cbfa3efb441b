/** Reads a card from a file's bytes; what kind of file it is, its content decides. */
import type { JsonValue } from 'dsh-fabric-protocol'
import type { CardReading } from './card.ts'
import { CardError } from './card-error.ts'
import { readCardFields } from './card-fields.ts'
import { cardBodyOf } from './card-spec.ts'
import { decodeBase64 } from './base64.ts'
import { WarningLog } from './fields.ts'
import { decodeText, describeValue, isObject, parseJson } from './json-text.ts'
import { maxFileBytes } from './limits.ts'
import { looksLikePng, readChunks } from './png-chunks.ts'
import { cardKeywordOf, cardTextOf } from './png-text.ts'

/** Throws nothing but CardError. `name` is what messages call the file; it decides nothing. */
export function readCard(bytes: Uint8Array, name: string): CardReading {
  const file = name
  if (bytes.length > maxFileBytes) {
    const found = `${bytes.length} bytes`
    throw new CardError('too-large', `must be at most ${maxFileBytes} bytes, found ${found}`, {
      file,
      found,
    })
  }
  const log = new WarningLog(file)
  const carrier = looksLikePng(bytes) ? 'png' : 'json'
  const value = carrier === 'png' ? valueInPng(bytes, log) : valueInText(bytes, log)
  if (!isObject(value)) throw notACard(describeValue(value), file)
  const body = cardBodyOf(value, log)
  const card = readCardFields(body, log)
  return { version: body.version, carrier, card, source: value, warnings: log.list() }
}

function valueInPng(bytes: Uint8Array, log: WarningLog): JsonValue {
  const chunks = readChunks(bytes, log.file)
  const chunk =
    chunks.find((candidate) => cardKeywordOf(candidate) === 'ccv3') ??
    chunks.find((candidate) => cardKeywordOf(candidate) === 'chara')
  if (chunk === undefined) throw notACard('a PNG without a chara or ccv3 text chunk', log.file)
  const payload = decodeBase64(cardTextOf(chunk, log.file))
  if (payload.ok) return parseJson(decodeMarkedText(payload.bytes, log), log.file)
  const field = `chunk ${chunk.type} ${cardKeywordOf(chunk) ?? ''}`
  throw new CardError('bad-base64', `${field} must be base64, found ${payload.found}`, {
    file: log.file,
    field,
    found: payload.found,
  })
}

/** Text that begins like JSON is held to it; anything else that does not parse is just no card. */
function valueInText(bytes: Uint8Array, log: WarningLog): JsonValue {
  const format = unsupportedFormat(bytes)
  if (format !== undefined) {
    const problem = `is ${format}, which is not read here; give the card as JSON or PNG`
    throw new CardError('unsupported', problem, { file: log.file, found: format })
  }
  try {
    return parseJson(decodeMarkedText(bytes, log), log.file)
  } catch (error) {
    const damaged = error instanceof CardError && error.code === 'bad-json'
    if (damaged && !beginsLikeJson(bytes)) throw notACard('neither JSON nor PNG', log.file)
    throw error
  }
}

function decodeMarkedText(bytes: Uint8Array, log: WarningLog): string {
  const { text, marked } = decodeText(bytes, log.file)
  if (marked) log.add('file', 'a byte order mark', 'read past')
  return text
}

/** Formats that hold pictures or archives, by their first bytes; undefined bytes may be any. */
const formats: readonly (readonly [string, readonly (number | undefined)[]])[] = [
  ['a zip archive (CHARX)', [0x50, 0x4b, 0x03, 0x04]],
  ['an empty zip archive', [0x50, 0x4b, 0x05, 0x06]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  [
    'a WebP image',
    [0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x45, 0x42, 0x50],
  ],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
]

function unsupportedFormat(bytes: Uint8Array): string | undefined {
  const begins = (start: readonly (number | undefined)[]) =>
    start.every((byte, index) => byte === undefined || bytes[index] === byte)
  return formats.find(([, start]) => begins(start))?.[0]
}

/** An opening brace or bracket after a byte order mark and white space. */
function beginsLikeJson(bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, 64))
  return /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\0?\s*[{[]/.test(start)
}

function notACard(found: string, file: string): CardError {
  return new CardError('not-a-card', `is no character card, found ${found}`, { file, found })
}
