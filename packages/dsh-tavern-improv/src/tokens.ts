/** Honest token counts of a stand-in: about four letters a token, one and a half tokens a CJK character. */
import type { ContentBlock, GenerateOptions, Message } from '@deepseek-ai/dsh-llm'
import { cjkCount } from './words.ts'

/** What a message and a block cost beside their text, as the host counts it. */
const OVERHEAD = 4

export function tokensOf(text: string): number {
  const cjk = cjkCount(text)
  return Math.ceil((text.length - cjk) / 4 + cjk * 1.5)
}

/** All messages, the system prompt and the tools. */
export function inputTokens({
  messages,
  system,
  tools,
}: Pick<GenerateOptions, 'messages' | 'system' | 'tools'>): number {
  const said = messages.reduce((sum, message) => sum + messageTokens(message), 0)
  const prompt = system === undefined ? 0 : tokensOf(system) + OVERHEAD
  const schemas =
    tools === undefined || tools.length === 0 ? 0 : tokensOf(JSON.stringify(tools)) + OVERHEAD
  return said + prompt + schemas
}

function messageTokens(message: Message): number {
  return OVERHEAD + blocksTokens(message.content)
}

function blocksTokens(blocks: readonly ContentBlock[]): number {
  return blocks.reduce((sum, block) => sum + OVERHEAD + blockTokens(block), 0)
}

function blockTokens(block: ContentBlock): number {
  if (block.type === 'text' || block.type === 'reasoning') return tokensOf(block.text)
  if (block.type === 'tool-call') return tokensOf(block.name) + tokensOf(block.arguments)
  if (block.type === 'tool-result') return blocksTokens(block.content)
  // Images, and what other plugins add, are priced as what they are in JSON.
  return tokensOf(JSON.stringify(block))
}

/** The longest beginning, whole pieces only, that costs at most so many tokens. */
export function withinTokens(parts: readonly string[], limit: number): readonly string[] {
  let text = ''
  const end = parts.findIndex((part) => tokensOf((text += part)) > limit)
  return end < 0 ? parts : parts.slice(0, end)
}
