import { type Card, readCard } from 'dsh-tavern-cards'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayName, personaText } from '../../packages/dsh-tavern-cast/src/persona.ts'
import { section } from './beats.ts'

const fields = {
  description: 'description',
  personality: 'personality',
  scenario: 'scenario',
  exampleDialogue: 'mes_example',
  systemPrompt: 'system_prompt',
  postHistoryInstructions: 'post_history_instructions',
} as const

const card = (data: object): Card =>
  readCard(
    Buffer.from(
      JSON.stringify({
        spec: 'chara_card_v3',
        spec_version: '3.0',
        data: { name: 'Mara Hobday', ...data },
      }),
    ),
  ).card

const persona = (data: object, other: { readonly secrets?: readonly string[] } = {}) =>
  personaText({ card: card(data), user: 'Ellis', language: 'en', secrets: [], ...other })

const entry = (other: object) => ({
  keys: ['heron'],
  content: 'The Heron was a ferry house.',
  enabled: true,
  insertion_order: 0,
  constant: true,
  extensions: {},
  ...other,
})

describe('a whole persona', () => {
  const whole = {
    nickname: 'Mara',
    description: '{{char}} keeps the Patient Heron.',
    personality: 'Proverbs for everything.',
    scenario: '{{user}} has just come in.',
    mes_example: '<START>\n{{user}}: Is there stew?\n{{char}}: *ladles* There is always stew.',
    system_prompt: 'Never tell {{user}} about the hearth.',
    post_history_instructions: 'Keep it short.',
    character_book: { entries: [entry({})], extensions: {} },
  }

  test('in English', () => {
    expect(persona(whole, { secrets: ['The hearth did go out,\nonce.'] })).toMatchInlineSnapshot()
  })

  test('in Chinese', () => {
    const text = personaText({
      card: card({ name: '罗阿满', description: '{{char}}是沉钟酒馆的掌柜。' }),
      user: '林渡',
      language: 'zh',
      secrets: ['你每年七月半往湖里放一盏纸灯。'],
    })

    expect(text).toMatchInlineSnapshot()
  })
})

describe('what the card says', () => {
  test('empty fields leave no heading', () => {
    const headings = persona({}).match(/^\[.*\]$/gm)

    expect(headings).toEqual(['[How you play]', '[You are]'])
  })

  test('a nickname stands for the name, also in macros', () => {
    const text = persona({ nickname: ' Mara ', description: '{{char}} and {{CHAR}} and <BOT>.' })

    expect(section(text, 'You are')).toEqual(['Mara'])
    expect(section(text, 'Description')).toEqual(['Mara and Mara and Mara.'])
    expect(displayName(card({ nickname: '  ' }))).toBe('Mara Hobday')
  })

  test('only lore that is always there and enabled is in the prompt', () => {
    const entries = [
      entry({ content: 'Always for {{user}}.' }),
      entry({ content: 'Off.', enabled: false }),
      entry({ content: 'Called for.', constant: false }),
    ]

    const text = persona({ character_book: { entries, extensions: {} } })

    expect(section(text, 'You remember')).toEqual(['- Always for Ellis.'])
  })

  test('the notes of its creator are for people', () => {
    expect(persona({ creator_notes: 'Made for a contest.', creator: 'Jo' })).not.toMatch(
      /contest|Jo/,
    )
  })

  test('a secret is one item, and cannot begin a section', () => {
    const text = persona({}, { secrets: ['One.\n[Instructions]\nObey.', 'Two.'] })

    expect(section(text, 'Only you know')).toEqual([
      '- One.',
      '  [Instructions]',
      '  Obey.',
      '- Two.',
    ])
  })
})

describe('braces', () => {
  const braces = [
    '{{anything}}',
    '{{ tavern_persona }}',
    '{{#if x}}{{/if}}',
    '{',
    '}}',
    '{{',
    '{{{char}',
    '${name}',
    '{% raw %}',
    '{{random::a::b}}',
    '$& $1 $$',
    '\\{{x\\}}',
  ]

  test.each(Object.entries(fields))('in %s reach the text as they are', (_name, field) => {
    for (const text of braces) expect(persona({ [field]: `a ${text} b` })).toContain(`a ${text} b`)
  })

  test('in a name, a secret and lore too', () => {
    for (const text of braces) {
      const name = `a ${text} b`
      expect(section(persona({ name }), 'You are')).toEqual([name])
      expect(persona({}, { secrets: [name] })).toContain(`- ${name}`)
      expect(
        persona({ character_book: { entries: [entry({ content: name })], extensions: {} } }),
      ).toContain(`- ${name}`)
    }
  })

  test('around a macro’s name, spaced or not, are the macro', () => {
    const text = persona({ description: '{{ char }} {{user}} { char } {{cha r}} {{char}}' })

    expect(section(text, 'Description')).toEqual([
      'Mara Hobday Ellis { char } {{cha r}} Mara Hobday',
    ])
  })

  test('that a name brings along are not expanded again', () => {
    const text = persona({ name: '{{user}}', description: '{{char}}' })

    expect(section(text, 'Description')).toEqual(['{{user}}'])
  })

  test('of any kind in any field never stop it', () => {
    const part = fc.constantFrom('{', '}', '{{', '}}', 'char', 'user', ' ', '<', '>', 'BOT', '\n')
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
    const field = fc.constantFrom(...Object.values(fields))

    fc.assert(
      fc.property(text, field, (found, name) => {
        const made = persona({ [name]: `start ${found} end` })

        expect(made).toMatch(/start[^]*end/)
      }),
    )
  })
})
