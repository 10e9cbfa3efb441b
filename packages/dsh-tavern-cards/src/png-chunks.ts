/** A PNG as its list of chunks: read with every checksum verified, written back byte for byte. */
import { CardError } from './card-error.ts'
import { crc32 } from './checksum.ts'
import { maxFileBytes, maxPngChunks } from './limits.ts'

export interface PngChunk {
  /** Four ASCII letters. */
  readonly type: string
  readonly data: Uint8Array
}

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Length, type and checksum. */
const overhead = 12

/** Holds for damaged PNGs too, so that they are called that and not something else. */
export function looksLikePng(bytes: Uint8Array): boolean {
  const saysPng = bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47
  return bytes[0] === 0x89 || saysPng
}

/** The chunks up to and with IEND; whatever follows it is no part of the PNG. */
export function readChunks(bytes: Uint8Array, file: string): readonly PngChunk[] {
  requireSignature(bytes, file)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: PngChunk[] = []
  let offset = signature.length
  while (true) {
    if (chunks.length === maxPngChunks) throw tooManyChunks(file)
    const chunk = readChunk({ view, bytes, offset, file })
    if (chunks.length === 0 && chunk.type !== 'IHDR') {
      const problem = `must be a PNG that begins with chunk IHDR, found ${chunk.type}`
      throw new CardError('bad-png', problem, { file, found: chunk.type })
    }
    chunks.push(chunk)
    if (chunk.type === 'IEND') return chunks
    offset += overhead + chunk.data.length
  }
}

/** Throws `too-large` where the reader would refuse the result. */
export function writeChunks(chunks: readonly PngChunk[], file: string): Uint8Array {
  if (chunks.length > maxPngChunks) throw tooManyChunks(file)
  const size = chunks.reduce((sum, chunk) => sum + overhead + chunk.data.length, signature.length)
  if (size > maxFileBytes) {
    const problem = `would be a PNG of ${size} bytes, over the limit of ${maxFileBytes}`
    throw new CardError('too-large', problem, { file, found: `${size} bytes` })
  }
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  bytes.set(signature)
  let offset = signature.length
  for (const { type, data } of chunks) {
    view.setUint32(offset, data.length)
    bytes.set(asciiBytes(type), offset + 4)
    bytes.set(data, offset + 8)
    view.setUint32(
      offset + 8 + data.length,
      crc32(bytes.subarray(offset + 4, offset + 8 + data.length)),
    )
    offset += overhead + data.length
  }
  return bytes
}

/** The bytes of a text that is known to be ASCII. */
export function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

function requireSignature(bytes: Uint8Array, file: string): void {
  const damaged = signature.findIndex((byte, index) => bytes[index] !== byte)
  if (damaged < 0) return
  if (damaged >= bytes.length) throw endsEarly(file, 'the PNG signature')
  const found = `byte ${bytes[damaged]} at ${damaged}`
  throw new CardError('bad-png', `has a damaged PNG signature: ${found}`, { file, found })
}

interface ChunkPlace {
  readonly view: DataView
  readonly bytes: Uint8Array
  readonly offset: number
  readonly file: string
}

function readChunk({ view, bytes, offset, file }: ChunkPlace): PngChunk {
  if (offset + overhead > bytes.length) throw endsEarly(file, 'the chunks before IEND')
  const length = view.getUint32(offset)
  const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8))
  if (!/^[A-Za-z]{4}$/.test(type)) {
    const found = JSON.stringify(type)
    throw new CardError('bad-png', `has a chunk whose type is ${found}`, { file, found })
  }
  if (offset + overhead + length > bytes.length) throw endsEarly(file, `chunk ${type}`)
  const end = offset + 8 + length
  if (crc32(bytes.subarray(offset + 4, end)) !== view.getUint32(end)) {
    const field = `chunk ${type}`
    throw new CardError('bad-crc', `has a wrong checksum in ${field} at byte ${offset}`, {
      file,
      field,
      found: `byte ${offset}`,
    })
  }
  return { type, data: bytes.subarray(offset + 8, end) }
}

function endsEarly(file: string, field: string): CardError {
  return new CardError('truncated', `ends inside ${field}`, { file, field, found: 'end of file' })
}

function tooManyChunks(file: string): CardError {
  const found = `more than ${maxPngChunks} chunks`
  return new CardError('too-large', `has ${found}`, { file, found })
}
