/** The folded spellings under which a name is looked for, and how surely each one means its bearer. */
import { fold, withoutAccents } from './fold.ts'

/** Lower is surer: of equal spellings only the surest mean their bearers. */
export type Sureness = 0 | 1 | 2 | 3
const whole: Sureness = 0
const part: Sureness = 1
const wholeWithoutAccents: Sureness = 2
const partWithoutAccents: Sureness = 3

/** Longer names are not looked for; it bounds the search over any text. */
export const longestName = 128
const mostWords = 8

/** Words of a name that alone mean nobody: particles, courtesies, kinship, size and age. */
const commonWords = new Set(
  (
    'an and the of in on st saint jr sr ii iii iv ' +
    'mr mrs ms miss mx dr sir madam madame lady lord master mistress ' +
    'father mother brother sister uncle aunt old young big little great good ' +
    'de del della di da do dos das du des la le les los las el von van der den ter zu zum zur af av'
  ).split(' '),
)

/** A name whole, then its parts: runs of its words, and its first with its last. */
export function nameKeys(name: string): ReadonlyMap<string, Sureness> {
  const keys = new Map<string, Sureness>()
  const folded = fold(name)
  if (Array.from(folded).length > longestName) return keys
  const words = folded.split(' ').map(withoutPunctuation).filter(Boolean)

  const wholes = [folded, words.join(' ')].filter(isWritten)
  const parts = partsOf(words).map((run) => run.join(' '))
  add(keys, wholes, whole)
  add(keys, parts, part)
  add(keys, wholes.map(withoutAccents), wholeWithoutAccents)
  add(keys, parts.map(withoutAccents), partWithoutAccents)
  return keys
}

function add(keys: Map<string, Sureness>, spellings: readonly string[], sureness: Sureness): void {
  for (const spelling of spellings) {
    for (const key of [spelling, closedUp(spelling)]) if (!keys.has(key)) keys.set(key, sureness)
  }
}

function partsOf(words: readonly string[]): readonly (readonly string[])[] {
  if (words.length < 2) return []
  const runs: (readonly string[])[] = []
  const longestRun = words.length > mostWords ? 1 : words.length - 1
  for (let length = 1; length <= longestRun; length++) {
    for (let start = 0; start + length <= words.length; start++) {
      runs.push(words.slice(start, start + length))
    }
  }
  const [first, last] = [words[0], words.at(-1)]
  if (words.length > 2 && first !== undefined && last !== undefined) runs.push([first, last])
  return runs.filter((run) => run.some(isDistinctive))
}

/** Not a common word, not an initial, and not one character of a script without spaces. */
function isDistinctive(word: string): boolean {
  return isWritten(word) && !commonWords.has(word) && Array.from(word).length > 1
}

/** Has something to find: a card named ??? is in every question otherwise. */
function isWritten(text: string): boolean {
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text)
}

function withoutPunctuation(word: string): string {
  return word.replace(/^[^\p{L}\p{N}\p{Extended_Pictographic}]+/u, '').replace(/\p{P}+$/u, '')
}

/** 山田 太郎 is 山田太郎 in running text. */
function closedUp(spelling: string): string {
  return spelling.replace(
    /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30FC]) (?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/gu,
    '',
  )
}
