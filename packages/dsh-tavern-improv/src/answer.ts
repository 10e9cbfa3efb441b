/** The whole answer to one request: texts and calls, a pure function of what the request holds. */
import type { GenerateOptions } from '@deepseek-ai/dsh-llm'
import { type Call, callsOf } from './acting.ts'
import { isNarrator, narration, narratorCalls, overview } from './narrating.ts'
import { readRequest, type RequestReading } from './request-reading.ts'
import { Draws } from './seeded.ts'
import { speak } from './speech.ts'
import { summarise } from './summary.ts'
import { titleOf } from './title.ts'
import type { Language } from 'dsh-tavern-protocol'

export interface Answer {
  readonly text: string
  readonly calls: readonly Call[]
  /** How its text is cut into pieces. */
  readonly language: Language
  /** What ids of its calls are made from. */
  readonly seed: string
}

export function answerTo(options: GenerateOptions, toolUse: number): Answer {
  const reading = readRequest(options)
  const plain = { calls: [], language: reading.language, seed: reading.seed }
  if (options.purpose === 'compaction') return { ...plain, text: summarise(options) }
  if (options.purpose === 'session-title') return { ...plain, text: titleOf(options) }
  const calls = isNarrator(reading) ? narratorCalls(reading) : callsOf(reading, toolUse)
  const seed = `${reading.seed}/${reading.steps.length}`
  return { ...plain, seed, calls, text: calls.length > 0 ? '' : textFor(reading) }
}

/** A narrator that has decided says nothing; one that could not call anything narrates. */
function textFor(reading: RequestReading): string {
  if (!isNarrator(reading)) return speak(reading)
  if (reading.steps.length > 0) return ''
  return narration(reading, overview(reading), new Draws(`${reading.seed}/aloud`)) ?? ''
}
