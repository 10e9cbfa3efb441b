/** Builds PNG files chunk by chunk, with another implementation of CRC and deflate than the code under test. */
import { crc32, deflateSync } from 'node:zlib'

export interface Chunk {
  readonly type: string
  readonly data: Uint8Array
}

export const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function chunk(type: string, data: Uint8Array | string = ''): Chunk {
  return { type, data: typeof data === 'string' ? Buffer.from(data, 'latin1') : data }
}

export function png(chunks: readonly Chunk[]): Uint8Array {
  return new Uint8Array(Buffer.concat([signature, ...chunks.map(bytesOf)]))
}

export function bytesOf({ type, data }: Chunk): Uint8Array {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

/** The chunks of a sound PNG. */
export function chunksOf(bytes: Uint8Array): readonly Chunk[] {
  const file = Buffer.from(bytes)
  const chunks: Chunk[] = []
  for (let offset = signature.length; offset < file.length;) {
    const length = file.readUInt32BE(offset)
    const type = file.toString('latin1', offset + 4, offset + 8)
    chunks.push({ type, data: file.subarray(offset + 8, offset + 8 + length) })
    offset += 12 + length
  }
  return chunks
}

/** A picture of one grey pixel. */
export const header = chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]))
export const picture = chunk('IDAT', deflateSync(Buffer.from([0, 128])))
export const end = chunk('IEND')

export function base64(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64')
}

export function tEXt(keyword: string, text: string): Chunk {
  return chunk('tEXt', `${keyword}\0${text}`)
}

export function zTXt(keyword: string, text: string, method = '\0'): Chunk {
  return chunk('zTXt', Buffer.concat([latin1(`${keyword}\0${method}`), deflateSync(latin1(text))]))
}

export function iTXt(keyword: string, text: string, compressed: boolean): Chunk {
  const body = compressed ? deflateSync(latin1(text)) : latin1(text)
  const flag = compressed ? '\x01' : '\0'
  return chunk('iTXt', Buffer.concat([latin1(`${keyword}\0${flag}\0en\0Karte\0`), body]))
}

/** A PNG whose one text chunk stands before the picture. */
export function pngWith(...texts: readonly Chunk[]): Uint8Array {
  return png([header, ...texts, picture, end])
}

/** The JSON that a chunk of this keyword holds. */
export function jsonIn(bytes: Uint8Array, keyword: string): unknown {
  const start = Buffer.from(`${keyword}\0`)
  const texts = chunksOf(bytes).filter(({ type }) => type === 'tEXt')
  const found = texts.find(({ data }) => Buffer.from(data).subarray(0, start.length).equals(start))
  if (found === undefined) throw new Error(`no chunk ${keyword}`)
  const text = Buffer.from(found.data).toString('latin1').slice(start.length)
  return JSON.parse(Buffer.from(text, 'base64').toString())
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}
