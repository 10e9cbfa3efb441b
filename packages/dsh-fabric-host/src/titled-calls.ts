/** A model's stream in which every program has a title, before anything of it is logged, shown or validated. */
import type { CallId, StreamChunk } from '@deepseek-ai/dsh-llm'
import { RUN_CODE_NAME } from '@deepseek-ai/dsh-tools'
import { programTitle } from './program-title.ts'

/** Calls without a description get one from their program; the deltas stay what the finished block says. */
export async function* titledCalls(
  chunks: AsyncIterable<StreamChunk>,
): AsyncGenerator<StreamChunk, void, undefined> {
  const open = new Map<number, OpenCall>()
  for await (const chunk of chunks) {
    if (chunk.type === 'tool-call-delta') {
      const call = open.get(chunk.index) ?? new OpenCall(chunk.id)
      open.set(chunk.index, call)
      yield* call.passed(chunk)
    } else if (chunk.type === 'block-end') {
      yield* closed(chunk, open.get(chunk.index))
      open.delete(chunk.index)
    } else {
      if (chunk.type === 'finish') for (const [index, call] of open) yield* call.rest(index)
      yield chunk
    }
  }
}

type Delta = Extract<StreamChunk, { type: 'tool-call-delta' }>
type BlockEnd = Extract<StreamChunk, { type: 'block-end' }>

function* closed(chunk: BlockEnd, call: OpenCall | undefined): Generator<StreamChunk> {
  const { block, index } = chunk
  if (block.type !== 'tool-call' || block.name !== RUN_CODE_NAME) {
    yield chunk
    return
  }
  const complete = titledArguments(block.arguments)
  if (call) yield* call.rest(index, complete)
  yield { ...chunk, block: { ...block, arguments: complete } }
}

/** A call while it streams: the last closing brace waits, for a title may come before it. */
class OpenCall {
  readonly #id: CallId
  #name: string | undefined
  #passed = ''
  #held = ''

  constructor(id: CallId) {
    this.#id = id
  }

  *passed(delta: Delta): Generator<StreamChunk> {
    this.#name = delta.name ?? this.#name
    const text = this.#held + delta.argumentsDelta
    const kept = this.#name === RUN_CODE_NAME ? text.slice(0, closingBrace(text)) : text
    this.#held = text.slice(kept.length)
    this.#passed += kept
    if (kept !== '' || delta.name !== undefined || delta.argumentsDelta === '') {
      yield { ...delta, argumentsDelta: kept }
    }
  }

  /** What was held back, or what completes it to the arguments as they will be read. */
  *rest(
    index: number,
    complete = titledArguments(this.#passed + this.#held),
  ): Generator<StreamChunk> {
    const isTitled = this.#name === RUN_CODE_NAME && complete.startsWith(this.#passed)
    const argumentsDelta = isTitled ? complete.slice(this.#passed.length) : this.#held
    this.#held = ''
    this.#passed += argumentsDelta
    if (argumentsDelta !== '')
      yield { type: 'tool-call-delta', index, id: this.#id, argumentsDelta }
  }
}

/** Where the last closing brace stands, when nothing but space follows it; else the end. */
function closingBrace(text: string): number {
  const end = text.trimEnd().length
  return text[end - 1] === '}' ? end - 1 : text.length
}

/** The same arguments with a title; unchanged when there is one, or when they are no arguments of a program. */
export function titledArguments(text: string): string {
  const given = parsed(text)
  if (given === undefined || !('code' in given) || typeof given.code !== 'string') return text
  const described = 'description' in given ? given.description : undefined
  const isMissing = described === undefined || described === null
  const isBlank = typeof described === 'string' && described.trim() === ''
  if (!isMissing && !isBlank) return text
  const title = JSON.stringify(programTitle(given.code))
  return `${text.slice(0, closingBrace(text))},"description":${title}}`
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined // the host tells the model that it is no JSON
  }
}
