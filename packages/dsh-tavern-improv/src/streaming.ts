/** An answer as the host streams it: blocks in word-sized pieces, usage, then the reason it ended. */
import { setTimeout as delay } from 'node:timers/promises'
import { CallId, LlmError, type StreamChunk, type TokenUsage } from '@deepseek-ai/dsh-llm'
import type { Answer } from './answer.ts'
import { digestOf } from './seeded.ts'
import { tokensOf, withinTokens } from './tokens.ts'
import { pieces } from './words.ts'

export interface StreamRequest {
  readonly inputTokens: number
  readonly maxTokens: number | undefined
  readonly stop: readonly string[]
  readonly signal: AbortSignal | undefined
  readonly chunkDelayMs: number
}

/** Throws what the host takes for an abort as soon as the signal says so. */
export async function* streamed(
  answer: Answer,
  request: StreamRequest,
): AsyncGenerator<StreamChunk> {
  throwIfAborted(request.signal)
  const text = beforeStop(answer.text, request.stop)
  const whole = joinedWords(pieces(text, answer.language))
  const parts = withinTokens(whole, request.maxTokens ?? Number.POSITIVE_INFINITY)
  if (parts.length > 0) yield* textBlock(parts, request)
  for (const [index, call] of answer.calls.entries()) {
    throwIfAborted(request.signal)
    const id = CallId(`improv-${digestOf(`${answer.seed}/call/${index}`)}`)
    yield* callBlock(index + (parts.length > 0 ? 1 : 0), id, call)
  }
  throwIfAborted(request.signal)
  yield { type: 'usage', usage: usageOf(answer, parts, request) }
  const kind =
    answer.calls.length > 0 ? 'tool-calls' : parts.length < whole.length ? 'max-tokens' : 'stop'
  yield { type: 'finish', reason: { kind } }
}

async function* textBlock(
  parts: readonly string[],
  { signal, chunkDelayMs }: StreamRequest,
): AsyncGenerator<StreamChunk> {
  yield { type: 'block-start', index: 0, blockType: 'text' }
  for (const [index, text] of parts.entries()) {
    if (index > 0 && chunkDelayMs > 0) await pause(chunkDelayMs, signal)
    throwIfAborted(signal)
    yield { type: 'text-delta', index: 0, text }
  }
  yield { type: 'block-end', index: 0, block: { type: 'text', text: parts.join('') } }
}

function* callBlock(
  index: number,
  id: CallId,
  { name, args }: Answer['calls'][number],
): Generator<StreamChunk> {
  const json = JSON.stringify(args)
  yield { type: 'block-start', index, blockType: 'tool-call' }
  yield { type: 'tool-call-delta', index, id, name, argumentsDelta: json }
  yield { type: 'block-end', index, block: { type: 'tool-call', id, name, arguments: json } }
}

function usageOf(
  { calls }: Answer,
  parts: readonly string[],
  { inputTokens }: StreamRequest,
): TokenUsage {
  const called = calls.map(({ name, args }) => tokensOf(name) + tokensOf(JSON.stringify(args)))
  return {
    inputTokens,
    outputTokens: called.reduce((sum, tokens) => sum + tokens, tokensOf(parts.join(''))),
  }
}

function beforeStop(text: string, stop: readonly string[]): string {
  const ends = stop.map((mark) => (mark === '' ? -1 : text.indexOf(mark))).filter((at) => at >= 0)
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends))
}

/** Marks and spaces go with the word before them. */
function joinedWords(segments: readonly string[]): readonly string[] {
  const words: string[] = []
  for (const segment of segments) {
    if (/[\p{L}\p{N}]/u.test(segment) || words.length === 0) words.push(segment)
    else words[words.length - 1] += segment
  }
  return words
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(milliseconds, undefined, signal ? { signal } : {})
  } catch (cause) {
    throw aborted(cause)
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal.reason)
}

function aborted(cause: unknown): LlmError {
  return new LlmError('improv was aborted by its caller', 'ABORTED', { cause })
}
