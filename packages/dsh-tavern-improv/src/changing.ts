/** What a world variable could become: a flipped flag, a stepped number, another word the text offers. */
import type { Language } from 'dsh-tavern-protocol'
import type { WorldFact } from './briefing-reading.ts'
import type { Draws } from './seeded.ts'
import { wordsOf } from './words.ts'
import { keyWords } from './world-talk.ts'

export interface ChangeRequest {
  /** The words of the order, empty when nobody ordered anything. */
  readonly order: string
  /** Texts that may list what a value can be. */
  readonly texts: readonly string[]
  readonly language: Language
  readonly draws: Draws
}

/** Undefined where nothing sensible can be put in its place, and where it is so already. */
export function changedValue(fact: WorldFact, request: ChangeRequest): unknown {
  const { value } = fact
  const { order, texts, language, draws } = request
  if (typeof value === 'boolean') return changedFlag(fact, value, order)
  if (typeof value === 'number') return steppedNumber(value, order)
  if (typeof value !== 'string') return undefined
  const offered = texts.flatMap((text) => alternatives(text, value))
  return offered.length > 0 ? draws.pick(offered) : oppositeOf(value, language)
}

const handled =
  /^(?:door|gate|window|shutter|lamp|lantern|candle|curtain|lid|box|chest|drawer|bottle|table|bell)s?$|[门窗灯盒匣箱]/u
const usedUp =
  /^(?:logs?|candles?|bottles?|cups?|mugs?|matches|coals?|apples?|loaves|firewood)$|[柴炭酒]|蜡烛/u

/** What somebody may change of their own accord: things at hand. Nobody puts a fire out unasked. */
export function mayChangeUnasked({ key, value }: WorldFact): boolean {
  const words = keyWords(key)
  if (typeof value === 'number') return value >= 1 && words.some((word) => usedUp.test(word))
  return !(isBurning(words) && value === true) && words.some((word) => handled.test(word))
}

function changedFlag(fact: WorldFact, value: boolean, order: string): boolean | undefined {
  const asked = askedOf(fact, order)
  if (asked !== undefined) return asked === value ? undefined : asked
  return mayChangeUnasked(fact) ? !value : undefined
}

/** `bar the door` asks `door_barred` to be true; undefined when the order asks nothing of the flag. */
function askedOf({ key }: WorldFact, order: string): boolean | undefined {
  const words = wordsOf(order, 'en')
  const own = keyWords(key)
  const isNegated =
    words.some((word) => /^(?:un\w+|not|don't|stop|never)$/.test(word)) || /别|不要/u.test(order)
  if (isBurning(own)) {
    if (/\b(?:out|douse|extinguish|snuff)\b|灭|熄/u.test(order)) return isNegated
    return /\b(?:light|kindle|relight)\b|点/u.test(order) ? !isNegated : undefined
  }
  const state = own.at(-1) ?? ''
  const stem = state.replace(/(?:red|ned|ted|ed|en|d)$/, '')
  const isNamed = (word: string) =>
    word === stem || (word.startsWith(stem) && word.length <= stem.length + 3)
  const isMeant = (stem.length >= 3 && words.some(isNamed)) || verbsZh[state]?.test(order)
  return isMeant ? !isNegated : undefined
}

const verbsZh: Readonly<Record<string, RegExp>> = {
  barred: /闩/u,
  locked: /锁/u,
  open: /开/u,
  closed: /关/u,
}

function isBurning(words: readonly string[]): boolean {
  return words.some((word) => word === 'lit' || word === 'burning')
}

/** Down, while there is something left, unless the order is for more. */
function steppedNumber(value: number, order: string): number {
  const isMore = /\b(?:more|add|another|bring|fetch|fill|raise)\b|[加添再多涨]/iu.test(order)
  const step = Number.isInteger(value) ? 1 : 0.1
  return Math.round((value + (value > 0 && !isMore ? -step : step)) * 1000) / 1000
}

/** Other members of a list that holds the value: `open|closed|barred`, `open, closed or barred`. */
function alternatives(text: string, value: string): readonly string[] {
  const options = (text.match(lists) ?? []).map((list) =>
    list.split(/\s*[|/、]\s*|,? or |, |或者?/u).map((one) => one.trim()),
  )
  const holding = options.find((list) => list.includes(value)) ?? []
  return holding.filter((one) => one !== value && one !== '')
}

const lists =
  /[\p{L}\p{N}_' -]{1,40}(?:[|/、][\p{L}\p{N}_' -]{1,40})+|[\p{L}_-]{1,40}(?:, [\p{L}_-]{1,40})*,? or [\p{L}_-]{1,40}|[\p{Script=Han}]{1,6}(?:、[\p{Script=Han}]{1,6})*或(?:者)?[\p{Script=Han}]{1,6}/gu

/** Pairs parted by commas, left and right by a slash. */
const opposites: Readonly<Record<Language, string>> = {
  en: 'open/closed,locked/unlocked,barred/unbarred,lit/dark,burning/out,low/high,calm/stormy,empty/full,on/off,up/down,shut/open,asleep/awake,quiet/loud,clean/dirty,broken/mended,hidden/found,cold/warm,dim/bright',
  zh: '开着/关着,开/关,闩着/开着,锁着/开着,亮着/灭了,烧着/灭了,快灭了/烧得正旺,空的/满的,平静/紧张,热闹/冷清,睡着/醒着,坏了/修好了,晴/雪,冷/暖和',
}

function oppositeOf(value: string, language: Language): string | undefined {
  const word = value.trim().toLowerCase()
  const ordered = language === 'zh' ? [opposites.zh, opposites.en] : [opposites.en, opposites.zh]
  const pairs = ordered.flatMap((text) => text.split(',')).map((pair) => pair.split('/'))
  const pair = pairs.find((one) => one.includes(word))
  return pair?.find((one) => one !== word)
}
