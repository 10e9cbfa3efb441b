/** A character's voice, taken from its card: its sentences, gestures, habits, wants and manner. */
import type { Language } from 'dsh-tavern-protocol'
import { isCommonWord } from './common-words.ts'
import { isSpeakable } from './discretion.ts'
import { ownStatements } from './first-person.ts'
import type { Manner } from './grammar.ts'
import { type Habits, readHabits } from './habits.ts'
import { mannersOf } from './manners.ts'
import { type SpeechAct, speechActOf } from './hearing.ts'
import type { Persona } from './persona-reading.ts'
import { cjkCount, languageOf, sentencesOf, wordsOf } from './words.ts'

/** One or two sentences of the card that stand on their own, and what they once answered. */
export interface OwnSentence {
  readonly text: string
  readonly isQuestion: boolean
  /** What it was an answer to in the card. */
  readonly answers: SpeechAct
  /** Words of the prompt and of itself: what it is apt for. */
  readonly about: ReadonlySet<string>
}

/** What the card answers to one thing that was said to it. */
export interface OwnAnswer {
  /** Words of the prompt that carry its topic. */
  readonly about: ReadonlySet<string>
  /** Its first sentences, at most two. */
  readonly text: string
}

export interface Voice {
  readonly name: string
  readonly language: Language
  readonly manners: readonly Manner[]
  readonly sentences: readonly OwnSentence[]
  readonly answers: readonly OwnAnswer[]
  /** Without marks: `wipes a glass`. */
  readonly gestures: readonly string[]
  readonly habits: Habits
  /** What it wants, likes, hates and never does, in the first person. */
  readonly statements: readonly string[]
  /** Words in a usual sentence of its. */
  readonly pace: number
  /** What it calls somebody of this name. */
  readonly callName: (name: string) => string
  /** Gestures per answer in the card. */
  readonly gestureRate: number
}

export function readVoice(persona: Persona, language: Language, greeting: string): Voice {
  const answers = persona.examples.map((example) => ({ ...example, ...parted(example.answer) }))
  const all = answers.length > 0 ? answers : [{ prompt: '', ...parted(greeting) }]
  const spoken = all.filter(
    ({ speech }) => languageOf(speech) === language || cjkCount(speech) === 0,
  )
  const sentences = spoken.flatMap(({ prompt, speech }) => ownSentences(speech, prompt, language))
  const lengths = spoken
    .flatMap(({ speech }) => sentencesOf(speech))
    .map((sentence) => wordsOf(sentence, language).length)
  const gestures = all.flatMap((answer) => answer.gestures)
  return {
    name: persona.name,
    language,
    manners: mannersOf(persona),
    sentences: language === 'zh' ? sentences.filter(({ text }) => cjkCount(text) > 0) : sentences,
    answers: spoken.flatMap(({ prompt, speech }) => ownAnswer(prompt, speech, language)),
    gestures: [...new Set(gestures)].filter(
      (gesture) => languageOf(gesture) === language && !pointing.test(gesture),
    ),
    habits: readHabits(
      spoken.map(({ speech }) => speech),
      { language, raw: all.map(({ raw }) => raw) },
    ),
    statements: ownStatements(persona, language),
    callName: callerOf(persona),
    pace:
      lengths.length === 0 ? 8 : lengths.reduce((sum, length) => sum + length, 0) / lengths.length,
    gestureRate: Math.min(1, gestures.length / Math.max(1, all.length)),
  }
}

/** A gesture with what nobody sees named: `does not take them off`. */
const pointing = /\b(?:it|them|him|this|that)\b/i

/** Prompts without a topic are answered by nothing in particular. */
function ownAnswer(prompt: string, speech: string, language: Language): readonly OwnAnswer[] {
  const about = new Set(wordsOf(prompt, language).filter((word) => !isCommonWord(word, language)))
  const sentences = sentencesOf(speech).slice(0, 2)
  const isWhole = sentences.length > 0 && sentences.every(isSpeakable)
  const text = sentences.join(language === 'zh' ? '' : ' ')
  return about.size > 0 && isWhole ? [{ about, text }] : []
}

