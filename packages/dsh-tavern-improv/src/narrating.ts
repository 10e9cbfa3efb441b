/** What a narrator decides: perhaps a passage, one to three characters in order, then the end. */
import type { Call } from './acting.ts'
import { isOffered, offers } from './acting.ts'
import type { Person } from './briefing-reading.ts'
import { spokenPart } from './hearing.ts'
import { enumOf, propertyOf } from './json-schema.ts'
import { Memory } from './likeness.ts'
import { phrasingOf } from './phrasing.ts'
import type { RequestReading } from './request-reading.ts'
import { Draws } from './seeded.ts'
import { readSituation, type Situation } from './situation.ts'
import { topicsOf } from './topics.ts'

/** Drafts of one passage; after them a passage that would repeat is left out. */
const DRAFTS = 12

export function isNarrator({ tools }: RequestReading): boolean {
  return offers(tools, 'cue') && (offers(tools, 'end') || offers(tools, 'narrate'))
}

/** A narrator's cue asks for a decision, not for words of its own. */
export function overview(reading: RequestReading): Situation {
  return { ...readSituation(reading), errand: undefined }
}

/** All its calls at once; none when it has decided already this turn. */
export function narratorCalls(reading: RequestReading): readonly Call[] {
  if (reading.steps.some(({ failed }) => !failed)) return []
  if (reading.steps.length > 3) return []
  const draws = new Draws(`${reading.seed}/narrating/${reading.steps.length}`)
  const situation = overview(reading)
  const chosen = chosenOf(reading, draws)
  const wantsPassage = chosen.length === 0 || draws.chance(reading.steps.length > 0 ? 0 : 0.4)
  const passage = wantsPassage ? narration(reading, situation, draws) : undefined
  const change = draws.chance(0.06) ? sceneChange(reading, situation, draws) : undefined
  const calls: readonly Call[] = [
    ...(change === undefined ? [] : [change]),
    ...(passage === undefined ? [] : [{ name: 'narrate', args: { text: passage } }]),
    ...chosen.map((person) => cue(person, reading, { situation, draws })),
    { name: 'end', args: {} },
  ]
  return calls.filter((call) => isOffered(reading.tools, call))
}

interface Candidate extends Person {
  /** As the cue tool takes it. */
  readonly argument: string
  readonly isNamed: boolean
}

/** Who was named comes first; the last speaker only if nobody else is here. */
function chosenOf(reading: RequestReading, draws: Draws): readonly Candidate[] {
  const { briefing, steps } = reading
  const last = briefing.heard.at(-1)
  const refused = new Set(
    steps.filter(({ name }) => name === 'cue').map(({ args }) => args['character']),
  )
  const candidates = candidatesOf(reading)
    .filter(({ argument }) => !refused.has(argument))
    .map((one) => ({
      ...one,
      isNamed: one.name !== '' && (last?.text ?? '').includes(one.name),
    }))
  const others = candidates.filter(({ name }) => name === '' || name !== last?.by)
  const open = draws.shuffled(others.length > 0 ? others : candidates)
  const ordered = [
    ...open.filter(({ isNamed }) => isNamed),
    ...open.filter(({ isNamed }) => !isNamed),
  ]
  const wanted =
    draws.weighted([
      [1, 0.5],
      [2, 0.35],
      [3, 0.15],
    ]) ?? 1
  return ordered.slice(0, Math.min(wanted, momentsLeft(briefing.instruction)))
}

/** Those the tool lists, else the characters the briefing shows with an id. */
function candidatesOf({ tools, briefing }: RequestReading): readonly Omit<Candidate, 'isNamed'>[] {
  const listed = enumOf(tools.find(({ name }) => name === 'cue')?.parameters, 'character')
  if (listed.length > 0) {
    return listed.map((argument) => {
      const person = briefing.others.find(({ id }) => id === argument || bare(id) === argument)
      return { name: person?.name ?? '', id: argument, argument }
    })
  }
  return briefing.others
    .filter(({ id }) => id.startsWith('character:'))
    .map((person) => ({ ...person, argument: bare(person.id) }))
}

function bare(id: string): string {
  return id.slice(id.indexOf(':') + 1)
}

function momentsLeft(text: string): number {
  const left = Number(/(?:at most|最多)\s*(\d+)/i.exec(text)?.[1] ?? '3')
  return Math.max(1, left)
}

interface Tools {
  readonly situation: Situation
  readonly draws: Draws
}

function cue(person: Candidate, reading: RequestReading, { situation, draws }: Tools): Call {
  const takesWhy =
    propertyOf(reading.tools.find(({ name }) => name === 'cue')?.parameters, 'why') !== undefined
  const { say } = phrasingOf(situation, draws)
  const a = person.name || person.argument
  const why = say(person.isNamed ? 'named' : 'reason', { a })
  const isOpen = why !== undefined && situation.discretion.allows(why)
  return {
    name: 'cue',
    args: { character: person.argument, ...(takesWhy ? { why: isOpen ? why : a } : {}) },
  }
}

/** One or two sentences that give nobody's secret away and were not narrated before. */
export function narration(
  reading: RequestReading,
  situation: Situation,
  draws: Draws,
): string | undefined {
  const { briefing, language } = reading
  const memory = new Memory(
    reading.ownTexts,
    briefing.heard.map(({ text }) => text),
    language,
  )
  const premise = topicsOf({
    text: spokenPart(premiseOf(reading)),
    language,
    known: situation.others,
  })
  for (let attempt = 0; attempt < DRAFTS; attempt++) {
    const tries = draws.fork(`passage/${attempt}`)
    const [a, b] = tries.shuffled(situation.others)
    const { say } = phrasingOf(situation, tries)
    const topic = tries.chance(0.4) ? tries.pick(premise) : situation.topics[0]
    const extra = { a, b, topic: topic?.ref, is: topic?.isPlural ? 'are' : 'is' }
    const first = say('narrate', extra)
    const second = tries.chance(0.35) ? say('narrate', extra) : undefined
    const parts = second === undefined || second === first ? [first] : [first, second]
    const text = parts.filter((part) => part !== undefined).join(language === 'zh' ? '' : ' ')
    if (text !== '' && situation.discretion.allows(text) && memory.repetition(text) < 6) return text
  }
  return undefined
}

function premiseOf({ briefing, persona }: RequestReading): string {
  const premise = /\[(?:Premise|开场)\]\n([\s\S]*?)(?:\n\n\[|$)/u.exec(persona.description)?.[1]
  return (
    premise ??
    briefing.scene
      .split('\n')
      .filter((line) => !line.includes('<'))
      .join('\n')
  )
}

function sceneChange(
  reading: RequestReading,
  situation: Situation,
  draws: Draws,
): Call | undefined {
  const schema = reading.tools.find(({ name }) => name === 'set_scene')?.parameters
  const { say } = phrasingOf(situation, draws)
  const mood = propertyOf(schema, 'mood') && say('mood')
  const time = propertyOf(schema, 'time') && draws.chance(0.4) ? say('hour') : undefined
  const args = { ...(mood ? { mood } : {}), ...(time ? { time } : {}) }
  const isOpen = Object.values(args).every((text) => situation.discretion.allows(text))
  return Object.keys(args).length > 0 && isOpen ? { name: 'set_scene', args } : undefined
}
