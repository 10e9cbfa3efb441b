/** What a world variable could become: a flipped flag, a stepped number, another word the text offers. */
import type { Language } from 'dsh-tavern-protocol'
import type { WorldFact } from './briefing-reading.ts'
import type { Draws } from './seeded.ts'
import { wordsOf } from './words.ts'
import { keyWords } from './world-talk.ts'

/** What an order asks of a flag: `bar the door` asks `door_barred` to be true; undefined when it asks nothing. */
export function askedOf({ key }: Pick<WorldFact, 'key'>, order: string): boolean | undefined {
  const state = keyWords(key).at(-1) ?? ''
  const stem = state.replace(/(?:red|ned|ted|ed|en|d)$/, '')
  const words = wordsOf(order, 'en')
  if (
    stem.length < 3 ||
    !words.some(
      (word) =>
        word === stem ||
        word === state ||
        (word.startsWith(stem) && word.length <= stem.length + 3),
    )
  ) {
    return undefined
  }
  return !words.some((word) => /^(?:un\w+|not|don't|stop|never)$/.test(word))
}

/** Undefined where nothing sensible can be put in its place. */
export function changedValue(
  { value }: WorldFact,
  {
    texts,
    language,
    draws,
  }: { readonly texts: readonly string[]; readonly language: Language; readonly draws: Draws },
): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return steppedNumber(value, draws)
  if (typeof value !== 'string') return undefined
  const opposite = oppositeOf(value, language)
  const offered = texts.flatMap((text) => alternatives(text, value))
  return offered.length > 0 ? draws.pick(offered) : opposite
}

function steppedNumber(value: number, draws: Draws): number {
  const step = Number.isInteger(value) ? 1 : 0.1
  const stepped = value + (value > 0 && draws.chance(0.6) ? -step : step)
  return Math.round(stepped * 1000) / 1000
}

/** Other members of a list that holds the value: `open|closed|barred`, `open, closed or barred`. */
function alternatives(text: string, value: string): readonly string[] {
  const lists = text.match(
    /[\p{L}\p{N}_' -]+(?:\s*[|/、]\s*[\p{L}\p{N}_' -]+)+|[\p{L}_-]+(?:, [\p{L}_-]+)*,? or [\p{L}_-]+|[\p{Script=Han}]{1,6}(?:、[\p{Script=Han}]{1,6})*或(?:者)?[\p{Script=Han}]{1,6}/gu,
  )
  const options = (lists ?? []).map((list) =>
    list.split(/\s*[|/、]\s*|,? or |, |或者?/u).map((one) => one.trim()),
  )
  const holding = options.find((list) => list.includes(value))
  return (holding ?? []).filter((one) => one !== value && one !== '')
}

const opposites: Readonly<Record<Language, readonly (readonly [string, string])[]>> = {
  en: [
    ['open', 'closed'],
    ['locked', 'unlocked'],
    ['barred', 'unbarred'],
    ['lit', 'dark'],
    ['burning', 'out'],
    ['low', 'high'],
    ['calm', 'stormy'],
    ['empty', 'full'],
    ['on', 'off'],
    ['up', 'down'],
    ['shut', 'open'],
    ['asleep', 'awake'],
    ['quiet', 'loud'],
    ['clean', 'dirty'],
    ['broken', 'mended'],
    ['hidden', 'found'],
    ['cold', 'warm'],
    ['dim', 'bright'],
  ],
  zh: [
    ['开着', '关着'],
    ['开', '关'],
    ['闩着', '开着'],
    ['锁着', '开着'],
    ['亮着', '灭了'],
    ['烧着', '灭了'],
    ['快灭了', '烧得正旺'],
    ['空的', '满的'],
    ['平静', '紧张'],
    ['热闹', '冷清'],
    ['睡着', '醒着'],
    ['坏了', '修好了'],
    ['晴', '雪'],
    ['冷', '暖和'],
  ],
}

function oppositeOf(value: string, language: Language): string | undefined {
  const word = value.trim()
  const pairs = [...opposites[language], ...opposites[language === 'zh' ? 'en' : 'zh']]
  const pair = pairs.find(
    ([left, right]) => left === word.toLowerCase() || right === word.toLowerCase(),
  )
  return pair && (pair[0] === word.toLowerCase() ? pair[1] : pair[0])
}
