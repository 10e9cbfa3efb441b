/** A model whose answers a test gives: it records every request, and streams text or tool calls as a provider does. */
import {
  CallId,
  type GenerateOptions,
  LlmAdapter,
  LlmError,
  type LlmResolvedModelInfo,
  type StreamChunk,
} from '@deepseek-ai/dsh-llm'

export type Answer =
  | string
  | { readonly call: string; readonly args: object }
  | { readonly fail: string }
  /** Says the text, then waits for the abort signal. */
  | { readonly hang: string }

export interface ScriptedRequest {
  readonly provider: string
  readonly model: string
  /** The last part of the session's id: a character, or the narrator. */
  readonly actor: string
  readonly purpose: string | undefined
  readonly system: string
  /** The newest user message's text, tool results in brief. */
  readonly newest: string
  /** Everything as one text, tool results and schemas too. */
  readonly bytes: string
  readonly messages: GenerateOptions['messages']
  readonly afterTool: boolean
}

export class ScriptedAdapter extends LlmAdapter {
  readonly requests: ScriptedRequest[] = []
  #answer: (request: ScriptedRequest) => Answer

  constructor(answer: (request: ScriptedRequest) => Answer = ({ actor }) => `I am ${actor}.`) {
    super()
    this.#answer = answer
  }

  script(answer: (request: ScriptedRequest) => Answer): void {
    this.#answer = answer
  }

  of(actor: string): readonly ScriptedRequest[] {
    return this.requests.filter((request) => request.actor === actor)
  }

  override async resolveModel(provider: string, model: string): Promise<LlmResolvedModelInfo> {
    return { provider, id: model, name: model, context: { contextWindow: 64_000 } }
  }

  override async *stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    const request = read(options)
    this.requests.push(request)
    const answer = request.purpose === undefined ? this.#answer(request) : 'So far they talked.'
    if (typeof answer === 'string') yield* spoken(answer)
    else if ('call' in answer) yield* called(answer, this.requests.length)
    else if ('fail' in answer) throw new LlmError(`scripted: ${answer.fail}`, answer.fail)
    else yield* hanging(answer.hang, options.signal)
  }
}

function read(options: GenerateOptions): ScriptedRequest {
  const { provider, model, purpose, system = '', messages, sessionId = '', tools = [] } = options
  const newest = messages.at(-1)?.content ?? []
  return {
    provider,
    model,
    purpose,
    system,
    messages,
    actor: sessionId.split('.').at(-1) ?? '',
    newest: newest.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    bytes: JSON.stringify({ system, tools, messages: messages.map(({ content }) => content) }),
    afterTool: newest.some(({ type }) => type === 'tool-result'),
  }
}

function* spoken(text: string): Generator<StreamChunk> {
  yield { type: 'block-start', index: 0, blockType: 'text' }
  for (const piece of text.match(/\S+\s*/g) ?? [])
    yield { type: 'text-delta', index: 0, text: piece }
  yield { type: 'block-end', index: 0, block: { type: 'text', text } }
  yield { type: 'usage', usage: { inputTokens: 100, outputTokens: 10 } }
  yield { type: 'finish', reason: { kind: 'stop' } }
}

function* called(
  { call, args }: { readonly call: string; readonly args: object },
  count: number,
): Generator<StreamChunk> {
  const id = CallId(`call-${count}`)
  const json = JSON.stringify(args)
  yield { type: 'block-start', index: 0, blockType: 'tool-call' }
  yield { type: 'tool-call-delta', index: 0, id, name: call, argumentsDelta: json }
  yield {
    type: 'block-end',
    index: 0,
    block: { type: 'tool-call', id, name: call, arguments: json },
  }
  yield { type: 'usage', usage: { inputTokens: 100, outputTokens: 5 } }
  yield { type: 'finish', reason: { kind: 'tool-calls' } }
}

async function* hanging(
  text: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamChunk> {
  yield { type: 'block-start', index: 0, blockType: 'text' }
  yield { type: 'text-delta', index: 0, text }
  await new Promise<void>((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
  signal?.throwIfAborted()
}
