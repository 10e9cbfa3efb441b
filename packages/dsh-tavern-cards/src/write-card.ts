/** Writes a card as a JSON file, or into a PNG under both of the names that readers look for. */
import { encodeBase64 } from './base64.ts'
import type { JsonObject } from './card.ts'
import { CardError } from './card-error.ts'
import { toV2, toV3 } from './convert-card.ts'
import { jsonText } from './json-text.ts'
import { maxFileBytes } from './limits.ts'
import { readChunks, writeChunks } from './png-chunks.ts'
import { type CardKeyword, cardKeywordOf, textChunk } from './png-text.ts'

/** The name of what is being written, in errors. */
const exported = 'export'

/** The source as it is, in UTF-8. Throws `too-large` where the reader would refuse it. */
export function writeCardJson(source: JsonObject): Uint8Array {
  const bytes = new TextEncoder().encode(jsonText(source, exported))
  if (bytes.length <= maxFileBytes) return bytes
  const found = `${bytes.length} bytes`
  throw new CardError('too-large', `would be ${found}, over the limit of ${maxFileBytes}`, {
    file: exported,
    found,
  })
}

/**
 * The image with the card in it: `chara` as V2, `ccv3` as V3, right before IEND. Card chunks it had
 * are dropped; all other chunks keep their order and their bytes.
 */
export function writeCardPng(imagePng: Uint8Array, source: JsonObject): Uint8Array {
  const chunks = readChunks(imagePng, 'image')
  const kept = chunks.filter((chunk) => cardKeywordOf(chunk) === undefined)
  const cards = [cardChunk('chara', toV2(source)), cardChunk('ccv3', toV3(source))]
  return writeChunks([...kept.slice(0, -1), ...cards, ...kept.slice(-1)], exported)
}

function cardChunk(keyword: CardKeyword, card: JsonObject) {
  return textChunk(keyword, encodeBase64(new TextEncoder().encode(jsonText(card, exported))))
}
