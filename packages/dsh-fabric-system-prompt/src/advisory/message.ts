/** The hint as the model reads it: one message of a bounded size, whose source says what fired. */
import { createUserMessage, type UserMessage } from '@deepseek-ai/dsh-llm'
import { advisoryGuidance } from '../guidance.ts'
import { fewWords } from '../roster.ts'
import type { Fire } from './advisor.ts'

/** Kept with the message in the log. */
export interface AdvisorySource {
  readonly kind: 'fabric-advisory'
  readonly form: 'capabilities'
  readonly entries: readonly Fire[]
}

declare module '@deepseek-ai/dsh-llm' {
  interface MessageSourceMap {
    'fabric-advisory': AdvisorySource
  }
}

export const ADVISORY_LIMIT = 2_048

/** Nothing, when not even one hint fits. */
export function advisoryMessage(
  fires: readonly Fire[],
  descriptionOf: (tool: string) => string,
): UserMessage | undefined {
  const lines = [advisoryGuidance]
  const entries: Fire[] = []
  for (const fire of fires) {
    const line = `- ${JSON.stringify(fire.tool)}: ${fewWords(descriptionOf(fire.tool))}`
    if ([...lines, line].join('\n').length > ADVISORY_LIMIT) continue
    lines.push(line)
    entries.push(fire)
  }
  if (entries.length === 0) return undefined
  return createUserMessage({
    content: [{ type: 'text', text: lines.join('\n') }],
    source: { kind: 'fabric-advisory', form: 'capabilities', entries },
  })
}
