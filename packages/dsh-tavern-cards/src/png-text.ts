/** The text chunks of a PNG that carry a card: tEXt, zTXt and iTXt, by keyword. */
import { Unzlib } from 'fflate'
import { CardError } from './card-error.ts'
import { maxInflatedBytes } from './limits.ts'
import { asciiBytes, type PngChunk } from './png-chunks.ts'

export type CardKeyword = 'ccv3' | 'chara'

/** The keyword under which a chunk carries a card, in lower case; undefined for every other chunk. */
export function cardKeywordOf({ type, data }: PngChunk): CardKeyword | undefined {
  if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') return undefined
  const end = data.indexOf(0)
  if (end !== 4 && end !== 5) return undefined
  const keyword = String.fromCharCode(...data.subarray(0, end)).toLowerCase()
  return keyword === 'ccv3' || keyword === 'chara' ? keyword : undefined
}

/** The text of a card's chunk as bytes, inflated where it is compressed. */
export function cardTextOf(chunk: PngChunk, file: string): Uint8Array {
  const keywordEnd = chunk.data.indexOf(0)
  const rest = chunk.data.subarray(keywordEnd + 1)
  if (chunk.type === 'zTXt') return inflate(compressedPart(chunk, rest, file), chunk, file)
  if (chunk.type !== 'iTXt') return rest
  const languageEnd = rest.indexOf(0, 2)
  const translatedEnd = languageEnd < 0 ? -1 : rest.indexOf(0, languageEnd + 1)
  if (translatedEnd < 0) throw damaged(chunk, 'no text', file)
  const text = rest.subarray(translatedEnd + 1)
  if (rest[0] === 0) return text
  if (rest[0] !== 1) throw damaged(chunk, `compression flag ${rest[0]}`, file)
  compressedPart(chunk, rest.subarray(1), file)
  return inflate(text, chunk, file)
}

/** A plain tEXt chunk: the one form every reader of cards knows. */
export function textChunk(keyword: CardKeyword, text: Uint8Array): PngChunk {
  const data = new Uint8Array(keyword.length + 1 + text.length)
  data.set(asciiBytes(keyword))
  data.set(text, keyword.length + 1)
  return { type: 'tEXt', data }
}

function compressedPart(chunk: PngChunk, rest: Uint8Array, file: string): Uint8Array {
  if (rest[0] !== 0) throw damaged(chunk, `compression method ${rest[0] ?? 'missing'}`, file)
  return rest.subarray(1)
}

/** Fed in small pieces, so that a bomb is stopped at most about 4 MiB over the limit. */
const pieceBytes = 4096

function inflate(compressed: Uint8Array, chunk: PngChunk, file: string): Uint8Array {
  const parts: Uint8Array[] = []
  let size = 0
  const stream = new Unzlib((part) => {
    parts.push(part)
    size += part.length
  })
  for (let from = 0; ; from += pieceBytes) {
    const last = from + pieceBytes >= compressed.length
    try {
      stream.push(compressed.subarray(from, from + pieceBytes), last)
    } catch (cause) {
      throw damaged(chunk, cause instanceof Error ? cause.message : 'unknown', file, cause)
    }
    if (size > maxInflatedBytes) throw tooLarge(chunk, file)
    if (last) return joined(parts, size)
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

function tooLarge(chunk: PngChunk, file: string): CardError {
  const field = `chunk ${chunk.type}`
  const found = `over ${maxInflatedBytes} bytes`
  return new CardError('too-large', `${field} inflates to ${found}`, { file, field, found })
}

function damaged(chunk: PngChunk, found: string, file: string, cause?: unknown): CardError {
  const field = `chunk ${chunk.type}`
  return new CardError(
    'bad-png',
    `${field} cannot be read: ${found}`,
    { file, field, found },
    cause,
  )
}
