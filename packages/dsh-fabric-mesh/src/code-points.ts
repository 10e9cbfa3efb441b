/** The order of text by code point, which is not that of UTF-16 units. */

const SURROGATES = 0xd800
const AFTER_SURROGATES = 0xe000

export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Units of pairs stand for what comes after the whole basic plane. */
function rank(unit: number): number {
  return unit >= SURROGATES && unit < AFTER_SURROGATES ? unit + 0x10000 : unit
}
