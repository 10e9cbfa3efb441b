/** A summary of what a character lived through: who, the world, promises, what happened; shorter than the history. */
import type { GenerateOptions, Message } from '@deepseek-ai/dsh-llm'
import type { Language } from 'dsh-tavern-protocol'
import { historyOf, isSummary, type Moment, PROMISE } from './moments.ts'
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

export function summarise(options: Pick<GenerateOptions, 'messages' | 'system' | 'maxTokens'>): string {
  const system = readSections(options.system ?? '')
  const self = readPersona(system).name
  const messages = withoutOrder(withoutShadows(options.messages))
  const history = historyOf(messages, system, self)
  const text = messages.map(textOf).join('\n')
  const language = readSections(text).language ?? system.language ?? languageOf(text) ?? 'en'
  const words = wordings[language]
  const earlier = history.summaries.flatMap((summary) => summary.split('\n')).map((line) => line.trim())
  const label = ({ by, isWhisper, text: said }: Moment) =>
    `- ${by || words.you}${isWhisper ? words.whispers : ''}${words.colon}${clipped(said, language)}`
  const people = [
    ...listedIn(earlier, words.people + words.colon, words),
    ...history.briefings.flatMap(({ others }) => others.map(({ name }) => name)),
    ...(language === 'en' ? namesIn(history.moments) : []),
  ]
  const world = [
    ...listedIn(earlier, words.world + words.colon, { comma: '; ' }).map((one) => one.split(' = ') as [string, string]),
    ...history.briefings.flatMap((one) => one.world).map(({ key, value }) => [key, clipped(JSON.stringify(value), language)] as const),
  ]
  const head = [
    listLine(words.people, unique([...(self === '' ? [] : [self]), ...people]), words),
    listLine(words.world, [...new Map(world)].map(([key, value]) => `${key} = ${value}`), { ...words, comma: '; ' }),
  ].filter((line) => line !== '')
  const room = budgetFor(text, options.maxTokens) - tokensOf(head.join('\n'))
  const promised = history.moments.filter(({ weight }) => weight >= PROMISE).map(label)
  const rest = thinned(history.moments.filter(({ weight }) => weight < PROMISE)).map(label)
  return [
    ...head,
    ...block(words.before, newest(earlier.filter((line) => line.startsWith('- ')), room * 0.25), words),
    ...block(words.promises, newest(promised, room * 0.35), words),
    ...block(words.happened, newest(rest, room * 0.4), words),
  ].join('\n')
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

function budgetFor(text: string, maxTokens: number | undefined): number {
  return Math.min(SHARE * tokensOf(text), (maxTokens ?? LIMIT) * 0.9, LIMIT)
}

function listLine(title: string, items: readonly string[], { colon, comma }: Pick<Wording, 'colon' | 'comma'>): string {
  return items.length === 0 ? '' : `${title}${colon}${items.join(comma)}`
}

/** The items of a line that an earlier summary wrote. */
function listedIn(lines: readonly string[], start: string, { comma }: Pick<Wording, 'comma'>): readonly string[] {
  return lines.filter((line) => line.startsWith(start)).flatMap((line) => line.slice(start.length).split(comma))
}

function block(title: string, lines: readonly string[], { colon }: Wording): readonly string[] {
  return lines.length === 0 ? [] : [`${title}${colon.trim()}`, ...lines]
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

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)]
}

/** The first and last moments and the weightiest between them, in order. */
function thinned(moments: readonly Moment[]): readonly Moment[] {
  if (moments.length <= 24) return moments
  const middle = moments.slice(3, -8)
  const heaviest = new Set(middle.toSorted((left, right) => right.weight - left.weight).slice(0, 13))
  return [...moments.slice(0, 3), ...middle.filter((one) => heaviest.has(one)), ...moments.slice(-8)]
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
