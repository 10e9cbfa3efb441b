/** Text into the words by which it is compared: stems, and meanings where the lexicon knows them. */
import { lexicon } from './lexicon.ts'
import { stopWords } from './stop-words.ts'

const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/v
const RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+|\p{Script=Hangul}+|[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]]+/gv
/** The meaning of every path. */
export const FILE = '#file'
const LONGEST_MEANING = 8
const ADDRESS = /https?:\/\/[^\s]+/g
/** With an ending, a leading dot or tilde, or two slashes: what is written so is a file, whatever it is called. */
const PATH =
  /(?<![\w./~-])(?:~?\.{0,2}\/[\w./-]+|[\w-]+\/[\w-]+\/[\w./-]*|[\w/-]{2,}(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,4}(?![\w.]))/gi

const meanings = readLexicon()

export function wordsOf(text: string): readonly string[] {
  const runs = plain(text).match(RUN) ?? []
  const words: string[] = []
  for (let at = 0; at < runs.length; at += 1) {
    const run = runs[at] ?? ''
    const pair = meanings.get(`${stem(run)} ${stem(runs[at + 1] ?? '')}`)
    if (pair !== undefined) at += 1
    words.push(...(pair ?? wordsOfRun(run)))
  }
  return words
}

function wordsOfRun(run: string): readonly string[] {
  if (UNSPACED.test(run)) return unspaced(run)
  if (stopWords.has(run)) return []
  const base = stem(run)
  return meanings.get(base) ?? [base]
}

/** In lower case, split at changes of case and at underscores, with paths and addresses as the words they are. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(ADDRESS, ' web ')
    .replace(PATH, ' file ')
    .replace(/\bto-do\b/gi, 'todo')
    .replace(/\b(?:Java|Type)Script\b/g, 'javascript')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
}

/** The longest words the lexicon knows; what lies between them, as the language's own segmentation has it. */
function unspaced(run: string): readonly string[] {
  const words: string[] = []
  let rest = ''
  const flush = () => {
    words.push(...segments(rest))
    rest = ''
  }
  for (let at = 0; at < run.length;) {
    const known = knownAt(run, at)
    if (known === undefined) {
      rest += run[at]
      at += 1
    } else {
      flush()
      words.push(...(meanings.get(known) ?? []))
      at += known.length
    }
  }
  flush()
  return words
}

function knownAt(run: string, at: number): string | undefined {
  for (let length = LONGEST_MEANING; length > 0; length -= 1) {
    const word = run.slice(at, at + length)
    if (word.length === length && meanings.has(word)) return word
  }
  return undefined
}

const segmenter =
  typeof Intl.Segmenter === 'function'
    ? new Intl.Segmenter('zh', { granularity: 'word' })
    : undefined

/** A single sign says too little to be a word of its own. */
function segments(text: string): readonly string[] {
  if (text.length < 2) return []
  if (segmenter === undefined) return bigrams(text)
  return [...segmenter.segment(text)]
    .map(({ segment }) => segment)
    .filter((word) => word.length > 1 && !stopWords.has(word))
}

export function bigrams(text: string): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))
}

/** Light: plural, past and progressive forms of one word meet, and little else. */
export function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word
  const base = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/(?:ing|ed)$/, (end, at: number) => (at >= 3 ? '' : end))
  return base.replace(/([bdfgmnprt])\1$/, '$1').replace(/e$/, '')
}

/** One word may have several meanings, as `任务` is a job and a task. */
function readLexicon(): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, string[]>()
  for (const [english, ...others] of lexicon) {
    const meaning = `#${english.split('|')[0]}`
    for (const word of english.split('|')) {
      add(word.split(' ').map(stem).join(' '), meaning)
    }
    for (const word of others.flatMap((words) => words.toLowerCase().split('|'))) {
      if (word !== '') add(word, meaning)
    }
  }
  return known

  function add(word: string, meaning: string): void {
    known.set(word, [...new Set(known.get(word)).add(meaning)])
  }
}
