/** The range of keys that begin with a prefix, in the order SQLite keeps text: by code point. */

const LAST = 0x10ffff
const BEFORE_SURROGATES = 0xd7ff
const AFTER_SURROGATES = 0xe000

/** A blob sorts after every text: the end of a range without an upper bound. */
const NO_END = new Uint8Array(0)

/** The first text after every text with the prefix. */
export function prefixEnd(prefix: string): string | Uint8Array {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  while (points.at(-1) === LAST) points.pop()
  const last = points.pop()
  if (last === undefined) return NO_END
  points.push(last === BEFORE_SURROGATES ? AFTER_SURROGATES : last + 1)
  return String.fromCodePoint(...points)
}
