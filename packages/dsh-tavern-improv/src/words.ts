/** Words of a text in any script, and how alike two texts are. */
import type { Language } from 'dsh-tavern-protocol'

const han = /\p{Script=Han}/u
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
const latinWord = /[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu
const segmenters: Readonly<Record<Language, Intl.Segmenter>> = {
  en: new Intl.Segmenter('en', { granularity: 'word' }),
  zh: new Intl.Segmenter('zh', { granularity: 'word' }),
}

export function cjkCount(text: string): number {
  return text.match(cjk)?.length ?? 0
}

/** Chinese when at least a third of its letters are Han. */
export function languageOf(text: string): Language | undefined {
  const letters = text.match(/\p{L}/gu) ?? []
  if (letters.length === 0) return undefined
  return letters.filter((letter) => han.test(letter)).length * 3 >= letters.length ? 'zh' : 'en'
}

/** All pieces in order, spaces and marks among them; joined they are the text again. */
export function pieces(text: string, language: Language): readonly string[] {
  return Array.from(segmenters[language].segment(text), ({ segment }) => segment)
}

/** Words in lower case, without marks and spaces. */
export function wordsOf(text: string, language: Language): readonly string[] {
  if (language === 'en') return text.toLowerCase().replaceAll('’', "'").match(latinWord) ?? []
  return Array.from(segmenters[language].segment(text))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.toLowerCase())
}

/** Sentences with their closing marks. */
export function sentencesOf(text: string): readonly string[] {
  const found =
    text.match(/[^.!?…。！？\n]*(?:\.(?=[\w])[^.!?…。！？\n]*)*[.!?…。！？]*[”"’'」』)）]*\s*/gu) ??
    []
  return found
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** How many words two texts share, counted against the shorter one: 0 to 1. */
export function overlap(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return 0
  const counts = new Map<string, number>()
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of right) {
    const count = counts.get(word) ?? 0
    if (count > 0) shared++
    counts.set(word, count - 1)
  }
  return (2 * shared) / (left.length + right.length)
}

/** A pattern of exactly this text; of no text, one that never matches. */
export function escaped(text: string): string {
  return text === '' ? '(?!)' : text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

export function capitalised(text: string): string {
  return text.replace(
    /^(["“'*(]*)(\p{Ll})/u,
    (_, marks: string, letter: string) => marks + letter.toUpperCase(),
  )
}

/** In lower case at its start, unless its first word is a name or `I`. */
export function uncapitalised(text: string, names: readonly string[]): string {
  const first = /^[\p{L}'’]+/u.exec(text)?.[0] ?? ''
  const keeps =
    /^I\b/.test(first) || /^\p{Lu}{2}/u.test(first) || names.some((name) => text.startsWith(name))
  return keeps ? text : text.charAt(0).toLowerCase() + text.slice(1)
}
