/** Scripted answers as bytes: streams as DeepSeek and OpenAI-compatible servers send them, and every way they go wrong. */
import type { Protocol, WireRequest } from './chat.ts'

export interface Call {
  readonly name: string
  /** A string goes out as it is, broken JSON included. */
  readonly arguments: unknown
}

export type WireAnswer =
  | {
      readonly kind: 'say'
      readonly text: string
      readonly reasoning?: string
      readonly calls?: readonly Call[]
      /** `length`: cut by the token limit. */
      readonly finish?: 'stop' | 'length' | 'content_filter'
    }
  /** A whole answer of another kind than a stream: an error, or what a proxy sends. */
  | {
      readonly kind: 'plain'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body: string
    }
  /** Some words, and then the connection is gone (`reset`) or politely over too soon (`end`). */
  | { readonly kind: 'cut'; readonly text: string; readonly how: 'reset' | 'end' }
  /** Some words, and then an error where the next chunk should be. */
  | { readonly kind: 'broken-off'; readonly text: string; readonly message: string }
  /** Some words, and then bytes that are no chunk. */
  | { readonly kind: 'garbage'; readonly text: string }
  /** Some words, and then silence until the client goes. */
  | { readonly kind: 'hang'; readonly text: string }

export interface WireUsage {
  readonly prompt: number
  readonly cached: number
  /** Newly put into the cache; part of the prompt as well. */
  readonly written: number
  readonly completion: number
  readonly reasoning: number
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  /** What becomes of the connection after them. */
  readonly close: 'end' | 'reset' | 'never'
  /** What the bytes tell the client it cost. */
  readonly usage: WireUsage | undefined
}

const stream = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
const DONE = 'data: [DONE]\n\n'

export function replyTo(request: WireRequest, answer: WireAnswer): Reply {
  if (answer.kind === 'plain') {
    const headers = { 'content-type': 'application/json', ...answer.headers }
    return { ...answer, headers, bytes: Buffer.from(answer.body), close: 'end', usage: undefined }
  }
  const common = { status: 200, headers: stream, usage: undefined }
  if (answer.kind === 'say') {
    const usage = usageOf(request, answer)
    const text = [...chunks(request, answer, usage), DONE].join('')
    return { ...common, bytes: Buffer.from(text), close: 'end', usage }
  }
  const begun = spoken(request.protocol, answer.text)
    .map((delta) => event(request, [{ index: 0, delta, finish_reason: null }]))
    .join('')
  return {
    ...common,
    bytes: Buffer.concat([Buffer.from(begun), broken(answer)]),
    close: closing(answer),
  }
}

type Broken = Exclude<WireAnswer, { kind: 'say' | 'plain' }>

function closing(answer: Broken): Reply['close'] {
  if (answer.kind === 'cut') return answer.how
  return answer.kind === 'hang' ? 'never' : 'end'
}

/** What follows the words of an answer that goes wrong. */
function broken(answer: Broken): Buffer {
  if (answer.kind === 'broken-off') {
    const error = { message: answer.message, type: 'server_error', code: 'overloaded' }
    return Buffer.from(`data: ${JSON.stringify({ error })}\n\n`)
  }
  if (answer.kind !== 'garbage') return Buffer.alloc(0)
  return Buffer.concat([
    Buffer.from([0xff, 0x00, 0xfe]),
    Buffer.from('\n\ndata: <html>{"half": \n\n'),
  ])
}

type Say = Extract<WireAnswer, { kind: 'say' }>

function chunks(request: WireRequest, answer: Say, usage: WireUsage): readonly string[] {
  const { protocol, chat } = request
  const calls = answer.calls ?? []
  const deltas = [
    ...(answer.reasoning
      ? pieces(answer.reasoning).map((reasoning_content) => ({ reasoning_content }))
      : []),
    ...spoken(protocol, answer.text),
    ...calls.flatMap((call, index) => callDeltas(request, call, index)),
  ]
  const finish_reason = calls.length > 0 ? 'tool_calls' : (answer.finish ?? 'stop')
  const asked = chat.stream_options?.include_usage ?? false
  return [
    protocol === 'deepseek' ? ': keep-alive\n\n' : '',
    event(request, [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
    ...deltas.map((delta) => event(request, [{ index: 0, delta, finish_reason: null }])),
    event(request, [{ index: 0, delta: {}, finish_reason }]),
    asked ? event(request, [], usageOn(protocol, usage)) : '',
  ]
}

function spoken(protocol: Protocol, text: string): readonly object[] {
  if (text === '') return []
  const nothing = protocol === 'deepseek' ? { reasoning_content: null } : {}
  return pieces(text).map((content) => ({ content, ...nothing }))
}

/** The name first, then its arguments in pieces, as both protocols stream them. */
function callDeltas(request: WireRequest, call: Call, index: number): readonly object[] {
  const given = call.arguments
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  const id = `call_${request.messages.length}_${index}`
  const first = { index, id, type: 'function', function: { name: call.name, arguments: '' } }
  const rest = pieces(text).map((piece) => ({ index, function: { arguments: piece } }))
  return [first, ...rest].map((each) => ({ tool_calls: [each] }))
}

function event(
  { chat, protocol }: WireRequest,
  choices: readonly object[],
  usage?: object,
): string {
  const chunk = {
    id: protocol === 'deepseek' ? '930c60df-bf64-41c9-a88e-3ec75f81e00e' : 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: chat.model,
    choices,
    usage: usage ?? null,
  }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

/** Counted from what really went over the wire, so that no two requests cost the same by accident. */
function usageOf({ raw, protocol }: WireRequest, { text, reasoning, calls }: Say): WireUsage {
  const prompt = Math.ceil(raw.length / 4)
  const thought = Math.ceil((reasoning ?? '').length / 4)
  return {
    prompt,
    cached: Math.floor(prompt / 128) * 64,
    written: protocol === 'openai' ? 64 : 0,
    completion: Math.ceil((text + JSON.stringify(calls ?? [])).length / 4) + thought,
    reasoning: thought,
  }
}

function usageOn(protocol: Protocol, usage: WireUsage): object {
  const { prompt, cached, written, completion, reasoning } = usage
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    completion_tokens_details: { reasoning_tokens: reasoning },
    ...(protocol === 'deepseek'
      ? { prompt_cache_hit_tokens: cached, prompt_cache_miss_tokens: prompt - cached }
      : {}),
  }
}

/** Cuts inside words. */
function pieces(text: string): readonly string[] {
  return text.match(/.{1,7}/gsu) ?? []
}
