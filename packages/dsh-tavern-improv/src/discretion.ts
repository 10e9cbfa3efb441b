/** What must not be said aloud: secrets, whispers, notices, and anything that looks like a code. */
import type { Language } from 'dsh-tavern-protocol'
import type { Briefing } from './briefing-reading.ts'
import { isCommonWord } from './common-words.ts'
import { wordsOf } from './words.ts'

const privacy =
  /\b(?:secret(?:ly)?|whisper\w*|nobody knows|no one knows|hides?|hidden|hiding|conceals?|in truth)\b|秘密|偷偷|暗中|悄悄|耳语|无人知道|没人知道|隐瞒|其实是/iu

/** No sign of a secret, no template, and no token that only a machine would write. */
export function isSpeakable(text: string): boolean {
  return !privacy.test(text) && !/[{}<>\\]|https?:/u.test(text) && !text.split(/\s+/u).some(isCode)
}

/** Letters and digits mixed, underscores, long hexadecimal. */
function isCode(token: string): boolean {
  const bare = token.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  return (
    /_|\p{L}\d+\p{L}|\d\p{L}{2,}\d|^[0-9a-f-]{12,}$/iu.test(bare) ||
    /^[A-Z]{3,}[-\d][A-Z\d-]{4,}$/.test(bare)
  )
}

export interface Discretion {
  /** False for a text that gives a guarded word or run of words away. */
  readonly allows: (text: string) => boolean
  /** How many words of what others said are words of its secrets. */
  readonly touchedBy: (text: string) => number
}

/** Words that stand only in guarded texts are guarded; words everyone heard are not. */
export function discretionOf(briefing: Briefing, language: Language): Discretion {
  const whispers = briefing.heard.filter(({ kind }) => kind === 'whisper').map(({ text }) => text)
  const guarded = [...briefing.secrets, ...whispers, ...briefing.notices]
  const heard = briefing.heard.filter(({ kind }) => kind !== 'whisper').map(({ text }) => text)
  const open = new Set(heard.flatMap((text) => wordsOf(text, language)))
  const names = new Set(briefing.others.flatMap(({ name }) => wordsOf(name, language)))
  const words = guarded
    .flatMap((text) => wordsOf(text, language))
    .filter((word) => isTelling(word, language))
  const kept = new Set(words.filter((word) => !open.has(word) && !names.has(word)))
  const secretWords = new Set(
    briefing.secrets
      .flatMap((text) => wordsOf(text, language))
      .filter((word) => isTelling(word, language) && !names.has(word)),
  )
  const runs = guarded.flatMap((text) => runsOf(text, language))
  return {
    allows: (text) => {
      const spoken = wordsOf(text, language)
      const line = spoken.join(' ')
      return (
        !spoken.some((word) => kept.has(word)) &&
        !runs.some((run) => ` ${line} `.includes(` ${run} `))
      )
    },
    touchedBy: (text) =>
      new Set(wordsOf(text, language).filter((word) => secretWords.has(word))).size,
  }
}

function isTelling(word: string, language: Language): boolean {
  const long = language === 'zh' && !/^[\p{Script=Latin}\d]+$/u.test(word) ? 2 : 4
  return word.length >= long && !isCommonWord(word, language)
}

/** Every four words in a row. */
function runsOf(text: string, language: Language): readonly string[] {
  const words = wordsOf(text, language)
  return words.slice(3).map((_, index) => words.slice(index, index + 4).join(' '))
}
