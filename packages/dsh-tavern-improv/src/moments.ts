/** What of a history is worth keeping in one line each: who said what, and how much it weighs. */
import type { Message } from '@deepseek-ai/dsh-llm'
import { type Briefing, readBriefing } from './briefing-reading.ts'
import { fieldOf, isOwn, textOf } from './request-reading.ts'
import { readSections, type Sections } from './sections.ts'
import { sentencesOf } from './words.ts'

export interface Moment {
  /** `*` for narration, empty for an unnamed person. */
  readonly by: string
  readonly isWhisper: boolean
  readonly text: string
  readonly weight: number
}

export interface History {
  readonly moments: readonly Moment[]
  readonly briefings: readonly Briefing[]
  /** Summaries that stand in it, without their frame. */
  readonly summaries: readonly string[]
}

/** A promise, or something asked or owed, weighs at least this. */
export const PROMISE = 5

/** Moments of one history, oldest first; `self` is the name of whose history it is. */
export function historyOf(messages: readonly Message[], system: Sections, self: string): History {
  const moments: Moment[] = []
  const briefings: Briefing[] = []
  const summaries: string[] = []
  for (const message of messages) {
    const text = textOf(message)
    if (text === '' || message.source.kind === 'tool') continue
    if (isSummary(message)) summaries.push(unframed(text))
    else if (isOwn(message))
      moments.push(...telling({ by: self, isWhisper: false, text: text.slice(0, 4000) }))
    else if (isTold(message)) {
      const briefing = readBriefing({ told: readSections(text), system, self, text })
      briefings.push(briefing)
      for (const { kind, by, text: heard } of briefing.heard) {
        moments.push(
          ...telling({
            by: kind === 'narration' ? '*' : by,
            isWhisper: kind === 'whisper',
            text: heard,
          }),
        )
      }
    }
  }
  return { moments, briefings, summaries }
}

export function isSummary(message: Message): boolean {
  return (
    fieldOf(message, 'plugin') === 'compact' || textOf(message).startsWith('<compacted-summary>')
  )
}

function unframed(text: string): string {
  return (/<compacted-summary>([\s\S]*?)(?:<\/compacted-summary>|$)/.exec(text)?.[1] ?? text).trim()
}

/** A person's line or a briefing; what the host's plugins add for themselves is neither. */
function isTold(message: Message): boolean {
  return message.source.kind !== 'plugin' || readSections(textOf(message)).language !== undefined
}

/** The sentence of a line that says most. */
function telling({ by, isWhisper, text }: Omit<Moment, 'weight'>): readonly Moment[] {
  const spoken = text.replaceAll(/\*[^*\n]*\*|（[^（）]*）/gu, ' ').replaceAll(/\s+/gu, ' ')
  const sentences = sentencesOf(spoken.trim() === '' ? text.replaceAll('*', '') : spoken)
  const [first] = sentences.toSorted((left, right) => weightOf(right) - weightOf(left))
  return first === undefined ? [] : [{ by, isWhisper, text: first, weight: weightOf(first) }]
}

const promise =
  /\b(?:promise|swear|owe|i(?:'ll| will)|must|never forget|remember|by (?:dawn|tomorrow|morning))\b|答应|保证|发誓|欠|一定|记住|别忘/iu

function weightOf(sentence: string): number {
  const names = sentence.match(/(?<=\s)\p{Lu}\p{L}+/gu)?.length ?? 0
  const figures = /\d/.test(sentence) ? 1 : 0
  return (
    (promise.test(sentence) ? PROMISE : 0) +
    Math.min(3, names) +
    figures +
    Math.min(0.9, sentence.length / 100)
  )
}
