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
    if (isPlural && Number.isInteger(value) && value !== 1)
      return `there are ${spokenNumber(value, 'en')} ${name}`
    return `the ${name} ${isPlural ? 'stand' : 'stands'} at ${spokenNumber(value, 'en')}`
  }
  const text = spokenValue(value, 'en')
  return text === undefined ? undefined : `the ${name} ${isPlural ? 'are' : 'is'} ${text}`
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
  if (typeof value === 'boolean') return state && `${name}${value ? state[0] : state[1]}`
  if (typeof value === 'number')
    return Number.isInteger(value) && value > 0
      ? `${name}还剩${spokenNumber(value, 'zh')}`
      : `${name}眼下是${spokenNumber(value, 'zh')}`
  const text = spokenValue(value, 'zh')
  if (text === undefined) return undefined
  return /^(?:在|快|已|被|很|正|还|没|不)|[了着得]/u.test(text)
    ? `${name}${text}`
    : `${name}是${text}`
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
