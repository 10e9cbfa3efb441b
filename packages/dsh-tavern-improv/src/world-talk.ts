/** World variables as somebody would put them in a sentence: no capital, no full stop. */
import type { Language } from 'dsh-tavern-protocol'
import type { WorldFact } from './briefing-reading.ts'
import { isSpeakable } from './discretion.ts'
import { cjkCount } from './words.ts'

/** Undefined for what nobody would say aloud: objects, codes, keys without a word for them. */
export function spokenFact(
  fact: Pick<WorldFact, 'key' | 'value'>,
  language: Language,
): string | undefined {
  const text = language === 'zh' ? chineseFact(fact) : englishFact(fact)
  return text !== undefined && text.length <= 120 && isSpeakable(text) ? text : undefined
}

/** The words of a key: `inn.doorLocked` → `inn door locked`. */
export function keyWords(key: string): readonly string[] {
  return key
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '')
}

/** Do some words speak of a variable? `bar the door` does of `door_barred`. */
export function isAbout(
  { key, value }: Pick<WorldFact, 'key' | 'value'>,
  words: readonly string[],
): boolean {
  const own = keyWords(key).flatMap((word) => [word, keysZh[word] ?? word])
  const told = typeof value === 'string' ? value.toLowerCase() : ''
  return words.some(
    (word) =>
      own.some(
        (one) =>
          one === word ||
          (word.length > 2 && one.length > 2 && (one.startsWith(word) || word.startsWith(one))),
      ) ||
      (word.length > 3 && told === word) ||
      (cjkCount(word) > 0 &&
        own.some((one) => one !== '' && cjkCount(one) > 0 && word.includes(one))),
  )
}

const stateWord =
  /^(?:open|shut|lit|dark|dead|alive|asleep|awake|empty|full|safe|ready|cold|hot|warm|here|gone|over|up|down|on|off|out|in|low|high|wet|dry|quiet|loud|drunk|sober|angry|calm|busy|free)$|(?:ed|en|ing)$/

const units =
  /^(?:feet|hours|minutes|days|marks|crowns|miles|metres|meters|degrees|percent|inches)$/

function englishFact({ key, value }: Pick<WorldFact, 'key' | 'value'>): string | undefined {
  const words = keyWords(key)
  const last = words.at(-1) ?? ''
  const name = words.join(' ')
  const isPlural = /[^s]s$/.test(last)
  if (typeof value === 'boolean') {
    if (words.length > 1 && stateWord.test(last)) {
      return `the ${words.slice(0, -1).join(' ')} ${value ? 'is' : "isn't"} ${last}`
    }
    return value ? `there's the ${name}` : `there's no ${name}`
  }
  if (typeof value === 'number') {
    const count = spokenNumber(value, 'en')
    const rest = words.slice(0, -1)
    if (rest.length > 0 && units.test(last))
      return `the ${rest.join(' ')} stands at ${count} ${last}`
    const counted =
      rest.at(-1)?.endsWith('s') && stateWord.test(last) ? rest.length - 1 : words.length - 1
    const isCounted = Number.isInteger(value) && (isPlural || counted < words.length - 1)
    if (isCounted) return countedFact(words, counted, value)
    return `the ${name} ${isPlural ? 'stand' : 'stands'} at ${count}`
  }
  const text = spokenValue(value, 'en')
  if (text !== undefined && words.length > 1 && /^(?:holder|owner|bearer|keeper)$/.test(last)) {
    return `${text} has the ${words.slice(0, -1).join(' ')}`
  }
  return text === undefined ? undefined : `the ${name} ${isPlural ? 'are' : 'is'} ${text}`
}

/** `there is one passenger missing`, `there are no marks`; the word at `counted` is the one that is counted. */
function countedFact(words: readonly string[], counted: number, value: number): string {
  const noun = words[counted] ?? ''
  const singular = /(?:[sxz]|[cs]h)es$/.test(noun) ? noun.slice(0, -2) : noun.slice(0, -1)
  const spoken = words.with(counted, value === 1 ? singular : noun).join(' ')
  if (value === 0) return `there are no ${spoken}`
  return `there ${value === 1 ? 'is' : 'are'} ${spokenNumber(value, 'en')} ${spoken}`
}

