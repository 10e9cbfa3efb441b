/** A portrait for characters that have no picture: a silhouette in two tones of one hue. */
import { zlibSync } from 'fflate'
import { fnv1a } from './checksum.ts'
import { writeChunks } from './png-chunks.ts'

const width = 256
const height = 384

/** A small valid PNG, the same for the same name, its hue derived from the name. */
export function defaultPortrait(name: string): Uint8Array {
  const hue = fnv1a(new TextEncoder().encode(name)) % 360
  const palette = Uint8Array.of(...tone(hue, 0.32), ...tone(hue, 0.68))
  return writeChunks(
    [
      { type: 'IHDR', data: header() },
      { type: 'PLTE', data: palette },
      { type: 'IDAT', data: zlibSync(pixels(), { level: 9 }) },
      { type: 'IEND', data: new Uint8Array() },
    ],
    'portrait',
  )
}

/** One bit a pixel, colours from a palette, no interlacing. */
function header(): Uint8Array {
  const data = new Uint8Array(13)
  const view = new DataView(data.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  data.set([1, 3, 0, 0, 0], 8)
  return data
}

/** Rows of a filter byte and their bits: the second tone inside head and shoulders. */
function pixels(): Uint8Array {
  const stride = 1 + width / 8
  const rows = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const head = inEllipse({ x: x - 128, y: y - 150, across: 62, down: 76 })
      const shoulders = inEllipse({ x: x - 128, y: y - 384, across: 116, down: 130 })
      if (!head && !shoulders) continue
      const place = y * stride + 1 + (x >> 3)
      rows[place] = (rows[place] ?? 0) | (0x80 >> (x & 7))
    }
  }
  return rows
}

/** `x` and `y` from the ellipse's middle. */
function inEllipse(at: { x: number; y: number; across: number; down: number }): boolean {
  return (at.x / at.across) ** 2 + (at.y / at.down) ** 2 <= 1
}

/** Red, green and blue of a hue in degrees at a lightness from 0 to 1, moderately saturated. */
function tone(hue: number, lightness: number): readonly number[] {
  const chroma = 0.45 * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const sector = (offset + hue / 30) % 12
    const share = Math.max(-1, Math.min(sector - 3, 9 - sector, 1))
    return Math.round(255 * (lightness - chroma * share))
  })
}