const titles =
  'Mister|Mistress|Miss|Mrs\\.?|Mr\\.?|Master|Sergeant|Captain|Lady|Lord|Sir|Doctor|Dr\\.?|Father|Mother|Brother|Sister|Uncle|Aunt|Old|Young'

/** `Mister Crane` where its card says so, else the first name; a name with a title stays whole. */
function callerOf(persona: Persona): (name: string) => string {
  const text = [persona.description, ...persona.examples.map(({ answer }) => answer)].join('\n')
  const title = new RegExp(`^(?:${titles})$`, 'i')
  return (name) => {
    const parts = name.split(' ')
    const [first = name, ...rest] = parts
    if (rest.length === 0) return name
    const own = parts
      .filter((part) => !title.test(part))
      .map((part) => part.replaceAll(/[^\p{L}'’-]/gu, ''))
    const titled = own.map((part) => new RegExp(`\\b(?:${titles}) ${part}\\b`, 'u').exec(text)?.[0])
    return titled.find((found) => found !== undefined) ?? (title.test(first) ? name : first)
  }
}

interface Parted {
  readonly raw: string
  readonly speech: string
  readonly gestures: readonly string[]
}

/** Speech and gestures of an answer; a starred word inside a sentence is only stressed, and inside an answer with quotation marks only what they hold is speech. */
function parted(answer: string): Parted {
  const marked = /\*([^*\n]{2,120})\*|[（(]([^（）()\n]{2,60})[)）]/gu
  const plain = answer.replaceAll(/(\p{L},? )\*(\p{L}+)\*/gu, '$1$2')
  const gestures = Array.from(plain.matchAll(marked), ([, star, paren]) =>
    (star ?? paren ?? '').trim(),
  )
  const rest = plain.replaceAll(marked, ' ').replaceAll(/\s+/g, ' ').trim()
  const quoted = Array.from(
    rest.matchAll(/["“「『]([^"”」』]{1,600})["”」』]/gu),
    ([, text = '']) => text,
  )
  const isQuoted = quoted.join('').length * 2 > rest.length
  return {
    raw: answer,
    speech: isQuoted ? quoted.join(' ') : rest,
    gestures: gestures.map((gesture) => gesture.replace(/[.。]$/u, '')).filter(isSpeakable),
  }
}

/** Sentences that stand on their own, and runs of two or three that are short enough to be one breath. */
function ownSentences(speech: string, prompt: string, language: Language): readonly OwnSentence[] {
  const sentences = sentencesOf(speech)
  const long = language === 'zh' ? 30 : 24
  const found: string[] = []
  for (const [index, sentence] of sentences.entries()) {
    if (leansOnWhatCameBefore(sentence, index)) continue
    for (let length = 1; length <= 3 && index + length <= sentences.length; length++) {
      const text = sentences.slice(index, index + length).join(language === 'zh' ? '' : ' ')
      const words = wordsOf(text, language).length
      if (words >= 3 && (length === 1 || words <= long)) found.push(text)
    }
  }
  return found.filter(isSpeakable).map((text) => ({
    text,
    isQuestion: /[?？]["”’」]?$/u.test(text),
    answers:
      prompt === ''
        ? ('statement' as const)
        : speechActOf({ kind: 'line', by: '', text: prompt }, language),
    about: new Set(wordsOf(`${prompt} ${text}`, language)),
  }))
}

const leaningEn =
  /^(?:and|but|or|so|because|which|it|its|it's|that|that's|this|these|those|he|he's|she|she's|they|they're|him|her|them|then|both|either|neither|today|yesterday|tomorrow|isn't|aren't|the same|surely|correction)\b/i
const leaningZh = /^(?:也|但|而且|所以|因为|那[^里边天年]|这[^里边天年儿]|它|他|她|就|才|还|却)/u

/** A later sentence may only begin anew: with the speaker, with an order, with a name for things. */
function leansOnWhatCameBefore(sentence: string, index: number): boolean {
  const words = sentence.split(/\s+/)
  const isFragment = words.length < (index > 0 ? 3 : 2) && /^\p{Script=Latin}/u.test(sentence)
  return isFragment || leaningEn.test(sentence) || leaningZh.test(sentence)
}
