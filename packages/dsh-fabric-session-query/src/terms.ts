/** Text as terms: words where a script has spaces, single characters where it has none, pictures each for itself. */
import { folded, foldedPieces } from './folding.ts'

/** A term and where it stood in the original text, in UTF-16 units. */
export interface Place {
  readonly term: string
  readonly start: number
  readonly end: number
}

/** Scripts that are written without spaces, or (Hangul) whose words carry endings: each character is a term. */
const CHARACTER = String.raw`[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Yi}\p{scx=Nushu}\p{scx=Tangut}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]&&[\p{L}\p{N}]]`
const WORD = String.raw`[[\p{L}\p{N}\p{M}\p{Co}]--${CHARACTER}]+`
const PICTURE = String.raw`[\p{Extended_Pictographic}\p{RI}\p{Emoji_Modifier}]`
const TERM = new RegExp(String.raw`${CHARACTER}\p{M}*|${WORD}|${PICTURE}`, 'gv')

/** In order. Everything else in the text separates terms, and is not found. */
export function termsOf(text: string): readonly string[] {
  return folded(text).match(TERM) ?? []
}

/** The same terms with their places; lazily, for the first match is usually early. */
export function* placesOf(text: string): Generator<Place> {
  for (const piece of foldedPieces(text)) {
    for (const { 0: term, index } of piece.text.matchAll(TERM)) {
      yield { term, start: piece.startOf(index), end: piece.endOf(index + term.length - 1) }
    }
  }
}
