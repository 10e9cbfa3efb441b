/** Where a name may begin and end in a folded text, in every script. */

/**
 * `word`: letters and digits of scripts that part words by spaces. `katakana`: runs that end where
 * the script changes. `free`: scripts without spaces, or with endings written on (Han, Hiragana,
 * Hangul, Thai...), and everything that is no letter: a name may begin and end beside it.
 */
type PointKind = 'word' | 'katakana' | 'free'

const freeScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u30FC]/u
const apostrophe = 0x27

interface Point {
  readonly kind: PointKind
  /** A combining mark: it belongs to the letter before it, in every script. */
  readonly isMark: boolean
}
const known = new Map<number, Point>()

/** True when no word runs across the place before `points[index]`. */
export function isBoundary(points: readonly number[], index: number): boolean {
  const before = points[index - 1]
  const after = points[index]
  if (before === undefined || after === undefined) return true
  if (isJoined(before, after)) return false
  if (after === apostrophe) return !isLetterApostrophe(points, index)
  if (before === apostrophe) return !isLetterApostrophe(points, index - 1)
  return true
}

function isJoined(before: number, after: number): boolean {
  const { kind, isMark } = pointOf(after)
  return isMark || (kind !== 'free' && kind === pointOf(before).kind)
}

/** An apostrophe inside a word (don't, o'neil, мар'яна), not one before an ending or a quotation. */
function isLetterApostrophe(points: readonly number[], index: number): boolean {
  const [before, after] = [points[index - 1], points[index + 1]]
  if (before === undefined || after === undefined) return false
  if (isCyrillic(before) && isCyrillic(after)) return true
  const isNegation = before === 0x6e && after === 0x74 && !isWord(points[index + 2])
  const isPatronym = before === 0x6f && isWord(after) && !isWord(points[index - 2])
  return isNegation || isPatronym
}

function isWord(point: number | undefined): boolean {
  return point !== undefined && pointOf(point).kind === 'word'
}

function isCyrillic(point: number): boolean {
  return /\p{Script=Cyrillic}/u.test(String.fromCodePoint(point))
}

function pointOf(point: number): Point {
  const found = known.get(point) ?? classify(String.fromCodePoint(point))
  known.set(point, found)
  return found
}

function classify(character: string): Point {
  return { kind: kindOf(character), isMark: /\p{M}/u.test(character) }
}

function kindOf(character: string): PointKind {
  if (freeScripts.test(character)) return 'free'
  if (/\p{Script=Katakana}/u.test(character)) return 'katakana'
  return /[\p{L}\p{M}\p{N}]/u.test(character) ? 'word' : 'free'
}
