/** Plays one character through many beats, its own answers kept as its session would keep them. */
import type { Message, ToolSchema } from '@deepseek-ai/dsh-llm'
import { answerTo } from '../../packages/dsh-tavern-improv/src/answer.ts'
import type { Card } from './cards.ts'
import { briefingText, cue, evening, own, request } from './requests.ts'

export interface Evening {
  readonly beats: number
  readonly seed: string
  readonly lines?: readonly string[]
  readonly world?: Readonly<Record<string, unknown>>
  readonly tools?: readonly ToolSchema[]
}

export function spokenBy(card: Card, { beats, seed, ...told }: Evening): readonly string[] {
  const lines = told.lines ?? evening[card.language]
  const messages: Message[] = []
  const spoken: string[] = []
  for (let beat = 0; beat < beats; beat += 1) {
    const happened = [beat - 1, beat].map((at) => lines[(at + lines.length) % lines.length] ?? '')
    const world = told.world ?? {}
    messages.push(cue(briefingText({ card, happened, world }), `${seed}/${beat}`))
    const { text } = answerTo(request(card, messages), 0)
    spoken.push(text)
    messages.push(own(text))
  }
  return spoken
}
