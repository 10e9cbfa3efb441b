/** Whether a character looks at the world or changes it now, and what it changes. */
import type { Call } from './acting.ts'
import type { WorldFact } from './briefing-reading.ts'
import { changedValue, mayChangeUnasked } from './changing.ts'
import { isCommonWord } from './common-words.ts'
import { enumOf } from './json-schema.ts'
import { recordOf, type RequestReading, type Step } from './request-reading.ts'
import type { Draws } from './seeded.ts'
import type { Situation } from './situation.ts'
import { wordsOf } from './words.ts'
import { isAbout } from './world-talk.ts'

export interface Choice {
  /** 0 to 1. */
  readonly readiness: number
  readonly draws: Draws
}

interface Chance {
  readonly fact: WorldFact
  /** Times readiness: how likely something is done about it. */
  readonly weight: number
  /** The words that ask for it, where it is asked for. */
  readonly order: string
}

export function worldCall(
  reading: RequestReading,
  situation: Situation,
  { readiness, draws }: Choice,
): Call | undefined {
  const chances = reading.briefing.world.map((fact) => chanceOf(fact, reading, situation))
  const chance = draws.weighted(chances.map((one) => [one, one.weight] as const))
  if (chance === undefined || !draws.chance(Math.min(0.95, readiness * chance.weight)))
    return undefined
  const looksFirst = draws.chance(0.25) && reading.tools.some(({ name }) => name === 'world_get')
  return looksFirst
    ? { name: 'world_get', args: { key: chance.fact.key } }
    : change(chance.fact, reading, { order: chance.order, draws })
}

/** After a look, perhaps a change of what was seen. */
export function callAfterLook(
  step: Step,
  reading: RequestReading,
  situation: Situation,
  draws: Draws,
): Call | undefined {
  const fact = reading.briefing.world.find(({ key }) => key === step.args['key'])
  if (fact === undefined || !draws.chance(0.7)) return undefined
  const { weight, order } = chanceOf(fact, reading, situation)
  return weight < 0.05 ? undefined : change(seen(fact, step.result), reading, { order, draws })
}

/** Most for what the cue asks for, then for what an order is about; little for what nobody asked for. */
function chanceOf(
  fact: WorldFact,
  { briefing, language }: RequestReading,
  { act, focus, heardWords }: Situation,
): Chance {
  const telling = (words: Iterable<string>) =>
    [...words].filter((word) => !isCommonWord(word, language))
  const { instruction, changedKeys } = briefing
  if (isAbout(fact, telling(wordsOf(instruction, language))))
    return { fact, weight: 2.7, order: instruction }
  const isSpokenOf = isAbout(fact, telling(heardWords))
  const isOrder = act === 'request' || act === 'plan'
  if (isSpokenOf && isOrder) return { fact, weight: 2, order: focus?.text ?? '' }
  if (changedKeys.includes(fact.key) || !mayChangeUnasked(fact))
    return { fact, weight: 0, order: '' }
  return { fact, weight: isSpokenOf ? 0.4 : 0.08, order: '' }
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

function change(
  fact: WorldFact,
  reading: RequestReading,
  { order, draws }: { readonly order: string; readonly draws: Draws },
): Call | undefined {
  const { persona, briefing, language, tools } = reading
  const schema = tools.find(({ name }) => name === 'world_set')?.parameters
  const listed = enumOf(schema, 'value').filter((value) => value !== fact.value)
  const texts = [briefing.scene, ...briefing.lore, persona.instructions, persona.description, order]
  const isListed = typeof fact.value === 'string' && listed.length > 0
  const value = isListed
    ? draws.pick(listed)
    : changedValue(fact, { order, texts, language, draws })
  if (value === undefined) return undefined
  return { name: 'world_set', args: { key: fact.key, value, expected_version: fact.version } }
}
