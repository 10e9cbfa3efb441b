/** What a text is about: noun phrases in English, content words in any other script. */
import type { Language } from 'dsh-tavern-protocol'
import { isCommonWord, verbOf } from './common-words.ts'
import { isSpeakable } from './discretion.ts'
import { cjkCount, pieces } from './words.ts'

export interface Topic {
  /** As the listener would say it: `the silver key`, `your brother`. */
  readonly ref: string
  /** Without article: `silver key`. */
  readonly bare: string
  readonly isPlural: boolean
}

interface Found extends Topic {
  readonly score: number
}

export interface TopicRequest {
  readonly text: string
  readonly language: Language
  /** Names that are nobody's topic: of those who speak and listen. */
  readonly known: readonly string[]
  /** Its `your` is the listener's own; else it is somebody else's. */
  readonly isToMe?: boolean
}

/** Best first. */
export function topicsOf({ text, language, known, isToMe = true }: TopicRequest): readonly Topic[] {
  const found = language === 'zh' ? chineseTopics(text) : englishTopics(text)
  const names = new Set(
    known.flatMap((name) => [name, ...name.split(' ')]).map((name) => name.toLowerCase()),
  )
  const best = new Map<string, Found>()
  for (const topic of found) {
    const key = topic.bare.toLowerCase()
    if (
      key.split(/[ ']/).some((word) => names.has(word)) ||
      names.has(key) ||
      !isSpeakable(topic.ref) ||
      topic.ref.length > 40
    )
      continue
    const ref = isToMe ? topic.ref : topic.ref.replace(/^my /, 'the ')
    if ((best.get(key)?.score ?? -1) < topic.score) best.set(key, { ...topic, ref })
  }
  return [...best.values()].toSorted((left, right) => right.score - left.score)
}

const turned: Readonly<Record<string, string>> = {
  my: 'your',
  our: 'your',
  your: 'my',
  a: 'the',
  an: 'the',
  any: 'the',
  some: 'the',
  another: 'the',
  no: 'the',
  this: 'this',
  that: 'that',
  these: 'these',
  those: 'those',
  the: 'the',
  his: 'his',
  her: 'her',
  their: 'their',
  its: 'its',
}

function englishTopics(text: string): readonly Found[] {
  const spoken = text.replaceAll('’', "'")
  return spoken.split(/[.!?…,;:()"“”\n*—–]+|\s-\s/u).flatMap((clause) =>
    clauseTopics(
      clause
        .trim()
        .split(/\s+/u)
        .map((word) => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')),
    ),
  )
}

function clauseTopics(words: readonly string[]): readonly Found[] {
  const found: Found[] = []
  for (let at = 0; at < words.length; at++) {
    const determiner = turned[(words[at] ?? '').toLowerCase()]
    const start = determiner === undefined ? at : at + 1
    const length =
      determiner === undefined && !mayBegin(words, at)
        ? 0
        : nounsFrom(words, start, determiner !== undefined)
    if (length === 0) continue
    found.push(englishTopic(words.slice(start, start + length), determiner, at))
    at = start + length - 1
  }
  return found
}

const openers = new Set(
  'about against at behind by for from in into like near of on over than through to under with without and or more'.split(
    ' ',
  ),
)

/** A noun without article stands after a preposition or a verb, or is a name. */
function mayBegin(words: readonly string[], at: number): boolean {
  const word = words[at] ?? ''
  const previous = (words[at - 1] ?? '').toLowerCase()
  if (previous === '' || /(?:ed|en|ing|n't)$/u.test(word)) return false
  return (
    /^\p{Lu}\p{Ll}/u.test(word) ||
    cjkCount(word) > 0 ||
    openers.has(previous) ||
    verbOf(previous) !== undefined
  )
}

function englishTopic(nouns: readonly string[], determiner: string | undefined, at: number): Found {
  const bare = nouns.join(' ')
  const last = nouns.at(-1) ?? ''
  const isName = /^\p{Lu}/u.test(bare) && at > 0
  const isPlural = /[^s]s$/u.test(last) && !/(?:us|is)$/u.test(last) && !isName
  const kept = determiner === 'the' && isName && nouns.length === 1 ? undefined : determiner
  return {
    ref: kept === undefined ? bare : `${kept} ${bare}`,
    bare,
    isPlural,
    score:
      (determiner === undefined ? 0 : 3) +
      (isName ? 2.5 : 0) +
      Math.min(2, bare.length / 8) +
      at / 40,
  }
}

/** Determiners that are pronouns as well: `that makes sense`. */
const ambiguous = /^(?:this|that|these|those|her|his)$/i

const generic =
  /^(?:thing|things|way|kind|sort|bit|lot|one|ones|time|times|place|matter|moment|word|words)$/i

/** How many words from here make a noun phrase; after a determiner the first may be anything. */
function nounsFrom(words: readonly string[], start: number, determined: boolean): number {
  let length = 0
  while (length < 3) {
    if (length > 0 && generic.test(words[start + length] ?? '')) return 0
    const word = words[start + length] ?? ''
    if (word === '' || /\d/.test(word) || isCommonWord(word, 'en') || word.endsWith('ly')) break
    const isVerb = verbOf(word) !== undefined
    if (isVerb && (length > 0 || !determined || ambiguous.test(words[start - 1] ?? ''))) break
    if (!determined && length === 0 && word.length < 3 && cjkCount(word) === 0) break
    length++
  }
  return length
}

function chineseTopics(text: string): readonly Found[] {
  const words = pieces(text, 'zh')
  return words.flatMap((word, at) => {
    if (!/[\p{L}\p{N}]/u.test(word) || isCommonWord(word, 'zh') || /^[一两三几半每\d]/u.test(word))
      return []
    const isLatin = /^[\p{Script=Latin}\d]+$/u.test(word)
    if (word.length < (isLatin ? 3 : 2))
      return lone.test(word) ? [chineseTopic(word, 3 + at / 40)] : []
    if (done.test(word) || /[的了吗呢吧啊么不没我你他她它这那也就都还很罢之有被]/u.test(word))
      return []
    if (word.length === 2 && /[上下里外中]$/u.test(word)) return []
    if (word.length > 3 && !isLatin && !nounish.test(word)) return []
    const before = words[at - 1] ?? ''
    const joined = lead.test(before) && word.length === 2 ? before + word : word
    const isNoun = nounish.test(word) || marks.test(before) || isLatin
    return [chineseTopic(joined, joined.length + (isNoun ? 2 : 0) + at / 40)]
  })
}

function chineseTopic(word: string, score: number): Found {
  return { ref: word, bare: word, isPlural: false, score }
}

const nounish =
  /[人子头门灯火刀剑酒茶饭菜钱书信药马船路山河海城镇店房屋楼桥井雪雨风雷月日夜客师兄弟姐妹哥妈爸父母妻夫儿女孩爹娘匙鬼神仙王将军本狼虎猫狗]$/u
const lone = /^[狼酒雪雨剑刀马信钱茶鬼龙虎猫狗血毒药船桥井灯书花月海]$/u
/** One character that belongs to the word after it. */
const lead = /^[银金铜铁玉木石老小大红黑白青旧新古]$/u
const marks = /^[的那这个把封条座位只件块间家匹张扇口]$/u
/** Verbs with their outcome: 撞开, 看见. */
const done = /^.[在开住到见走来去掉完起死倒入出进成着过错准听懂信]$/u
