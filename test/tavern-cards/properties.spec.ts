/** What holds for any card and any bytes. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from 'dsh-fabric-protocol'
import {
  CardError,
  defaultPortrait,
  type JsonObject,
  presetFiles,
  readCard,
  writeCardJson,
  writeCardPng,
} from 'dsh-tavern-cards'
import { base64, iTXt, pngWith, tEXt, zTXt } from './png.ts'
import { card2, card3, reading, utf8, v2, v3 } from './sample.ts'

const numRuns = 150
const portrait = defaultPortrait('Mara')

const text = fc.string({ unit: 'binary', maxLength: 40 })
const texts = fc.array(text, { maxLength: 3 })
// A round trip over text turns -0 into 0, which is the same number.
const anything = fc
  .jsonValue({ maxDepth: 3 })
  .map((value): JsonValue => JSON.parse(JSON.stringify(value)))
const unknownFields = fc.dictionary(
  fc.string().map((key) => `x_${key}`),
  anything,
  { maxKeys: 3 },
)
const name = fc.string({ minLength: 1, unit: 'grapheme' }).map((part) => `N${part}`)

const entry = fc
  .record({
    keys: texts,
    content: fc.oneof(
      text,
      text.map((part) => `@@depth 4\n@@@role user\n${part}`),
    ),
    extensions: unknownFields,
    enabled: fc.boolean(),
    insertion_order: fc.integer(),
    use_regex: fc.boolean(),
    id: fc.oneof(fc.integer(), text),
  })
  .chain((known) => unknownFields.map((unknown) => ({ ...unknown, ...known })))

const data = fc
  .record({
    name,
    nickname: text,
    description: text,
    personality: text,
    scenario: text,
    first_mes: text,
    mes_example: text,
    alternate_greetings: texts,
    group_only_greetings: texts,
    tags: texts,
    extensions: unknownFields,
    character_book: fc.record({
      extensions: unknownFields,
      entries: fc.array(entry, { maxLength: 3 }),
    }),
  })
  .chain((known) => unknownFields.map((unknown) => ({ ...unknown, ...known })))

const source: fc.Arbitrary<JsonObject> = fc.oneof(
  data,
  fc.tuple(data, unknownFields).map(([body, around]) => ({ ...around, ...card2(body) })),
  fc.tuple(data, unknownFields).map(([body, around]) => ({ ...around, ...card3(body) })),
)

/** Reads, and writes what was read; how that ended, which must be well or with a CardError. */
const outcomeOf = (bytes: Uint8Array) => {
  try {
    const { card, source: read } = readCard(bytes, 'any')
    writeCardJson(read)
    writeCardPng(portrait, read)
    presetFiles({ id: 'any', card, source: read })
    return 'read'
  } catch (error) {
    return error instanceof CardError && error.message.startsWith("card '") ? 'refused' : error
  }
}

/** Every input ends in one of the two ways. */
const allSurvive = (inputs: fc.Arbitrary<Uint8Array>, runs = numRuns) =>
  fc.check(
    fc.property(inputs, (bytes) => {
      expect(['read', 'refused']).toContain(outcomeOf(bytes))
    }),
    { numRuns: runs },
  )

describe('round trips', () => {
  it('over JSON keep every field, known or not', () => {
    fc.assert(
      fc.property(source, (value) => {
        const again = readCard(writeCardJson(reading(value).source), 'again.json')

        expect(again.source).toEqual(value)
        expect(again.card).toEqual(reading(value).card)
      }),
      { numRuns },
    )
  })

  it('over PNG give the same card with its unknown fields', () => {
    fc.assert(
      fc.property(source, (value) => {
        const before = reading(value)
        const after = readCard(writeCardPng(portrait, before.source), 'again.png')

        expect(after.card).toEqual(before.card)
        expect(after.source.data).toMatchObject(
          unknownOf(before.version === 'v1' ? value : value.data),
        )
      }),
      { numRuns },
    )
  })

  it('over PNG keep a V3 card as it is', () => {
    fc.assert(
      fc.property(data, (body) => {
        const value = card3(body)

        expect(readCard(writeCardPng(portrait, value), 'again.png').source).toEqual(value)
      }),
      { numRuns },
    )
  })
})

describe('any input', () => {
  it('of bytes is read or refused', () => {
    const start = fc.constantFrom('', '{', '\x89PNG\r\n\x1a\n', 'PK', '\xff\xfe', '{"name":"x","')
    const bytes = fc
      .tuple(start, fc.uint8Array({ maxLength: 200 }))
      .map(([head, rest]) => Buffer.concat([Buffer.from(head, 'latin1'), rest]))

    expect(fc.defaultReportMessage(allSurvive(bytes, 500))).toBeUndefined()
  })

  it('of JSON is read or refused', () => {
    const value = fc.oneof(
      anything,
      anything.map((inside) => ({ ...v2, data: inside })),
    )

    expect(fc.defaultReportMessage(allSurvive(value.map(bytesOf)))).toBeUndefined()
  })

  it('that is a card with one field replaced is read or refused', () => {
    const paths = pathsOf(v3)
    const replaced = fc
      .tuple(fc.constantFrom(...paths), anything)
      .map(([path, value]) => withValue(v3, path, value))

    expect(fc.defaultReportMessage(allSurvive(replaced.map(bytesOf), 500))).toBeUndefined()
  })

  it('that is a card with bytes changed, cut or doubled is read or refused', () => {
    const files = [
      utf8(JSON.stringify(v3)),
      pngWith(tEXt('chara', base64(v2)), tEXt('ccv3', base64(v3))),
      pngWith(zTXt('chara', base64(v2))),
      pngWith(iTXt('ccv3', base64(v3), true)),
    ]
    const mutated = fc
      .record({
        file: fc.constantFrom(...files),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        drop: fc.nat({ max: 8 }),
        insert: fc.uint8Array({ maxLength: 8 }),
      })
      .map(({ file, at, drop, insert }) => {
        const place = Math.floor(at * file.length)
        return Buffer.concat([file.subarray(0, place), insert, file.subarray(place + drop)])
      })

    expect(fc.defaultReportMessage(allSurvive(mutated, 500))).toBeUndefined()
  })

  it('inside a sound chunk is read or refused', () => {
    const payload = fc.uint8Array({ maxLength: 100 })
    const inside = payload.map((bytes) =>
      pngWith(tEXt('chara', Buffer.from(bytes).toString('base64'))),
    )
    const raw = fc.tuple(fc.constantFrom('tEXt', 'zTXt', 'iTXt'), payload).map(([type, bytes]) => {
      return pngWith({ type, data: Buffer.concat([Buffer.from('chara\0'), bytes]) })
    })

    expect(fc.defaultReportMessage(allSurvive(fc.oneof(inside, raw)))).toBeUndefined()
  })
})

function unknownOf(body: JsonValue | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([key]) => key.startsWith('x_')))
}

type Path = readonly (string | number)[]

function pathsOf(value: JsonValue, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...path, key]))
  return [path, ...inside]
}

function withValue(base: JsonValue, [key, ...rest]: Path, value: JsonValue): JsonValue {
  if (key === undefined) return value
  const change = (child: JsonValue) => withValue(child, rest, value)
  if (typeof base !== 'object' || base === null) return base
  const entries = Object.entries(base).map(([field, child]): [string, JsonValue] => [
    field,
    field === String(key) ? change(child) : child,
  ])
  return Array.isArray(base) ? entries.map(([, child]) => child) : Object.fromEntries(entries)
}

function bytesOf(value: JsonValue): Uint8Array {
  return utf8(JSON.stringify(value))
}
