/** Checksums of bytes: the PNG's CRC, and short hashes that tell contents apart. */

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 as PNG and zlib define it. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** FNV-1a, 32 bits. */
export function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** 16 hex digits that change with the text; no defence against someone who wants two alike. */
export function contentHash(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return hex(crc32(bytes)) + hex(fnv1a(bytes))
}

/** 8 hex digits, the same for the same text everywhere. */
export function shortHash(text: string): string {
  return hex(fnv1a(new TextEncoder().encode(text)))
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
