/** Writing cards: conversions keep what they do not know, PNG files keep all other chunks. */
import type { JsonValue } from 'dsh-fabric-protocol'
import { describe, expect, it } from 'vitest'
import {
  defaultPortrait,
  type JsonObject,
  maxJsonDepth,
  readCard,
  toV2,
  toV3,
  writeCardJson,
  writeCardPng,
} from 'dsh-tavern-cards'
import {
  base64,
  chunk,
  chunksOf,
  end,
  header,
  iTXt,
  jsonIn,
  picture,
  png,
  tEXt,
  zTXt,
} from './png.ts'
import { cardErrorOf, entry, reading, v1, v2, v2Data, v3 } from './sample.ts'

const dataOf = ({ data }: JsonObject): Record<string, JsonValue> =>
  Object.fromEntries(Object.entries(data ?? {}))

describe('JSON', () => {
  it('holds the source as it was read', () => {
    const value = { ...v2, stray: [1, { deep: null }] }

    const text = new TextDecoder().decode(writeCardJson(reading(value).source))

    expect(JSON.parse(text)).toEqual(value)
    expect(text.endsWith('}\n')).toBe(true)
  })

  it('is not written where it could not be read again', () => {
    let deep: JsonObject = {}
    for (let level = 0; level < maxJsonDepth; level++) deep = { deep }

    expect(cardErrorOf(() => writeCardJson({ ...v1, deep })).code).toBe('too-large')
  })
})

describe('to V3', () => {
  it('is the source itself where that is V3', () => {
    expect(toV3(v3)).toEqual(v3)
  })

  it('adds what V3 requires and keeps what it does not know', () => {
    const book = { extensions: {}, entries: [{ ...entry, mine: 1 }], mine: 2 }
    const source = {
      ...v2,
      stray: 'root',
      data: { ...v2Data, later: 'field', character_book: book },
    }

    const converted = toV3(source)

    expect(converted).toMatchObject({ spec: 'chara_card_v3', spec_version: '3.0', stray: 'root' })
    expect(dataOf(converted)).toEqual({
      ...v2Data,
      later: 'field',
      group_only_greetings: [],
      character_book: { ...book, entries: [{ ...entry, mine: 1, use_regex: false }] },
    })
  })

  it('takes a V1 card with its unknown fields', () => {
    const converted = toV3({ ...v1, avatar: 'none' })

    expect(Object.keys(converted)).toEqual(['spec', 'spec_version', 'data'])
    expect(dataOf(converted)).toMatchObject({ ...v1, avatar: 'none', group_only_greetings: [] })
    expect(reading(converted).warnings).toEqual([])
  })

  it('refuses what is no card', () => {
    expect(cardErrorOf(() => toV3({ spec: 'chara_card_v3', data: 1 })).code).toBe('wrong-type')
    expect(cardErrorOf(() => toV3({ mood: 'none' })).code).toBe('not-a-card')
  })
})

describe('to V2', () => {
  it('leaves out the fields of V3 and keeps unknown ones', () => {
    const source = { ...v3, stray: 1, data: { ...dataOf(v3), later: 'field' } }

    const converted = toV2(source)

    expect(converted).toMatchObject({ spec: 'chara_card_v2', spec_version: '2.0', stray: 1 })
    expect(dataOf(converted)).toEqual({
      ...v2Data,
      later: 'field',
      character_book: { extensions: {}, entries: [entry] },
    })
  })

  it('leaves out decorator lines of lore', () => {
    const decorated = { ...entry, content: '@@depth 4\n@@@role user\n\nThe storm.' }
    const data = { ...v2Data, character_book: { extensions: {}, entries: [decorated] } }

    for (const source of [
      { ...v2, data },
      { ...v3, data },
    ]) {
      expect(dataOf(toV2(source))).toMatchObject({
        character_book: { entries: [{ content: 'The storm.' }] },
      })
    }
  })

  it('gives a V1 card every field that V2 readers insist on', () => {
    const converted = toV2({ ...v1, avatar: 'none' })

    expect(dataOf(converted)).toMatchObject({ ...v1, avatar: 'none', tags: [], extensions: {} })
    expect(reading(converted).warnings).toEqual([])
  })
})

describe('PNG', () => {
  it('carries V2 as chara and V3 as ccv3', () => {
    for (const source of [v1, v2, v3]) {
      const bytes = writeCardPng(defaultPortrait('Mara'), source)

      expect(jsonIn(bytes, 'chara')).toEqual(toV2(source))
      expect(jsonIn(bytes, 'ccv3')).toEqual(toV3(source))
    }
  })

  it('has them right before its end, old ones gone, all others untouched', () => {
    const other = [tEXt('Comment', 'ccv3'), zTXt('Notes', 'x'), iTXt('Title', 'y', true)]
    const old = [tEXt('chara', base64(v1)), zTXt('CCV3', base64(v1)), iTXt('Chara', 'z', false)]
    const unknown = chunk('prVt', Buffer.from([0, 1, 2]))
    const image = [header, old[0], other[0], unknown, picture, other[1], old[1], old[2], other[2]]
    const bytes = png([...image.filter((part) => part !== undefined), end])

    const chunks = chunksOf(writeCardPng(bytes, v2))

    const kept = chunksOf(png([header, ...other.slice(0, 1), unknown, picture, ...other.slice(1)]))
    expect(chunks.slice(0, -3)).toEqual(kept)
    expect(chunks.slice(-3).map(({ type }) => type)).toEqual(['tEXt', 'tEXt', 'IEND'])
  })

  it('drops what stands after the end of the image', () => {
    const image = Buffer.concat([defaultPortrait('Mara'), Buffer.from('tail')])

    expect(Buffer.from(writeCardPng(image, v2)).includes('tail')).toBe(false)
  })

  it('written twice holds one card', () => {
    const once = writeCardPng(defaultPortrait('Mara'), v2)

    expect(writeCardPng(once, v2)).toEqual(once)
  })

  it('reads back as the same card', () => {
    for (const source of [v1, v2, v3]) {
      const { card, warnings } = readCard(writeCardPng(defaultPortrait('Mara'), source), 'mara.png')

      expect(warnings).toEqual([])
      expect(card).toEqual(reading(source).card)
    }
  })

  it('is refused for an image that is no PNG', () => {
    const error = cardErrorOf(() => writeCardPng(Buffer.from('GIF89a..'), v2))

    expect(error).toMatchObject({ code: 'bad-png', detail: { file: 'image' } })
  })

  it('is refused where the result could not be read again', () => {
    const large = { ...v2, data: { ...v2Data, description: 'x'.repeat(13 * 1024 * 1024) } }

    expect(cardErrorOf(() => writeCardPng(defaultPortrait('Mara'), large)).code).toBe('too-large')
  })
})
