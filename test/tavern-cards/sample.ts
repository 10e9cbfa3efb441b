/** Cards of each version for the specs, and reading them back. */
import { CardError, type CardReading, type JsonObject, readCard } from 'dsh-tavern-cards'

export const v1: JsonObject = {
  name: 'Mara',
  description: 'Keeps the inn.',
  personality: 'dry',
  scenario: 'a storm',
  first_mes: 'Come in.',
  mes_example: '<START>\n{{char}}: Hm.',
}

export const v2Data: JsonObject = {
  ...v1,
  creator_notes: 'for tests',
  system_prompt: 'Stay dry.',
  post_history_instructions: 'Be brief.',
  alternate_greetings: ['You again.', 'Shut the door.'],
  tags: ['inn', 'storm'],
  creator: 'Tess',
  character_version: '1.2',
  extensions: { talkativeness: 0.8, unknown: { deep: [1, null, 'x'] } },
}

export const entry: JsonObject = {
  keys: ['storm'],
  content: 'The storm came from the north.',
  extensions: {},
  enabled: true,
  insertion_order: 10,
  id: 7,
}

export const v2: JsonObject = card2(v2Data)
export const v3: JsonObject = card3({
  ...v2Data,
  nickname: 'Mar',
  group_only_greetings: ['Quiet, all of you.'],
  assets: [{ type: 'icon', uri: 'ccdefault:', name: 'main', ext: 'png' }],
  character_book: { extensions: {}, entries: [{ ...entry, use_regex: false }] },
})

export function card2(data: JsonObject): JsonObject {
  return { spec: 'chara_card_v2', spec_version: '2.0', data }
}

export function card3(data: JsonObject): JsonObject {
  return { spec: 'chara_card_v3', spec_version: '3.0', data }
}

export function withBook(entries: JsonObject['entries']): JsonObject {
  return card2({ ...v2Data, character_book: { extensions: {}, entries: entries ?? [] } })
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Reads a value as a JSON file would hold it. */
export function reading(value: unknown): CardReading {
  return readCard(utf8(JSON.stringify(value)), 'mara.json')
}

/** The CardError that the call throws; any other outcome fails the test. */
export function cardErrorOf(call: () => unknown): CardError {
  try {
    call()
  } catch (error) {
    if (error instanceof CardError) return error
    throw error
  }
  throw new Error('expected a CardError, but nothing was thrown')
}

export function refusal(value: unknown): CardError {
  return cardErrorOf(() => reading(value))
}
