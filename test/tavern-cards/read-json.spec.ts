/** Reading cards from JSON: the three versions, what is put right, and what is refused. */
import { describe, expect, it } from 'vitest'
import { maxFileBytes, maxJsonDepth, maxWarnings, readCard } from 'dsh-tavern-cards'
import { card2, card3, cardErrorOf, reading, refusal, utf8, v1, v2, v2Data, v3 } from './sample.ts'

/** Reads what deserves exactly one warning. */
const only = (value: unknown) => {
  const { card, warnings } = reading(value)
  expect(warnings).toHaveLength(1)
  return { card, warning: warnings[0] }
}

/** A card with lists inside one another, and brackets in text that count for nothing. */
const nested = (levels: number) => {
  const value = `${'['.repeat(levels)}${']'.repeat(levels)}`
  return utf8(
    JSON.stringify(v1).replace('{', `{"deep":${value},"brackets":"\\"${'['.repeat(99)}",`),
  )
}

describe('versions', () => {
  it('reads V1 from the root', () => {
    const { version, carrier, card, warnings } = reading(v1)

    expect({ version, carrier, warnings }).toEqual({ version: 'v1', carrier: 'json', warnings: [] })
    expect(card).toEqual({
      name: 'Mara',
      description: 'Keeps the inn.',
      personality: 'dry',
      scenario: 'a storm',
      firstMessage: 'Come in.',
      exampleDialogue: '<START>\n{{char}}: Hm.',
      alternateGreetings: [],
      groupOnlyGreetings: [],
      systemPrompt: '',
      postHistoryInstructions: '',
      creatorNotes: '',
      tags: [],
      creator: '',
      characterVersion: '',
      talkativeness: 0.5,
      extensions: {},
    })
  })

  it('reads V2 from its data', () => {
    const { version, card, warnings } = reading(v2)

    expect({ version, warnings }).toEqual({ version: 'v2', warnings: [] })
    expect(card).toMatchObject({
      systemPrompt: 'Stay dry.',
      postHistoryInstructions: 'Be brief.',
      alternateGreetings: ['You again.', 'Shut the door.'],
      creatorNotes: 'for tests',
      tags: ['inn', 'storm'],
      creator: 'Tess',
      characterVersion: '1.2',
      talkativeness: 0.8,
      extensions: { talkativeness: 0.8, unknown: { deep: [1, null, 'x'] } },
    })
  })

  it('reads V3 with nickname and group greetings', () => {
    const { version, card, warnings } = reading(v3)

    expect({ version, warnings }).toEqual({ version: 'v3', warnings: [] })
    expect(card).toMatchObject({
      nickname: 'Mar',
      groupOnlyGreetings: ['Quiet, all of you.'],
      book: { entries: [{ id: '7', keys: ['storm'], insertionOrder: 10 }] },
    })
  })

  it('keeps the parsed object as the source, unknown fields and all', () => {
    const value = { ...v2, stray: { a: [1, { b: null }] }, data: { ...v2Data, later: 'field' } }

    expect(reading(value).source).toEqual(value)
  })

  it('goes by content: the name of the file decides nothing', () => {
    expect(readCard(utf8(JSON.stringify(v1)), 'mara.png').carrier).toBe('json')
  })

  it('takes an object of data without a spec for V2', () => {
    const { version, warnings } = reading({ data: v2Data })

    expect(version).toBe('v2')
    expect(warnings).toMatchObject([{ field: 'spec', found: 'nothing' }])
  })
})