const keysZh: Readonly<Record<string, string>> = {
  door: '门',
  gate: '大门',
  window: '窗',
  fire: '炉火',
  lamp: '灯',
  lantern: '灯笼',
  candle: '蜡烛',
  weather: '天气',
  time: '时辰',
  place: '地方',
  road: '路',
  bridge: '桥',
  bar: '酒柜',
  table: '桌子',
  room: '屋子',
  tea: '茶',
  wine: '酒',
  rain: '雨',
  snow: '雪',
  storm: '风雪',
  mood: '气氛',
  money: '钱',
  coins: '铜钱',
  debt: '债',
  guests: '客人',
  horse: '马',
  key: '钥匙',
  letter: '信',
  box: '匣子',
  boat: '船',
  river: '河',
  inn: '客栈',
  tavern: '酒馆',
  alarm: '警报',
  power: '电力',
}
const statesZh: Readonly<Record<string, readonly [string, string]>> = {
  open: ['开着', '没开'],
  closed: ['关着', '没关'],
  locked: ['锁着', '没锁'],
  barred: ['闩着', '没闩'],
  lit: ['亮着', '没亮'],
  burning: ['烧着', '没烧'],
  found: ['找到了', '还没找到'],
  lost: ['丢了', '没丢'],
  broken: ['坏了', '没坏'],
  on: ['开着', '没开'],
}

function chineseFact({ key, value }: Pick<WorldFact, 'key' | 'value'>): string | undefined {
  const words = keyWords(key)
  const state = statesZh[words.at(-1) ?? '']
  const named = state === undefined ? words : words.slice(0, -1)
  const spoken = named.map((word) => (cjkCount(word) > 0 ? word : keysZh[word]))
  if (spoken.length === 0 || spoken.includes(undefined)) return undefined
  const name = spoken.join('')
  if (typeof value === 'boolean') {
    if (state) return `${name}${value ? state[0] : state[1]}`
    return cjkCount(key) > 0 ? (value ? `${name}了` : `没${name}`) : undefined
  }
  if (typeof value === 'number') return chineseCount(name, value)
  const text = spokenValue(value, 'zh')
  if (text === undefined) return undefined
  const isPredicate = text.length > 2 || /^[在快已被很正还没不]|[了着得]/u.test(text)
  return isPredicate ? `${name}${text}` : `${name}是${text}`
}

/** `蜡烛支数` 3 → 蜡烛还有三支. */
function chineseCount(name: string, value: number): string {
  const [, bare = name, unit = ''] =
    /^(.+?)([米支次壶个人条只年天里尺碗杯封把张斤两]?)数$/u.exec(name) ?? []
  const count = value === 2 && unit !== '' ? '两' : spokenNumber(value, 'zh')
  const isLeft = Number.isInteger(value) && value > 0 && /[支壶个条只碗杯把张斤]/u.test(unit)
  if (unit !== '') return `${bare}${isLeft ? '还有' : ''}${count}${unit}`
  return Number.isInteger(value) && value > 0 ? `${bare}还剩${count}` : `${bare}眼下是${count}`
}

function spokenValue(value: unknown, language: Language): string | undefined {
  const list = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [value]
  if (list.length === 0 || list.length > 4 || !list.every((one) => typeof one === 'string'))
    return undefined
  const texts = list.map((one) => one.trim().replace(/[.。!！]+$/u, ''))
  if (language === 'zh') {
    const spoken = texts.map((text) => (cjkCount(text) > 0 ? text : statesZh[text]?.[0]))
    return spoken.includes(undefined) || spoken.some((text) => (text?.length ?? 0) > 16)
      ? undefined
      : spoken.join('和')
  }
  if (texts.some((text) => text === '' || text.split(' ').length > 8 || cjkCount(text) > 0))
    return undefined
  return texts.length === 1 ? texts[0] : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}

const digits: Readonly<Record<Language, readonly string[]>> = {
  en: 'none one two three four five six seven eight nine ten eleven twelve'.split(' '),
  zh: '零 一 二 三 四 五 六 七 八 九 十 十一 十二'.split(' '),
}

export function spokenNumber(value: number, language: Language): string {
  return digits[language][value] ?? String(value)
}
