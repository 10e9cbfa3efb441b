/** What a request holds, as the tests speak of it. */
import type { WireRequest } from './chat.ts'
import type { Exchange } from './provider-server.ts'

/** The briefings and notes in it, oldest first. */
export function briefingsIn(request: WireRequest | undefined): readonly string[] {
  const users = (request?.messages ?? []).filter(({ role }) => role === 'user')
  return users.map(({ content }) => content)
}

export function newestIn(request: WireRequest | undefined): string {
  return briefingsIn(request).at(-1) ?? ''
}

/** All its briefings on one line. */
export function allToldIn(request: WireRequest | undefined): string {
  return briefingsIn(request).map(oneLine).join(' ')
}

/** What it holds as the character's own words, oldest first. */
export function ownWordsIn(request: WireRequest | undefined): readonly string[] {
  const own = (request?.messages ?? []).filter(({ role }) => role === 'assistant')
  return own.map(({ content }) => content)
}

export function timesIn(text: string, part: string): number {
  return text.split(part).length - 1
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

export function saidIn({ answer }: Exchange): string {
  return answer.kind === 'say' ? answer.text : ''
}

export function thoughtIn({ answer }: Exchange): string {
  return answer.kind === 'say' ? (answer.reasoning ?? '') : ''
}

/** An answer as a later request holds it: the host's OpenAI adapter turns another model's thoughts into words. */
export function rememberedIn(request: WireRequest, exchange: Exchange): string {
  const isForeign = exchange.request.chat.model !== request.chat.model
  const thought = request.protocol === 'openai' && isForeign ? thoughtIn(exchange) : ''
  return thought + saidIn(exchange)
}