describe('what is put right, with one warning each', () => {
  it('a byte order mark', () => {
    const { card, warnings } = readCard(utf8(`\uFEFF${JSON.stringify(v1)}`), 'mara.json')

    expect(card.name).toBe('Mara')
    expect(warnings).toMatchObject([{ field: 'file', found: 'a byte order mark' }])
  })

  it('a book that is null', () => {
    const { card, warning } = only(card2({ ...v2Data, character_book: null }))

    expect(card.book).toBeUndefined()
    expect(warning).toMatchObject({ field: 'data.character_book', found: 'null' })
  })

  it('greetings as one text', () => {
    const { card, warning } = only(card2({ ...v2Data, alternate_greetings: 'Hello, you.' }))

    expect(card.alternateGreetings).toEqual(['Hello, you.'])
    expect(warning).toMatchObject({
      field: 'data.alternate_greetings',
      found: 'text "Hello, you."',
    })
  })

  it('tags as one text', () => {
    expect(only(card2({ ...v2Data, tags: 'inn, storm' })).card.tags).toEqual(['inn', 'storm'])
  })

  it('a number where text belongs', () => {
    const { card, warning } = only(card2({ ...v2Data, character_version: 2.5 }))

    expect(card.characterVersion).toBe('2.5')
    expect(warning).toMatchObject({ field: 'data.character_version', found: 'number 2.5' })
  })

  it('a number in a list of texts', () => {
    const { card, warning } = only(card2({ ...v2Data, tags: ['a', 1900] }))

    expect(card.tags).toEqual(['a', '1900'])
    expect(warning?.field).toBe('data.tags[1]')
  })

  it('null in a list of texts', () => {
    const { card, warning } = only(card2({ ...v2Data, alternate_greetings: [null, 'You.'] }))

    expect(card.alternateGreetings).toEqual(['You.'])
    expect(warning).toMatchObject({ field: 'data.alternate_greetings[0]', found: 'null' })
  })

  it('text where a number belongs', () => {
    const { card, warning } = only(card2({ ...v2Data, extensions: { talkativeness: '0.25' } }))

    expect(card.talkativeness).toBe(0.25)
    expect(warning).toMatchObject({ field: 'data.extensions.talkativeness', found: 'text "0.25"' })
  })

  it.each([
    [7, 1],
    [-1, 0],
    [{}, 0.5],
    ['often', 0.5],
  ])('talkativeness %j is taken as %d', (talkativeness, expected) => {
    const { card } = only(card2({ ...v2Data, extensions: { talkativeness } }))

    expect(card.talkativeness).toBe(expected)
  })

  it.each(['description', 'mes_example', 'tags', 'extensions', 'creator'])(
    'a missing %s',
    (field) => {
      const data = Object.fromEntries(Object.entries(v2Data).filter(([key]) => key !== field))

      expect(only(card2(data)).warning).toMatchObject({ field: `data.${field}`, found: 'nothing' })
    },
  )

  it.each(['description', 'alternate_greetings', 'extensions'])('a null %s', (field) => {
    const { warning } = only(card2({ ...v2Data, [field]: null }))

    expect(warning).toMatchObject({ field: `data.${field}`, found: 'null' })
  })

  it.each([
    ['chara_card_v3', '4.0'],
    ['chara_card_v3', 'latest'],
    ['chara_card_v3', undefined],
    ['chara_card_v3', '2.0'],
    ['chara_card_v3', 3],
    ['chara_card_v2', '3.0'],
  ])('%s of version %j', (spec, spec_version) => {
    const { warning } = only({ ...v3, spec, spec_version })

    expect(warning?.field).toBe('spec_version')
  })

  it('a later V3 of the same major version is no surprise', () => {
    expect(reading({ ...v3, spec_version: '3.2' }).warnings).toEqual([])
  })

  it('V3 without the group greetings it requires', () => {
    expect(only(card3(v2Data)).warning?.field).toBe('data.group_only_greetings')
  })

  it('lists a bounded number of warnings and counts the rest', () => {
    const { warnings } = reading(card2({ ...v2Data, tags: Array(maxWarnings + 50).fill(1) }))

    expect(warnings).toHaveLength(maxWarnings + 1)
    expect(warnings.at(-1)).toMatchObject({ found: '50 more warnings' })
  })
})

