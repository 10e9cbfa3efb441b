/** The portrait of a character without a picture is a real PNG. */
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { defaultPortrait } from 'dsh-tavern-cards'
import { chunksOf, png } from './png.ts'

const chunkOf = (bytes: Uint8Array, type: string) =>
  Buffer.from(chunksOf(bytes).find((chunk) => chunk.type === type)?.data ?? [])

describe('default portrait', () => {
  it('has the chunks of a palette image with sound checksums', () => {
    const bytes = defaultPortrait('Mara')
    const chunks = chunksOf(bytes)

    expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND'])
    expect(Buffer.from(bytes).equals(png(chunks))).toBe(true)
    expect(bytes.length).toBeLessThan(4096)
  })

  it('is 256 by 384 pixels in both of its tones', () => {
    const bytes = defaultPortrait('Mara')
    const header = chunkOf(bytes, 'IHDR')
    const rows = inflateSync(chunkOf(bytes, 'IDAT'))
    const palette = chunkOf(bytes, 'PLTE')

    expect([header.readUInt32BE(0), header.readUInt32BE(4), header[8], header[9]]).toEqual([
      256, 384, 1, 3,
    ])
    expect(rows).toHaveLength(384 * (1 + 256 / 8))
    const lit = rows.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
    expect(lit / (256 * 384)).toBeGreaterThan(0.2)
    expect(lit / (256 * 384)).toBeLessThan(0.8)
    expect(palette.subarray(0, 3).equals(palette.subarray(3))).toBe(false)
  })

  it('is the same for the same name and tells names apart', () => {
    expect(defaultPortrait('Mara')).toEqual(defaultPortrait('Mara'))
    expect(defaultPortrait('Mara')).not.toEqual(defaultPortrait('关云长'))
  })
})
