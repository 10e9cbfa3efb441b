/** The tools whose types are not in the prompt: each name, with a few words while there is room for them. */
import type { ToolRecord } from './tool-record.ts'

const WORDS_LIMIT = 80
const ROSTER_LIMIT = 8_000

export function roster(tools: readonly ToolRecord[]): string {
  const names = tools.map(({ name }) => JSON.stringify(name))
  const lines = tools.map(({ description }, n) => `- ${names[n]}: ${fewWords(description)}`)
  const whole = lines.join('\n')
  return whole.length <= ROSTER_LIMIT ? whole : names.join(', ')
}

/** The first sentence, or as many of its words as fit. */
export function fewWords(description: string): string {
  const [sentence = ''] = description.trim().split(/(?<=[.!?])\s|(?<=[。！？])|\n/)
  const text = sentence.replace(/\s+/g, ' ').replace(/[.。]$/, '')
  if (text.length <= WORDS_LIMIT) return text
  const cut = text.slice(0, WORDS_LIMIT)
  const end = cut.lastIndexOf(' ')
  return `${(end > 0 ? cut.slice(0, end) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`
}
