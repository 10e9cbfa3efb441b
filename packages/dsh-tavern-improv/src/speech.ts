/** One answer in character: a reaction to what was said, something of its own, and the way it moves. */
import { Memory } from './likeness.ts'
import { phrasingOf } from './phrasing.ts'
import { leadOf } from './reactions.ts'
import type { RequestReading } from './request-reading.ts'
import { Draws } from './seeded.ts'
import { readSituation, type Situation } from './situation.ts'
import { staged } from './staging.ts'
import { endsAnswer, kindsFor, type Part, substance } from './substance.ts'
import { sentencesOf, uncapitalised } from './words.ts'

/** How many drafts are tried before the least repetitive one is taken, and how many where all repeat too much. */
const DRAFTS = 24
const MOST_DRAFTS = 120
const BEARABLE = 10
/** A draft this little repetitive is taken at once. */
const NEW_ENOUGH = 0.5
/** What a draft that would give something away is charged. */
const INDISCREET = 1000

export function speak(reading: RequestReading): string {
  const situation = readSituation(reading)
  const heard = reading.briefing.heard.map(({ text }) => text)
  const memory = new Memory(reading.ownTexts, heard, reading.language)
  const wanted = lengthFor(situation, new Draws(`${reading.seed}/length`))
  let best = { text: '', fault: Number.POSITIVE_INFINITY }
  for (let attempt = 0; attempt < MOST_DRAFTS && best.fault > NEW_ENOUGH; attempt++) {
    if (attempt >= DRAFTS && best.fault < BEARABLE) break
    const draws = new Draws(`${reading.seed}/speech/${reading.steps.length}/${attempt}`)
    const { text, missing } = draft(reading, situation, {
      draws,
      wanted,
      isFree: attempt >= DRAFTS,
    })
    const indiscretion = situation.discretion.allows(text) ? 0 : INDISCREET
    const fault = memory.repetition(text) + 1.5 * missing + indiscretion
    if (text !== '' && fault < best.fault) best = { text, fault }
  }
  return best.fault < INDISCREET ? best.text : reading.language === 'zh' ? '……' : '...'
}

interface Draft {
  readonly text: string
  /** Sentences fewer than wanted. */
  readonly missing: number
}

interface Wanted {
  readonly draws: Draws
  readonly wanted: number
  /** Everything else was said before: anything may follow the reaction. */
  readonly isFree: boolean
}

function draft(
  reading: RequestReading,
  situation: Situation,
  { draws, wanted: usual, isFree }: Wanted,
): Draft {
  const tools = { phrasing: phrasingOf(situation, draws), draws }
  const lead = leadOf(reading, situation, tools)
  const wanted = lead.closes ? 1 : usual + (isFree ? 1 : 0)
  const open: Situation = isFree ? { ...situation, act: 'statement' } : situation
  const body: string[] = lead.text === '' ? [] : [lead.text]
  const end: string[] = []
  const used = new Set<string>()
  for (let tries = 0; tries < 8 && count([...body, ...end]) < wanted; tries++) {
    const kind = draws.weighted(kindsFor(open, used))
    if (kind === undefined) break
    used.add(kind)
    const text = substance(kind, open, { ...tools, said: body.join(' ').toLowerCase() })
    if (!text || count([...body, ...end, text]) > wanted + 1) continue
    if (endsAnswer(kind)) end.push(text)
    else body.push(kind === 'own' ? connected(text, body, { situation, ...tools }) : text)
  }
  const parts = [...body, ...end]
  const missing = situation.act === 'loss' ? 0 : Math.max(0, wanted - count(parts))
  return { text: staged(parts, situation, tools), missing }
}

/** Now and then a connective makes two sentences one thought. */
function connected(
  text: string,
  before: readonly string[],
  { phrasing, situation, draws }: Omit<Part, 'said'> & { readonly situation: Situation },
): string {
  if (before.length === 0 || startsOpen(text, situation) || !draws.chance(0.22)) return text
  const connective = phrasing.say('connect')
  if (connective === undefined) return text
  if (situation.language === 'zh') return `${connective}${text}`
  const names = [situation.voice.name, ...situation.others]
  return `${connective} ${connective.endsWith(',') ? uncapitalised(text, names) : text}`
}

function startsOpen(text: string, { voice }: Situation): boolean {
  return voice.habits.openers.some((opener) => text.startsWith(opener))
}

/** Sentences wanted: terse cards say less at a time, nobody says much to a loss. */
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