describe('what is refused, naming file, field and finding', () => {
  it.each([
    [{}, 'not-a-card'],
    [[], 'not-a-card'],
    ['Mara', 'not-a-card'],
    [null, 'not-a-card'],
    [{ spec: 'lorebook_v3', data: {} }, 'not-a-card'],
    [{ ...v2, spec: 'chara_card_v9' }, 'unsupported'],
    [{ ...v2, spec: 2 }, 'wrong-type'],
    [{ ...v2, data: [] }, 'wrong-type'],
    [{ ...v1, name: undefined }, 'missing-name'],
    [{ ...v1, name: ' ' }, 'missing-name'],
    [card2({ ...v2Data, name: null }), 'missing-name'],
    [card2({ ...v2Data, description: {} }), 'wrong-type'],
    [card2({ ...v2Data, description: true }), 'wrong-type'],
    [card2({ ...v2Data, alternate_greetings: {} }), 'wrong-type'],
    [card2({ ...v2Data, tags: [[]] }), 'wrong-type'],
    [card2({ ...v2Data, extensions: [] }), 'wrong-type'],
    [card2({ ...v2Data, character_book: [] }), 'wrong-type'],
    [card2({ ...v2Data, character_book: { entries: {} } }), 'wrong-type'],
    [card2({ ...v2Data, character_book: { entries: [1] } }), 'wrong-type'],
  ])('%j is %s', (value, code) => {
    const error = refusal(value)

    expect(error.code).toBe(code)
    expect(error.message).toContain("card 'mara.json'")
  })

  it('says the field and what was found', () => {
    const error = refusal(card2({ ...v2Data, tags: ['a', {}] }))

    expect(error.detail).toEqual({ file: 'mara.json', field: 'data.tags[1]', found: 'an object' })
    expect(error.message).toBe(
      "card 'mara.json': field 'data.tags[1]' must be text, found an object",
    )
  })

  it.each([
    ['an empty file', '', 'not-a-card'],
    ['prose', 'Once upon a time', 'not-a-card'],
    ['half an object', '{"name":"Mara"', 'bad-json'],
    ['a trailing comma', '{"name":"Mara",}', 'bad-json'],
    ['half a list', ' [1,', 'bad-json'],
    ['CHARX', 'PK\x03\x04....', 'unsupported'],
    ['a JPEG', '\xff\xd8\xff\xe0....', 'unsupported'],
    ['a WebP', 'RIFF....WEBPVP8 ', 'unsupported'],
    ['other bytes', '\xfa\xfb\xfc', 'not-a-card'],
    ['Latin-1 JSON', '{"name":"\xc9lodie"}', 'bad-json'],
    ['UTF-16 JSON', '\xff\xfe{\0"\0a\0"\0', 'bad-json'],
  ])('%s', (_, latin1, code) => {
    const error = cardErrorOf(() => readCard(Buffer.from(latin1, 'latin1'), 'mara.card'))

    expect(error.code).toBe(code)
    expect(error.message).toContain("card 'mara.card'")
  })

  it('CHARX by its name', () => {
    const error = cardErrorOf(() => readCard(utf8('PK\x03\x04'), 'mara.charx'))

    expect(error.message).toContain('CHARX')
  })

  it('a file over the limit', () => {
    const error = cardErrorOf(() => readCard(new Uint8Array(maxFileBytes + 1), 'huge.json'))

    expect(error).toMatchObject({ code: 'too-large', detail: { found: '33554433 bytes' } })
  })

  it('nesting over the limit, and nothing at the limit', () => {
    expect(readCard(nested(maxJsonDepth - 1), 'deep.json').card.name).toBe('Mara')
    expect(cardErrorOf(() => readCard(nested(maxJsonDepth), 'deep.json')).code).toBe('too-large')
    expect(cardErrorOf(() => readCard(utf8('['.repeat(1e6)), 'deep.json')).code).toBe('too-large')
  })
})

it('a field called like an inherited property is just a field', () => {
  const text = JSON.stringify(v1).replace('{', '{"__proto__":{"name":"x"},"constructor":1,')
  const { card, source } = readCard(utf8(text), 'mara.json')

  expect(card.name).toBe('Mara')
  expect(Object.hasOwn(source, '__proto__')).toBe(true)
})
