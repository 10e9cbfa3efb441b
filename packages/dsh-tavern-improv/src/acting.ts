/** What a character does before it speaks: real tool calls, and only of tools that are offered. */
import type { ToolSchema } from '@deepseek-ai/dsh-llm'
import type { WorldFact } from './briefing-reading.ts'
import { askedOf, changedValue } from './changing.ts'
import { isCommonWord } from './common-words.ts'
import { enumOf, fits } from './json-schema.ts'
import { phrasingOf } from './phrasing.ts'
import { recordOf, type RequestReading, type Step } from './request-reading.ts'
import { Draws } from './seeded.ts'
import { readSituation, type Situation } from './situation.ts'
import { wordsOf } from './words.ts'
import { isAbout } from './world-talk.ts'

export interface Call {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Steps of one turn that may be calls; then it speaks. */
const CALL_STEPS = 2

/** The calls of this step; none when it is time to speak. */
export function callsOf(reading: RequestReading, readiness: number): readonly Call[] {
  const { steps } = reading
  if (steps.length >= CALL_STEPS || steps.some(({ failed }) => failed)) return []
  const draws = new Draws(`${reading.seed}/acting/${steps.length}`)
  const call =
    steps.length === 0 ? firstCall(reading, { readiness, draws }) : nextCall(reading, steps, draws)
  return call && isOffered(reading.tools, call) ? [call] : []
}

interface Choice {
  readonly readiness: number
  readonly draws: Draws
}

function firstCall(reading: RequestReading, { readiness, draws }: Choice): Call | undefined {
  const { briefing } = reading
  const asksToLeave = /\b(?:leave|go home|walk out|exit)\b|离开|离场|退场|出去|走吧/iu.test(
    briefing.instruction,
  )
  if (draws.chance(asksToLeave ? 0.9 : readiness * 0.01)) return { name: 'leave', args: {} }
  const situation = readSituation(reading)
  if (draws.chance(readiness * whisperWeight(reading))) return whisper(reading, situation, draws)
  const weighed = briefing.world.map((one) => [one, weightOf(one, reading, situation)] as const)
  const fact = draws.weighted(weighed)
  const weight = weighed.find(([one]) => one === fact)?.[1] ?? 0
  if (fact === undefined || !draws.chance(Math.min(0.95, readiness * weight))) return undefined
  return draws.chance(0.25) && offers(reading.tools, 'world_get')
    ? { name: 'world_get', args: { key: fact.key } }
    : change(fact, reading, draws)
}

/** After a look at the world, perhaps a change of what was seen. */
function nextCall(reading: RequestReading, steps: readonly Step[], draws: Draws): Call | undefined {
  const [step] = steps
  if (step?.name !== 'world_get' || !draws.chance(0.6)) return undefined
  const fact = reading.briefing.world.find(({ key }) => key === step.args['key'])
  return fact && change(seen(fact, step.result), reading, draws)
}

/** The version and value a tool told are newer than the briefing's. */
function seen(fact: WorldFact, result: string): WorldFact {
  const told = recordOf(result)
  const version = told['version'] ?? Number(/(?:version|版本)\D{0,3}(\d+)/i.exec(result)?.[1])
  return {
    key: fact.key,
    version: typeof version === 'number' && Number.isInteger(version) ? version : fact.version,
    value: told['value'] ?? fact.value,
  }
}

function change(fact: WorldFact, reading: RequestReading, draws: Draws): Call | undefined {
  const { persona, briefing, language, tools } = reading
  const order = `${briefing.instruction} ${briefing.heard.at(-1)?.text ?? ''}`
  if (typeof fact.value === 'boolean' && askedOf(fact, order) === fact.value) return undefined
  const schema = tools.find(({ name }) => name === 'world_set')?.parameters
  const listed = enumOf(schema, 'value').filter((value) => value !== fact.value)
  const texts = [
    briefing.scene,
    ...briefing.lore,
    persona.instructions,
    persona.description,
    briefing.instruction,
  ]
  const value =
    typeof fact.value === 'string' && listed.length > 0
      ? draws.pick(listed)
      : changedValue(fact, { texts, language, draws })
  return value === undefined
    ? undefined
    : { name: 'world_set', args: { key: fact.key, value, expected_version: fact.version } }
}

/** Most for what the cue asks for, then for what an order is about; little for what nobody spoke of. */
function weightOf(
  fact: WorldFact,
  { briefing, language }: RequestReading,
  { act, heardWords }: Situation,
): number {
  if (
    isAbout(
      fact,
      wordsOf(briefing.instruction, language).filter((word) => !isCommonWord(word, language)),
    )
  )
    return 2.7
  if (briefing.changedKeys.includes(fact.key)) return 0.02
  const isSpokenOf = isAbout(
    fact,
    [...heardWords].filter((word) => !isCommonWord(word, language)),
  )
  if (!isSpokenOf) return 0.08
  return act === 'request' || act === 'plan' ? 2 : 0.4
}

function whisperWeight({ briefing }: RequestReading): number {
  if (briefing.isPrivate) return 0
  if (/\bwhisper|耳语|悄悄/iu.test(briefing.instruction)) return 3
  return briefing.heard.at(-1)?.kind === 'whisper' ? 0.9 : 0.25
}

function whisper(reading: RequestReading, situation: Situation, draws: Draws): Call | undefined {
  const ids = addressees(reading)
  const { focus } = situation
  const answer = focus?.kind === 'whisper' ? ids.find(({ name }) => name === focus.by) : undefined
  const to = answer ?? draws.pick(ids.filter(({ name }) => name !== focus?.by)) ?? draws.pick(ids)
  if (to === undefined) return undefined
  const about = situation.others.filter((name) => name !== to.name)
  const { say } = phrasingOf(situation, draws)
  const text = say(answer ? 'whisper' : 'aside', {
    other: draws.pick(about),
    you: to.name || undefined,
  })
  return text !== undefined && situation.discretion.allows(text)
    ? { name: 'whisper', args: { to: [to.id], text } }
    : undefined
}

/** Whom the whisper tool can reach: whom its schema lists, else who is here with an id. */
function addressees({
  tools,
  briefing,
}: RequestReading): readonly { readonly id: string; readonly name: string }[] {
  const listed = enumOf(tools.find(({ name }) => name === 'whisper')?.parameters, 'to')
  const people = briefing.others.filter(({ id }) => id !== '')
  if (listed.length === 0) return people
  return listed.map((id) => ({
    id,
    name:
      people.find((one) => one.id === id || one.id.slice(one.id.indexOf(':') + 1) === id)?.name ??
      '',
  }))
}

export function offers(tools: readonly ToolSchema[], name: string): boolean {
  return tools.some((tool) => tool.name === name)
}

/** Offered, and with arguments its schema takes. */
export function isOffered(tools: readonly ToolSchema[], { name, args }: Call): boolean {
  const tool = tools.find((one) => one.name === name)
  return tool !== undefined && fits(tool.parameters, args)
}
