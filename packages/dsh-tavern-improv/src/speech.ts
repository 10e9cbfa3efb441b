/** One answer in character: a reaction to what was said, something of its own, and the way it moves. */
import { isRitual } from './hearing.ts'
import type { RequestReading } from './request-reading.ts'
import { Memory } from './likeness.ts'
import { type Phrasing, phrasingOf } from './phrasing.ts'
import { leadOf } from './reactions.ts'
import { Draws } from './seeded.ts'
import { readSituation, type Situation } from './situation.ts'
import { staged } from './staging.ts'
import { sentencesOf, uncapitalised } from './words.ts'

/** How many drafts are tried before the least repetitive one is taken. */
const DRAFTS = 24

export function speak(reading: RequestReading): string {
  const situation = readSituation(reading)
  const heard = reading.briefing.heard.map(({ text }) => text)
  const memory = new Memory(reading.ownTexts, heard, reading.language)
  const wanted = lengthFor(situation, new Draws(`${reading.seed}/length`))
  let best = { text: '', fault: Number.POSITIVE_INFINITY }
  for (let attempt = 0; attempt < DRAFTS && best.fault > 0.5; attempt++) {
    const draws = new Draws(`${reading.seed}/speech/${reading.steps.length}/${attempt}`)
    const { text, missing } = draft(reading, situation, { draws, wanted })
    const fault = memory.repetition(text) + 1.5 * missing + (situation.discretion.allows(text) ? 0 : 1000)
    if (text !== '' && fault < best.fault) best = { text, fault }
  }
  return best.fault < 1000 ? best.text : reading.language === 'zh' ? '……' : '...'
}

interface Draft {
  readonly text: string
  /** Sentences fewer than wanted. */
  readonly missing: number
}

function draft(
  reading: RequestReading,
  situation: Situation,
  { draws, wanted: usual }: { readonly draws: Draws; readonly wanted: number },
): Draft {
  const phrasing = phrasingOf(situation, draws)
  const lead = leadOf(reading, situation, { phrasing, draws })
  const wanted = lead.closes ? 1 : usual
  const body: string[] = lead.text === '' ? [] : [lead.text]
  const end: string[] = []
  const used = new Set<string>()
  for (let tries = 0; tries < 8 && count([...body, ...end]) < wanted; tries++) {
    const kind = draws.weighted(kindsFor(situation, used))
    const said = body.join(' ').toLowerCase()
    const text = kind && substance(kind, situation, { phrasing, draws, said })
    if (!kind) break
    used.add(kind)
    if (!text || count([...body, ...end, text]) > wanted + 1 || body.includes(text)) continue
    if (endings.has(kind)) end.push(text)
    else body.push(connected(text, body, { kind, phrasing, situation, draws }))
  }
  const parts = [...body, ...end]
  return { text: staged(parts, situation, { phrasing, draws }), missing: situation.act === 'loss' ? 0 : Math.max(0, wanted - count(parts)) }
}

type Kind = 'own' | 'fact' | 'lore' | 'admit' | 'callback' | 'address' | 'hint' | 'hook' | 'close'

/** Nothing follows these. */
const endings: ReadonlySet<string> = new Set<Kind>(['address', 'hook', 'close'])

interface Tools {
  readonly phrasing: Phrasing
  readonly draws: Draws
}

function kindsFor(situation: Situation, used: ReadonlySet<string>): readonly (readonly [Kind, number])[] {
  const { voice, facts, lore, past, others, speaker, hasSecrets, act } = situation
  if (act === 'loss') return used.size > 0 ? [] : [['own', 1], ['close', 0]]
  const telling = act === 'tell' ? 3 : 1
  const has = (yes: boolean, weight: number) => (yes ? weight : 0)
  const kinds: readonly (readonly [Kind, number])[] = [
    ['own', has(voice.sentences.length > 0, 6 * telling)],
    ['fact', facts.some(({ isRelevant }) => isRelevant) ? 4 : has(facts.length > 0, 0.4)],
    ['lore', lore.some(({ isRelevant }) => isRelevant) ? 4 : has(lore.length > 0, 0.25 * telling)],
    ['admit', has(voice.statements.length > 0, 1.1)],
    ['callback', has(past !== undefined, 1.3)],
    ['address', has(others.some((name) => name !== speaker), 0.9)],
    ['hint', has(hasSecrets, 0.5)],
    ['hook', 2],
    ['close', 0.6],
  ]
  const isOver = [...endings].some((kind) => used.has(kind))
  return kinds.filter(([kind]) => !used.has(kind) && !(isOver && endings.has(kind)))
}

