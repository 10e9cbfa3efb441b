/** One spelling for what a reader takes as the same: width, case, Latin accents, marks that show nothing. */

/** A piece of text, folded, and where each of its units came from. */
export interface FoldedPiece {
  readonly text: string
  readonly startOf: (index: number) => number
  /** One past the last unit. */
  readonly endOf: (index: number) => number
}

/** Ends with what separates terms, so no term lies in two pieces. */
const PIECE = /[^\s\p{P}]*[\s\p{P}]*/gu
/** Folding leaves each of these where it stands. */
const IN_PLACE =
  /^[\0-\x7f\u2013-\u201d\u3000-\u3029\u3041-\u3096\u30a1-\u30fe\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]*$/u
/** What may be one character together when folded: marks, half-width voicing, the parts of a Hangul syllable. */
const CLUSTER =
  /\P{M}[\p{M}\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7ff\p{Default_Ignorable_Code_Point}]*|\p{M}+/gu
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const ACCENT = /(?<=\p{sc=Latin}\p{M}*)[\u0300-\u036f]/gu
const MAY_HAVE_ACCENT = /[\u0300-\u036f]|[\u00c0-\u024f\u1e00-\u1eff]/u

export function folded(text: string): string {
  const plain = text.toWellFormed().normalize('NFKC').replace(INVISIBLE, '').toLowerCase()
  const cased = plain.replaceAll('ς', 'σ')
  if (!MAY_HAVE_ACCENT.test(cased)) return cased
  return cased.normalize('NFD').replace(ACCENT, '').normalize('NFC')
}

export function* foldedPieces(text: string): Generator<FoldedPiece> {
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    if (!IN_PLACE.test(piece)) yield byCluster(piece, index)
    else {
      yield { text: folded(piece), startOf: (at) => index + at, endOf: (at) => index + at + 1 }
    }
  }
}

function byCluster(piece: string, offset: number): FoldedPiece {
  const starts: number[] = []
  const ends: number[] = []
  let text = ''
  for (const { 0: cluster, index } of piece.matchAll(CLUSTER)) {
    const part = folded(cluster)
    text += part
    for (let unit = 0; unit < part.length; unit += 1) {
      starts.push(offset + index)
      ends.push(offset + index + cluster.length)
    }
  }
  const last = offset + piece.length
  return { text, startOf: (at) => starts[at] ?? offset, endOf: (at) => ends[at] ?? last }
}
