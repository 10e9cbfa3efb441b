/** What a character does before it speaks: real tool calls, and only of tools that are offered. */
import type { ToolSchema } from '@deepseek-ai/dsh-llm'
import { enumOf, fits } from './json-schema.ts'
import { phrasingOf } from './phrasing.ts'
import type { RequestReading } from './request-reading.ts'
import { Draws } from './seeded.ts'
import { readSituation, type Situation } from './situation.ts'
import { callAfterLook, type Choice, worldCall } from './world-acting.ts'

export interface Call {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Steps of one turn that may be calls; then it speaks. */
const CALL_STEPS = 2

/** The calls of this step; none when it is time to speak. */
export function callsOf(reading: RequestReading, readiness: number): readonly Call[] {
  const { steps, tools } = reading
  if (readiness === 0 || tools.length === 0 || steps.length >= CALL_STEPS) return []
  if (steps.some(({ failed }) => failed)) return []
  const draws = new Draws(`${reading.seed}/acting/${steps.length}`)
  const situation = readSituation(reading)
  const [step] = steps
  const call =
    step === undefined
      ? firstCall(reading, situation, { readiness, draws })
      : step.name === 'world_get'
        ? callAfterLook(step, reading, situation, draws)
        : undefined
  return call && isOffered(tools, call) ? [call] : []
}

function firstCall(
  reading: RequestReading,
  situation: Situation,
  choice: Choice,
): Call | undefined {
  const { briefing, tools } = reading
  const { readiness, draws } = choice
  const asksToLeave = /\b(?:leave|go home|walk out|exit)\b|离开|离场|退场|出去|走吧/iu.test(
    briefing.instruction,
  )
  if (offers(tools, 'leave') && draws.chance(asksToLeave ? 0.9 : readiness * 0.01)) {
    return { name: 'leave', args: {} }
  }
  if (offers(tools, 'whisper') && draws.chance(readiness * whisperWeight(reading, situation))) {
    return whisper(reading, situation, draws)
  }
  return worldCall(reading, situation, choice)
}

function whisperWeight({ briefing }: RequestReading, { focus }: Situation): number {
  if (briefing.isPrivate) return 0
  if (/\bwhisper|耳语|悄悄/iu.test(briefing.instruction)) return 3
  return focus?.kind === 'whisper' ? 0.9 : 0.2
}

function whisper(reading: RequestReading, situation: Situation, draws: Draws): Call | undefined {
  const { focus } = situation
  const people = addressees(reading)
  const answered =
    focus?.kind === 'whisper' ? people.find(({ name }) => name === focus.by) : undefined
  const others = people.filter(({ name }) => name !== focus?.by)
  const to = answered ?? draws.pick(others) ?? draws.pick(people)
  if (to === undefined) return undefined
  const about = situation.others.filter((name) => name !== to.name)
  const { say } = phrasingOf(situation, draws)
  const { callName } = situation.voice
  const other = draws.pick(about)
  const slots = { other: other && callName(other), you: to.name ? callName(to.name) : undefined }
  const text = say(answered ? 'whisper' : 'aside', slots)
  if (text === undefined || !situation.discretion.allows(text)) return undefined
  return { name: 'whisper', args: { to: [to.id], text } }
}

interface Addressee {
  readonly id: string
  readonly name: string
}

/** Whom the whisper tool can reach: whom its schema lists, else who is here with an id. */
function addressees({ tools, briefing }: RequestReading): readonly Addressee[] {
  const schema = tools.find(({ name }) => name === 'whisper')?.parameters
  const listed = enumOf(schema, 'to')
  const people = briefing.others.filter(({ id }) => id !== '')
  if (listed.length === 0) return people
  return listed.map((id) => {
    const person = people.find(
      (one) => one.id === id || one.id.slice(one.id.indexOf(':') + 1) === id,
    )
    return { id, name: person?.name ?? '' }
  })
}

export function offers(tools: readonly ToolSchema[], name: string): boolean {
  return tools.some((tool) => tool.name === name)
}

/** Offered, and with arguments its schema takes. */
export function isOffered(tools: readonly ToolSchema[], { name, args }: Call): boolean {
  const tool = tools.find((one) => one.name === name)
  return tool !== undefined && fits(tool.parameters, args)
}
