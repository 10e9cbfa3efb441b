/** Whether a key stands in a text as a word of its own, in any script. */

/** Letters, digits and the marks on them. */
const wordCharacter = /[\p{L}\p{N}\p{M}]/u

/** Scripts that put words side by side, or particles onto them: no edge can be asked for there. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}]/u

/** For every position of a text, the first one from there on at which a word may begin or end. */
export type WordEdges = Int32Array

const inside = -1

/**
 * Two neighbours hold together where both belong to scripts with gaps between words; every other
 * position is an edge, so Bob is a word in 小明Bob来了.
 */
export function wordEdges(text: string): WordEdges {
  const edges = new Int32Array(text.length + 1)
  let position = 0
  let spacedBefore = false
  for (const character of text) {
    const spaced = wordCharacter.test(character) && !unspaced.test(character)
    if (spaced && spacedBefore) edges[position] = inside
    if (character.length > 1) edges[position + 1] = inside
    position += character.length
    spacedBefore = spaced
  }
  let edge = text.length
  for (let at = text.length; at >= 0; at--) {
    if (edges[at] !== inside) edge = at
    edges[at] = edge
  }
  return edges
}

/** True where some occurrence of `key` begins and ends at edges; only edges are tried as beginnings. */
export function containsWord(text: string, edges: WordEdges, key: string): boolean {
  let at = text.indexOf(key)
  while (at >= 0) {
    const end = at + key.length
    if (edges[at] === at && edges[end] === end) return true
    at = text.indexOf(key, edges[at + 1])
  }
  return false
}
