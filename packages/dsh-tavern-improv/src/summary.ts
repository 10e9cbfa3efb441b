/** A summary of what a character lived through: who, the world, promises, what happened; shorter than the history. */
import type { GenerateOptions, Message } from '@deepseek-ai/dsh-llm'
import type { Language } from 'dsh-tavern-protocol'
import { type History, historyOf, isSummary, type Moment, PROMISE } from './moments.ts'
import { readPersona } from './persona-reading.ts'
import { fieldOf, textOf, withoutShadows } from './request-reading.ts'
import { readSections } from './sections.ts'
import { tokensOf } from './tokens.ts'
import { languageOf } from './words.ts'

interface Wording {
  readonly people: string
  readonly world: string
  readonly promises: string
  readonly before: string
  readonly happened: string
  readonly you: string
  readonly whispers: string
  readonly comma: string
  readonly colon: string
}

const wordings: Readonly<Record<Language, Wording>> = {
  en: {
    people: 'People',
    world: 'The world, as last seen',
    promises: 'Promised, asked and owed',
    before: 'Before that',
    happened: 'What happened',
    you: 'you',
    whispers: ' (whispers to you)',
    comma: ', ',
    colon: ': ',
  },
  zh: {
    people: '人物',
    world: '世界，最后所见',
    promises: '承诺、请求与亏欠',
    before: '更早之前',
    happened: '发生过的事',
    you: '你',
    whispers: '（对你耳语）',
    comma: '、',
    colon: '：',
  },
}

/** At most this share of what it replaces, and never more tokens than this. */
const SHARE = 0.4
const LIMIT = 1500
/** Between the pairs of the world line. */
const SEMICOLON = '; '

export function summarise(
  options: Pick<GenerateOptions, 'messages' | 'system' | 'maxTokens'>,
): string {
  const system = readSections(options.system ?? '')
  const self = readPersona(system).name
  const messages = withoutOrder(withoutShadows(options.messages))
  const text = messages.map(textOf).join('\n')
  const language = readSections(text).language ?? system.language ?? languageOf(text) ?? 'en'
  const tokens = Math.min(SHARE * tokensOf(text), (options.maxTokens ?? LIMIT) * 0.9, LIMIT)
  return composed(historyOf(messages, system, self), { self, language, tokens })
}

interface Wanted {
  readonly self: string
  readonly language: Language
  readonly tokens: number
}

/** What was promised and what happened share what the lists leave. */
function composed(history: History, wanted: Wanted): string {
  const { language, tokens } = wanted
  const words = wordings[language]
  const earlier = history.summaries
    .flatMap((summary) => summary.split('\n'))
    .map((line) => line.trim())
  const people = listed(words.people, peopleOf(history, earlier, wanted), {
    words,
    tokens: tokens * 0.25,
  })
  const world = listed(words.world, worldOf(history, earlier, wanted), {
    words,
    tokens: tokens * 0.25,
  })
  const room = tokens - tokensOf(`${people}${world}`)
  const line = (moment: Moment) => lineOf(moment, language)
  const promised = history.moments.filter(({ weight }) => weight >= PROMISE).map(line)
  const other = thinned(history.moments.filter(({ weight }) => weight < PROMISE)).map(line)
  const before = earlier.filter((one) => one.startsWith('- '))
  return [
    people,
    world,
    block(words.before, newest(before, room * 0.25), words),
    block(words.promises, newest(promised, room * 0.35), words),
    block(words.happened, newest(other, room * 0.4), words),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function peopleOf(
  { briefings, moments }: History,
  earlier: readonly string[],
  { self, language }: Wanted,
): readonly string[] {
  const { people, colon, comma } = wordings[language]
  const found = [
    ...itemsAfter(earlier, people + colon, comma),
    ...briefings.flatMap(({ others }) => others.map(({ name }) => name)),
    ...(language === 'en' ? namesIn(moments) : []),
  ]
  return [...new Set([self, ...found])].filter((name) => name !== '')
}

/** `key = value` for every variable that was ever seen, as it was seen last. */
function worldOf(
  { briefings }: History,
  earlier: readonly string[],
  { language }: Wanted,
): readonly string[] {
  const { world, colon } = wordings[language]
  const values = new Map<string, string>()
  for (const pair of itemsAfter(earlier, world + colon, SEMICOLON)) {
    const [key = '', ...value] = pair.split(' = ')
    values.set(key, value.join(' = '))
  }
  for (const { key, value } of briefings.flatMap((one) => one.world)) {
    values.set(key, clipped(JSON.stringify(value), language))
  }
  return [...values].map(([key, value]) => `${key} = ${value}`)
}

function lineOf({ by, isWhisper, text }: Moment, language: Language): string {
  const { you, whispers, colon } = wordings[language]
  return `- ${by || you}${isWhisper ? whispers : ''}${colon}${clipped(text, language)}`
}

/** The last message is the order to summarise, not something that happened. */
function withoutOrder(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1)
  const isOrder =
    last?.role === 'user' &&
    last.source.kind === 'plugin' &&
    fieldOf(last, 'seed') === undefined &&
    readSections(textOf(last)).language === undefined &&
    !isSummary(last)
  return isOrder ? messages.slice(0, -1) : messages
}

/** One line, as many items as fit; empty without items. */
function listed(
  title: string,
  items: readonly string[],
  { words, tokens }: { readonly words: Wording; readonly tokens: number },
): string {
  const between = title === words.world ? SEMICOLON : words.comma
  let left = tokens - tokensOf(title)
  const kept = items.filter((item) => (left -= tokensOf(item) + 1) >= 0)
  return kept.length === 0 ? '' : `${title}${words.colon}${kept.join(between)}`
}

/** The items of a line that an earlier summary wrote. */
function itemsAfter(lines: readonly string[], start: string, between: string): readonly string[] {
  return lines
    .filter((line) => line.startsWith(start))
    .flatMap((line) => line.slice(start.length).split(between))
}

function block(title: string, lines: readonly string[], { colon }: Wording): string {
  return lines.length === 0 ? '' : [`${title}${colon.trim()}`, ...lines].join('\n')
}

/** Capitalised words inside sentences: people and places that were only spoken of. */
function namesIn(moments: readonly Moment[]): readonly string[] {
  const counts = new Map<string, number>()
  const name = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}{2,}(?: \p{Lu}\p{Ll}{2,})?/gu
  for (const [found] of moments.flatMap(({ text }) => [...text.matchAll(name)])) {
    counts.set(found, (counts.get(found) ?? 0) + 1)
  }
  const ordered = [...counts].toSorted(([, left], [, right]) => right - left)
  return ordered.slice(0, 16).map(([found]) => found)
}

/** The first and last moments and the weightiest between them, in order. */
function thinned(moments: readonly Moment[]): readonly Moment[] {
  if (moments.length <= 24) return moments
  const middle = moments.slice(3, -8)
  const heaviest = new Set(
    middle.toSorted((left, right) => right.weight - left.weight).slice(0, 13),
  )
  return [
    ...moments.slice(0, 3),
    ...middle.filter((one) => heaviest.has(one)),
    ...moments.slice(-8),
  ]
}

/** The newest lines that fit, in order. */
function newest(lines: readonly string[], tokens: number): readonly string[] {
  let left = tokens
  const from = lines.findLastIndex((line) => (left -= tokensOf(line) + 1) < 0)
  return lines.slice(from + 1)
}

function clipped(text: string, language: Language): string {
  const long = language === 'zh' ? 40 : 110
  return text.length <= long ? text : `${text.slice(0, long - 1).trimEnd()}…`
}
