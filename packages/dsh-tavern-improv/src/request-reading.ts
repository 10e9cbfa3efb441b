/** What a request says: who speaks, what it was told, and what it has said and done itself. */
import type { GenerateOptions, Message, ToolSchema } from '@deepseek-ai/dsh-llm'
import type { Language } from 'dsh-tavern-protocol'
import { type Briefing, readBriefing } from './briefing-reading.ts'
import { type Persona, readPersona } from './persona-reading.ts'
import { readSections } from './sections.ts'
import { digestOf } from './seeded.ts'
import { languageOf } from './words.ts'

/** A tool call of this turn with what came of it. */
export interface Step {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly result: string
  readonly failed: boolean
}

export interface RequestReading {
  readonly language: Language
  readonly seed: string
  /** The whole system prompt. */
  readonly system: string
  readonly persona: Persona
  readonly briefing: Briefing
  /** What its own session says it said, oldest first. */
  readonly ownTexts: readonly string[]
  /** What it said before anyone spoke to it. */
  readonly greeting: string
  /** Calls since the newest briefing, oldest first. */
  readonly steps: readonly Step[]
  readonly tools: readonly ToolSchema[]
}

export function readRequest(
  options: Pick<GenerateOptions, 'messages' | 'system' | 'tools'>,
): RequestReading {
  const messages = withoutShadows(options.messages)
  const at = newestBriefing(messages)
  const text = textOf(messages[at])
  const system = readSections(options.system ?? '')
  const told = readSections(text)
  const language =
    told.language ?? system.language ?? languageOf(text) ?? languageOf(options.system ?? '') ?? 'en'
  const persona = readPersona(system)
  const firstUser = messages.findIndex((message) => message.role === 'user')
  return {
    language,
    seed: `${seedOf(messages, at)}/${digestOf(text)}`,
    system: options.system ?? '',
    persona,
    briefing: readBriefing({ told, system, self: persona.name, text }),
    ownTexts: messages.filter(isOwn).flatMap(saidIn),
    greeting: messages.slice(0, Math.max(0, firstUser)).filter(isOwn).map(textOf).join('\n'),
    steps: stepsOf(messages.slice(at + 1)),
    tools: options.tools ?? [],
  }
}

/** A note left in the place of a killed attempt is as if it had never been. */
export function withoutShadows(messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => fieldOf(message, 'shadowOf') === undefined)
}

export function textOf(message: Message | undefined): string {
  const texts = (message?.content ?? []).map((block) => (block.type === 'text' ? block.text : ''))
  return texts.join('').trim()
}

export function isOwn(message: Message): boolean {
  return message.role === 'assistant'
}

/** What a message of its own said aloud, through a tool too. */
function saidIn(message: Message): readonly string[] {
  const told = message.content.flatMap((block) => {
    const text = block.type === 'tool-call' ? recordOf(block.arguments)['text'] : undefined
    return typeof text === 'string' ? [text] : []
  })
  return [...told, textOf(message)].filter((text) => text !== '')
}

/** A text field of a message's source that the host's types do not know. */
export function fieldOf(message: Message | undefined, field: string): string | undefined {
  const found = Object.entries(message?.source ?? {}).find(([name]) => name === field)
  const value: unknown = found?.[1]
  return typeof value === 'string' ? value : undefined
}

/** The last message that asks for an answer; host context and tool results do not. */
function newestBriefing(messages: readonly Message[]): number {
  const asking = messages.findLastIndex(
    (message) => message.role === 'user' && isAsking(message) && textOf(message) !== '',
  )
  return asking >= 0 ? asking : messages.findLastIndex((message) => message.role === 'user')
}

function isAsking(message: Message): boolean {
  const { source } = message
  if (source.kind === 'tool') return false
  if (source.kind !== 'plugin' || fieldOf(message, 'seed') !== undefined) return true
  return readSections(textOf(message)).of('cue') !== ''
}

function seedOf(messages: readonly Message[], at: number): string {
  const newestFirst = messages.slice(0, at + 1).toReversed()
  const seeded = newestFirst.find((message) => fieldOf(message, 'seed') !== undefined)
  return fieldOf(seeded, 'seed') ?? ''
}

function stepsOf(messages: readonly Message[]): readonly Step[] {
  const blocks = messages.flatMap((message) => message.content)
  const results = blocks.filter((block) => block.type === 'tool-result')
  return blocks
    .filter((block) => block.type === 'tool-call')
    .map((call) => {
      const result = results.find(({ toolCallId }) => toolCallId === call.id)
      const texts = (result?.content ?? []).map((block) =>
        block.type === 'text' ? block.text : '',
      )
      return {
        name: call.name,
        args: recordOf(call.arguments),
        result: texts.join(''),
        failed: result?.isError ?? result === undefined,
      }
    })
}

/** The object a JSON text holds; empty for anything else. */
export function recordOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    // Not JSON: nothing of it can be used.
    return {}
  }
}
