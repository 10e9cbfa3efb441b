/** The shipped scenes and characters: complete, consistent, and silent about each other's secrets. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { sceneDefinition, type CastMember, type SceneDefinition } from 'dsh-tavern-protocol'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const root = new URL('../../', import.meta.url)
const requireFromScene = createRequire(new URL('packages/dsh-tavern-scene/package.json', root))
// js-yaml ships no types; its result is parsed by a schema before anything reads it.
const yaml: { load(text: string): unknown } = requireFromScene('js-yaml')

const text = z.string().min(1)
const bookEntry = z.object({
  keys: z.array(text).min(1),
  content: text,
  enabled: z.literal(true),
  insertion_order: z.number(),
  use_regex: z.literal(false),
  constant: z.boolean(),
  extensions: z.object({}),
})
const characterCard = z.object({
  spec: z.literal('chara_card_v3'),
  spec_version: z.literal('3.0'),
  data: z.object({
    name: text,
    description: text,
    personality: text,
    scenario: text,
    first_mes: text,
    mes_example: text,
    creator_notes: text,
    system_prompt: z.string(),
    post_history_instructions: z.string(),
    alternate_greetings: z.array(text),
    group_only_greetings: z.array(text),
    tags: z.array(text).min(1),
    creator: z.literal('dsh-fabric-tavern'),
    character_version: z.literal('1.0'),
    creation_date: z.int().positive(),
    modification_date: z.int().positive(),
    character_book: z.object({ entries: z.array(bookEntry).min(3).max(6) }),
    extensions: z.object({ talkativeness: z.number().min(0).max(1) }),
  }),
})
type Card = z.infer<typeof characterCard>['data']
const presetFile = z.strictObject({ name: text, description: text })

const sceneIds = foldersOf('scenes/')
const cardIds = foldersOf('presets/').filter((id) =>
  readdirSync(new URL(`presets/${id}/`, root)).includes('card.json'),
)
const scenes = new Map(sceneIds.map((id) => [id, readScene(id)]))
const cards = new Map(cardIds.map((id) => [id, readCard(id)]))

describe.each(sceneIds)('scene %s', (id) => {
  test('parses, and names only characters that have a card', () => {
    const scene = sceneOf(id)
    const known = new Set(scene.cast.map((member) => member.character))

    const named = [
      ...known,
      ...(scene.greeting === undefined ? [] : [scene.greeting]),
      ...Object.values(scene.world).flatMap((entry) => entry.knownTo ?? []),
    ]

    expect(named.filter((character) => !known.has(character))).toEqual([])
    expect([...known].filter((character) => !cards.has(character))).toEqual([])
    expect(known.size).toBe(scene.cast.length)
  })

  test('opens with three to six sentences of premise', () => {
    const sentences = sentencesOf(sceneOf(id).premise)

    expect(sentences.length).toBeGreaterThanOrEqual(3)
    expect(sentences.length).toBeLessThanOrEqual(6)
  })

  test('holds booleans, numbers and strings in its world', () => {
    const kinds = new Set(Object.values(sceneOf(id).world).map((entry) => typeof entry.value))

    expect([...kinds].toSorted()).toEqual(['boolean', 'number', 'string'])
  })

  test('tells no secret where anyone but its keeper reads', () => {
    const scene = sceneOf(id)

    const leaks = scene.cast.flatMap((member) => {
      const elsewhere = publicText(scene) + otherCards([member.character])
      return member.secrets.flatMap((secret) => phrasesShared(secret, elsewhere))
    })

    expect(leaks).toEqual([])
  })

  test('gives every secret words that occur nowhere else', () => {
    const scene = sceneOf(id)

    const vague = scene.cast.flatMap((member) => {
      const elsewhere =
        publicText(scene) + otherCards([member.character]) + otherSecrets(scene, member)
      return member.secrets.filter((secret) => wordsOnlyIn(secret, elsewhere).length === 0)
    })

    expect(vague).toEqual([])
  })

  test('keeps a hidden world value out of what others read', () => {
    const scene = sceneOf(id)

    const leaks = Object.values(scene.world).flatMap(({ value, knownTo }) =>
      knownTo === undefined
        ? []
        : phrasesShared(JSON.stringify(value), publicText(scene) + otherCards(knownTo)),
    )

    expect(leaks).toEqual([])
  })
})

describe.each(cardIds)('character %s', (id) => {
  test('has its preset files, naming the card and the character', () => {
    const rows = yaml.load(read(`presets/${id}/agent.cordis.yml`))
    const preset = presetFile.parse(yaml.load(read(`presets/${id}/preset.yml`)))

    expect(rows).toEqual([
      { id: 'character', name: 'dsh-tavern-cast/character', config: { card: './card.json' } },
    ])
    expect(preset.name).toBe(cardOf(id).name)
    expect(preset.description).not.toContain('\n')
  })

  test('shows its voice in eight dialogues and twenty-five sentences', () => {
    const dialogues = cardOf(id).mes_example.split('<START>').slice(1)
    const stray = cardOf(id)
      .mes_example.split('\n')
      .filter((line) => !/^(<START>$|\{\{(user|char)\}\}: \S)/.test(line))

    expect(stray).toEqual([])
    expect(dialogues.filter((dialogue) => !dialogue.includes('{{char}}: '))).toEqual([])
    expect(dialogues.length).toBeGreaterThanOrEqual(8)
    expect(new Set(spokenBy(id)).size).toBeGreaterThanOrEqual(25)
  })

  test('pairs its quotes and gestures', () => {
    const { first_mes, mes_example } = cardOf(id)
    const odd = `${mes_example}\n${first_mes}`
      .split('\n')
      .filter((line) => line.split('*').length % 2 === 0 || line.split('"').length % 2 === 0)

    expect(odd).toEqual([])
  })

  test('has lore whose keys come up in the scenes it plays in', () => {
    const played = [...scenes.values()].filter((scene) =>
      scene.cast.some((member) => member.character === id),
    )
    const heard = played
      .map((scene) => publicText(scene) + castText(scene))
      .join('\n')
      .toLowerCase()

    const silent = cardOf(id).character_book.entries.filter(
      (entry) => !entry.keys.some((key) => heard.includes(key.toLowerCase())),
    )

    expect(played.length).toBeGreaterThan(0)
    expect(silent).toEqual([])
  })
})

describe('the whole cast', () => {
  test('is ten characters, one quiet by nature and one who never stops', () => {
    const talkativeness = [...cards.values()].map((card) => card.extensions.talkativeness)

    expect(cards.size).toBe(10)
    expect(Math.min(...talkativeness)).toBe(0.2)
    expect(Math.max(...talkativeness)).toBe(0.9)
  })

  test('shares no example sentence', () => {
    const speakers = new Map<string, string[]>()
    for (const id of cardIds)
      for (const sentence of spokenBy(id))
        speakers.set(sentence, [...(speakers.get(sentence) ?? []), id])

    expect([...speakers].filter(([, ids]) => ids.length > 1)).toEqual([])
  })

  test('writes Chinese scenes without a Latin word, the format’s own apart', () => {
    const chinese = [...scenes.values()].filter((scene) => scene.language === 'zh')
    const written = chinese.flatMap((scene) => [
      publicText(scene),
      ...Object.keys(scene.world),
      ...scene.cast.flatMap((member) => [...member.secrets, cardText(member.character)]),
    ])

    const latin = written.flatMap(
      (part) =>
        part.replaceAll(/\{\{(user|char)\}\}|<START>|\b(true|false)\b/g, '').match(/[a-z]{2,}/gi) ??
        [],
    )

    expect(chinese.length).toBeGreaterThan(0)
    expect(latin).toEqual([])
  })
})

function foldersOf(folder: string): string[] {
  return readdirSync(new URL(folder, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
}

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}

function readScene(id: string): SceneDefinition {
  return sceneDefinition.parse(yaml.load(read(`scenes/${id}/scene.yml`)))
}

function readCard(id: string): Card {
  return characterCard.parse(JSON.parse(read(`presets/${id}/card.json`))).data
}

function sceneOf(id: string): SceneDefinition {
  return scenes.get(id) ?? readScene(id)
}

function cardOf(id: string): Card {
  return cards.get(id) ?? readCard(id)
}

/** Every word of a card that a model may read, and nothing of its container. */
function cardText(id: string): string {
  const card = cardOf(id)
  return [
    card.name,
    card.description,
    card.personality,
    card.scenario,
    card.first_mes,
    card.mes_example,
    card.creator_notes,
    card.post_history_instructions,
    ...card.alternate_greetings,
    ...card.group_only_greetings,
    ...card.tags,
    ...card.character_book.entries.flatMap((entry) => [...entry.keys, entry.content]),
  ].join('\n')
}

