/** Base64 as cards carry it: strict about letters and padding, indifferent to white space. */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const letters = Uint8Array.from(alphabet, (letter) => letter.charCodeAt(0))
const padding = '='.charCodeAt(0)
const blank = 0xfd
const pad = 0xfe
const foreign = 0xff

/** What each byte means: a value up to 63, or one of the three above. */
const meaning = new Uint8Array(256).fill(foreign)
letters.forEach((letter, value) => (meaning[letter] = value))
meaning[padding] = pad
for (const space of ' \t\n\r\f\v') meaning[space.charCodeAt(0)] = blank

export type Base64Reading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly found: string }

/** The bytes that the text stands for, or what is wrong with it. */
export function decodeBase64(text: Uint8Array): Base64Reading {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let length = 0
  let group = 0
  let digits = 0
  let pads = 0
  for (let index = 0; index < text.length; index++) {
    const value = meaning[text[index] ?? 0] ?? foreign
    if (value === blank) continue
    if (value === foreign) return { ok: false, found: `byte ${text[index]} at ${index}` }
    if (value === pad) pads++
    else if (pads > 0) return { ok: false, found: `data after the padding at ${index}` }
    else {
      group = (group << 6) | value
      if (++digits % 4 > 0) continue
      bytes[length++] = group >>> 16
      bytes[length++] = group >>> 8
      bytes[length++] = group
      group = 0
    }
  }
  const rest = digits % 4
  if (rest === 1 || pads !== (4 - rest) % 4) {
    return { ok: false, found: `${digits} digits and ${pads} padding signs` }
  }
  if (rest === 0) return { ok: true, bytes: bytes.subarray(0, length) }
  const spareBits = rest === 2 ? 4 : 2
  if ((group & ((1 << spareBits) - 1)) > 0) return { ok: false, found: 'stray bits at the end' }
  const tail = group >>> spareBits
  if (rest === 3) bytes[length++] = tail >>> 8
  bytes[length++] = tail
  return { ok: true, bytes: bytes.subarray(0, length) }
}

/** Base64 text, as ASCII bytes on one line. */
export function encodeBase64(bytes: Uint8Array): Uint8Array {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const left = bytes.length - from
    const group =
      ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0)
    text[to] = letters[group >>> 18] ?? padding
    text[to + 1] = letters[(group >>> 12) & 63] ?? padding
    text[to + 2] = left > 1 ? (letters[(group >>> 6) & 63] ?? padding) : padding
    text[to + 3] = left > 2 ? (letters[group & 63] ?? padding) : padding
  }
  return text
}
