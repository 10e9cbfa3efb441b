/** Text of others inside a model's text: it never starts a line of its own, and takes no more bytes than it may. */

/** UTF-8 bytes of one value of the world; the whole of it is there for the asking. */
const VALUE_BYTES = 512

/** Whatever some reader takes for the end of a line. */
const lineBreaks = /[\n\v\f\r\u0085\u2028\u2029]+/g

/** Lines after the first are indented, so none can look like a heading. */
export function indented(text: string): string {
  const lines = text.split(lineBreaks).map((line) => line.trimEnd())
  return lines
    .filter((line) => line !== '')
    .join('\n  ')
    .trimStart()
}

export function oneLine(text: string): string {
  return text.replaceAll(lineBreaks, ' ').trim()
}

/** A name that begins a line: in brackets it would look like a heading. */
export function leadingName(name: string): string {
  const line = oneLine(name)
  return line.startsWith('[') ? line.replaceAll('[', '(').replaceAll(']', ')') : line
}

/** JSON on one line, cut where it is long. */
export function valueText(value: unknown): string {
  const json = JSON.stringify(value).replaceAll(lineBreaks, (found) =>
    Array.from(found, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  )
  return cut(json, VALUE_BYTES)
}

export function byteLength(text: string): number {
  return Buffer.byteLength(text)
}

/** At most this many UTF-8 bytes (3 or more), never inside a character. */
export function cut(text: string, bytes: number): string {
  const all = Buffer.from(text)
  if (all.length <= bytes) return text
  let end = Math.max(0, bytes - byteLength('…'))
  while (isInsideCharacter(all[end])) end -= 1
  return `${all.subarray(0, end).toString()}…`
}

function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0
}