function castText(scene: SceneDefinition): string {
  return scene.cast.map((member) => cardOf(member.character).mes_example).join('\n')
}

function otherCards(keepers: readonly string[]): string {
  return cardIds
    .filter((id) => !keepers.includes(id))
    .map((id) => cardText(id) + read(`presets/${id}/preset.yml`))
    .join('\n')
}

function otherSecrets(scene: SceneDefinition, keeper: CastMember): string {
  return scene.cast
    .filter((member) => member !== keeper)
    .flatMap((member) => member.secrets)
    .join('\n')
}

function publicText(scene: SceneDefinition): string {
  const world = Object.entries(scene.world)
    .filter(([, entry]) => entry.knownTo === undefined)
    .map(([key, entry]) => `${key} ${JSON.stringify(entry.value)}`)
  const { title, premise, persona } = scene
  return [title, premise, persona.name, persona.description, ...world, ''].join('\n')
}

/** Runs of four words, or of six Han characters, that both texts hold. */
function phrasesShared(secret: string, elsewhere: string): string[] {
  const haystack = ` ${units(elsewhere).join(' ')} `
  const size = /\p{Script=Han}/u.test(secret) ? 6 : 4
  const words = units(secret)
  return words
    .slice(0, words.length - Math.min(size, words.length) + 1)
    .map((_, at) => words.slice(at, at + size).join(' '))
    .filter((phrase) => haystack.includes(` ${phrase} `))
}

