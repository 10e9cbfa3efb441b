/** A card's JSON as another version of the format; unknown fields come along. */
import type { JsonValue } from 'dsh-fabric-protocol'
import type { JsonObject } from './card.ts'
import { cardBodyOf } from './card-spec.ts'
import { splitDecorators } from './decorators.ts'
import { WarningLog } from './fields.ts'
import { isObject } from './json-text.ts'

/** The fields that V2 readers insist on. */
const v2Defaults: JsonObject = {
  name: '',
  description: '',
  personality: '',
  scenario: '',
  first_mes: '',
  mes_example: '',
  creator_notes: '',
  system_prompt: '',
  post_history_instructions: '',
  alternate_greetings: [],
  tags: [],
  creator: '',
  character_version: '',
  extensions: {},
}

const v3Only = new Set([
  'assets',
  'nickname',
  'creator_notes_multilingual',
  'source',
  'group_only_greetings',
  'creation_date',
  'modification_date',
])

/** The card as V3. A V3 card comes back as it is. `file` names it in errors. */
export function toV3(source: JsonObject, file = 'source'): JsonObject {
  const { version, body } = cardBodyOf(source, new WarningLog(file))
  if (version === 'v3') return source
  const data = { ...v2Defaults, group_only_greetings: [], ...body }
  const around = version === 'v1' ? {} : source
  return {
    ...around,
    spec: 'chara_card_v3',
    spec_version: '3.0',
    data: withEntries(data, (entry) => ({ use_regex: false, ...entry })),
  }
}

/** The card as V2: without V3's own fields, and without the `@@` lines that lead lore entries. */
export function toV2(source: JsonObject, file = 'source'): JsonObject {
  const { version, body } = cardBodyOf(source, new WarningLog(file))
  const kept = Object.entries({ ...v2Defaults, ...body }).filter(([key]) => !v3Only.has(key))
  const around = version === 'v1' ? {} : source
  return {
    ...around,
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: withEntries(Object.fromEntries(kept), plainEntry),
  }
}

function plainEntry(entry: JsonObject): JsonObject {
  const kept = Object.fromEntries(Object.entries(entry).filter(([key]) => key !== 'use_regex'))
  const { content } = entry
  return typeof content === 'string' ? { ...kept, content: splitDecorators(content).content } : kept
}

/** Changes the book's entries, where there are any. */
function withEntries(data: JsonObject, change: (entry: JsonObject) => JsonObject): JsonObject {
  const book = data.character_book
  if (!isObject(book) || !Array.isArray(book.entries)) return data
  const entries = book.entries as readonly JsonValue[]
  const changed = entries.map((entry) => (isObject(entry) ? change(entry) : entry))
  return { ...data, character_book: { ...book, entries: changed } }
}
