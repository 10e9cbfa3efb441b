/** Requests as a character's session sends them: briefings, its own answers, tool results. */
import {
  CallId,
  createAssistantMessage,
  createToolResultMessage,
  createUserMessage,
  type GenerateOptions,
  type Message,
  type ToolSchema,
} from '@deepseek-ai/dsh-llm'
import { briefingHeadings, type Language } from 'dsh-tavern-protocol'
import { type Card, systemOf } from './cards.ts'

export interface Telling {
  readonly card: Card
  /** `Name: text` lines and `* narration *`. */
  readonly happened: readonly string[]
  readonly world?: Readonly<Record<string, unknown>>
  readonly lore?: readonly string[]
  readonly notices?: readonly string[]
  readonly cue?: string
  readonly others?: readonly string[]
}

const others: Readonly<Record<Language, readonly string[]>> = {
  en: ['Ivo <character:ivo>', 'Tess <character:tess>'],
  zh: ['阿福 <character:afu>', '小青 <character:xiao-qing>'],
}

export function briefingText({ card, ...told }: Telling): string {
  const { language } = card
  const heading = briefingHeadings[language]
  const isZh = language === 'zh'
  const people = told.others ?? others[language]
  const world = Object.entries(told.world ?? {}).map(
    ([key, value]) => `- ${key} (version 3): ${JSON.stringify(value)}`,
  )
  const sections: readonly (readonly [string, readonly string[]])[] = [
    [heading.scene, [`${isZh ? '在场：' : 'On stage: '}${people.join(', ')}${isZh ? '。' : '.'}`]],
    [heading.world, world],
    [heading.lore, (told.lore ?? []).map((text) => `- ${text}`)],
    [heading.happened, told.happened],
    [heading.notices, (told.notices ?? []).map((text) => `- ${text}`)],
    [heading.cue, [told.cue ?? (isZh ? '轮到你了。' : 'It is your turn.')]],
  ]
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `[${title}]\n${lines.join('\n')}`)
    .join('\n\n')
}

/** The cast's message: its seed rides on the source. */
export function cue(
  text: string,
  seed: string,
  extra: Readonly<Record<string, unknown>> = {},
): Message {
  const source = { kind: 'plugin' as const, plugin: 'dsh-tavern-cast', seed, ...extra }
  return createUserMessage({ content: [{ type: 'text', text }], source })
}

export function person(text: string): Message {
  return createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } })
}

export function own(text: string): Message {
  return createAssistantMessage({
    content: [{ type: 'text', text }],
    source: { provider: 'improv', model: 'improv-1' },
  })
}

export function ownCall(name: string, args: unknown, id = 'call-1'): Message {
  return createAssistantMessage({
    content: [{ type: 'tool-call', id: CallId(id), name, arguments: JSON.stringify(args) }],
    source: { provider: 'improv', model: 'improv-1' },
  })
}

export function result(value: unknown, isError = false, id = 'call-1'): Message {
  return createToolResultMessage({
    callId: CallId(id),
    content: [{ type: 'text', text: JSON.stringify(value) }],
    isError,
  })
}

export function request(
  card: Card,
  messages: readonly Message[],
  tools?: readonly ToolSchema[],
): GenerateOptions {
  return {
    provider: 'improv',
    model: 'improv-1',
    system: systemOf(card),
    messages: [...messages],
    ...(tools ? { tools: [...tools] } : {}),
  }
}

/** Things that get said in an evening, in turn. */
export const evening: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Ivo: Good evening, all. Is there any stew left?',
    'You: Have you seen the silver key?',
    'Tess: I lost my brother in the old mine last winter.',
    '* The door bursts open and snow blows across the floor. *',
    'You: Why should I trust you?',
    'Tess: You are lying about the ledger, thief.',
    'You: Tell me about the wolves on the mountain road.',
    'Ivo: Thank you. I mean it.',
    'You: Pour me an ale, would you?',
    'Tess: Who sent the letter?',
    'You: I think the captain is hiding something from us.',
    'Ivo: Where does the north road go?',
    'Tess: This music is beautiful.',
    'Ivo: We should bar the gate before dark.',
  ],
  zh: [
    '阿福：掌柜的，还有酒吗？',
    '你：你见过一把银钥匙没有？',
    '阿福：我哥哥去年冬天死在了矿井里。',
    '* 门被撞开，雪花卷了进来。 *',
    '你：我凭什么相信你？',
    '小青：你在撒谎，账本根本不是这么写的！',
    '你：说说山路上的狼吧。',
    '阿福：谢谢你，我是真心的。',
    '你：给我倒一碗热酒。',
    '小青：那封信是谁送来的？',
    '你：我觉得将军有事瞒着我们。',
    '阿福：北边那条路通到哪里？',
  ],
}
