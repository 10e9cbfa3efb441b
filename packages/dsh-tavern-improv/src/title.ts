/** A short title from the first thing a person said. */
import type { GenerateOptions } from '@deepseek-ai/dsh-llm'
import { textOf } from './request-reading.ts'
import { languageOf, sentencesOf, wordsOf } from './words.ts'

export function titleOf(options: Pick<GenerateOptions, 'messages'>): string {
  const text = firstText(options.messages.map(textOf).findLast((one) => one !== '') ?? '')
  const language = languageOf(text) ?? 'en'
  const sentence = (sentencesOf(text)[0] ?? text).replace(/[.!?。！？…]+$/u, '')
  const [clause = ''] = sentence.split(/[,，;；:：]/u)
  if (language === 'zh') return clause.trim().slice(0, 12) || '酒馆一夜'
  const words = clause.trim().split(/\s+/).slice(0, 6).join(' ')
  return wordsOf(words, 'en').length > 0
    ? words.charAt(0).toUpperCase() + words.slice(1)
    : 'A night at the tavern'
}

/** The host frames the messages as a JSON list after a line of its own. */
function firstText(framed: string): string {
  try {
    const list: unknown = JSON.parse(framed.slice(framed.indexOf('[')))
    const [first] = Array.isArray(list) ? (list as readonly unknown[]) : []
    const text = typeof first === 'object' && first !== null && 'text' in first ? first.text : first
    return typeof text === 'string' ? text : framed
  } catch {
    // Not framed: the message is the text.
    return framed
  }
}