function wordsOnlyIn(secret: string, elsewhere: string): string[] {
  const haystack = new Set(tells(elsewhere))
  return tells(secret).filter((word) => !haystack.has(word))
}

/** What could give a secret away: words of four letters or more, pairs of Han characters. */
function tells(source: string): string[] {
  const words = units(source)
  const pairs = words.slice(1).map((word, at) => `${words[at]}${word}`)
  return [
    ...words.filter((word) => word.length >= 4),
    ...pairs.filter((pair) => /^\p{Script=Han}{2}$/u.test(pair)),
  ]
}

/** Lower-case words; a Han character is a word of its own. */
function units(source: string): string[] {
  return source.toLowerCase().match(/\p{Script=Han}|[^\P{L}\p{Script=Han}]+|\p{N}+/gu) ?? []
}

function sentencesOf(source: string): string[] {
  return source
    .split(/(?<=[.!?。！？]["”’]?)\s*(?=\S)/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** A character's example sentences without gestures, lower-case. */
function spokenBy(id: string): string[] {
  return cardOf(id)
    .mes_example.split('\n')
    .filter((line) => line.startsWith('{{char}}: '))
    .map((line) => line.slice('{{char}}: '.length).replaceAll(/\*[^*]*\*/g, ' '))
    .flatMap((line) => sentencesOf(line))
    .map((sentence) => sentence.toLowerCase())
}