interface Part extends Tools {
  /** What stands before it, in lower case. */
  readonly said: string
}

function substance(kind: Kind, situation: Situation, { phrasing, draws, said }: Part): string | undefined {
  const { voice, facts, lore, past } = situation
  switch (kind) {
    case 'own':
      return ownSentence(situation, draws)
    case 'fact': {
      const fact = matter(facts, draws)
      return fact === undefined || names(said, fact) ? undefined : phrasing.say('world', { fact })
    }
    case 'lore': {
      const text = matter(lore, draws)
      const opening = phrasing.say('recall')
      return text && opening && joined([opening, text], situation)
    }
    case 'admit': {
      const want = draws.pick(voice.statements)
      return want && phrasing.say('admit', { want })
    }
    case 'callback':
      return phrasing.say('callback', { other: past?.by })
    case 'hook':
      return phrasing.say('hook', asksAbout.has(situation.act) && !names(said, phrasing.topic?.bare) ? {} : { topic: undefined, bare: undefined })
    case 'address':
    case 'hint':
    case 'close':
      return phrasing.say(kind)
  }
}

function names(said: string, words: string | undefined): boolean {
  return words !== undefined && said.includes(words.toLowerCase())
}

/** What has to do with what was said, where there is such a thing. */
function matter(matters: Situation['facts'], draws: Draws): string | undefined {
  const relevant = matters.filter(({ isRelevant }) => isRelevant)
  return draws.pick(relevant.length > 0 ? relevant : matters)?.text
}

/** Only what somebody said of their own will is asked about. */
const asksAbout: ReadonlySet<string> = new Set(['statement', 'tell', 'where', 'who', 'when', 'what', 'howmany', 'yesno', 'plan'])

/** A sentence of the card, the likelier the more it has to do with what was said. */
function ownSentence({ voice, heardWords, topics, act }: Situation, draws: Draws): string | undefined {
  const telling = new Set(topics.flatMap(({ bare }) => bare.toLowerCase().split(' ')))
  return draws.weighted(
    voice.sentences.map(({ text, about, isQuestion, answers }) => {
      if (isRitual(answers) && answers !== act) return [text, 0] as const
      const apt = [...about].filter((word) => telling.has(word)).length * 6
      if (act === 'loss' && apt === 0) return [text, 0] as const
      const near = [...about].filter((word) => heardWords.has(word)).length * 0.15
      return [text, (isQuestion ? 0.5 : 1) + apt + near] as const
    }),
  )
}

/** Now and then a connective makes two sentences one thought. */
function connected(
  text: string,
  parts: readonly string[],
  { kind, phrasing, situation, draws }: Tools & { readonly kind: Kind | undefined; readonly situation: Situation },
): string {
  if (parts.length === 0 || kind !== 'own' || startsOpen(text, situation) || !draws.chance(0.22)) return text
  const connective = phrasing.say('connect')
  if (connective === undefined) return text
  if (situation.language === 'zh') return `${connective}${text}`
  return /[,]$/.test(connective) ? `${connective} ${uncapitalised(text, [situation.voice.name, ...situation.others])}` : `${connective} ${text}`
}

function startsOpen(text: string, { voice }: Situation): boolean {
  return voice.habits.openers.some((opener) => text.startsWith(opener))
}

/** Sentences wanted: terse cards say less at a time. */
function lengthFor({ voice, act }: Situation, draws: Draws): number {
  if (act === 'tell') return 2 + draws.below(3)
  if (act === 'loss') return 1 + draws.below(2)
  const isTerse = voice.pace < (voice.language === 'zh' ? 4.5 : 5)
  const weights = isTerse ? [0.25, 0.4, 0.25, 0.1] : [0.1, 0.38, 0.34, 0.18]
  return draws.weighted(weights.map((weight, index) => [index + 1, weight] as const)) ?? 2
}

function count(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + sentencesOf(part).length, 0)
}

export function joined(parts: readonly string[], { language }: Pick<Situation, 'language'>): string {
  return parts.join(language === 'zh' ? '' : ' ')
}
