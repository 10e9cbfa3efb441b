/** The files of a preset: valid YAML for any name, no name in any path. */
import * as fc from 'fast-check'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { type Card, presetFiles } from 'dsh-tavern-cards'
import { cardErrorOf, reading, v1, v2 } from './sample.ts'

const { card, source } = reading(v2)

const filesOf = (changes: Partial<Card> = {}, from = source) =>
  new Map(
    presetFiles({ id: 'mara', card: { ...card, ...changes }, source: from }).map((file) => [
      file.path,
      file.content,
    ]),
  )
const metadataOf = (changes: Partial<Card>) => filesOf(changes).get('mara/preset.yml') ?? ''
const compositionOf = (from: typeof source) => filesOf({}, from).get('mara/agent.cordis.yml')

/** What every YAML reader takes as it stands, line separators left out. */
const printable =
  /^[\n\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u

describe('preset files', () => {
  it('are the composition, its metadata and the card', () => {
    expect([...filesOf().keys()]).toEqual([
      'mara/agent.cordis.yml',
      'mara/preset.yml',
      'mara/card.json',
    ])
  })

  it('mount one row: the character with its card', () => {
    const text = filesOf().get('mara/agent.cordis.yml') ?? ''

    expect(load(text)).toEqual([
      { id: 'character', name: 'dsh-tavern-cast/character', config: { card: './card.json' } },
    ])
    expect(text).toMatch(/^# card [0-9a-f]{16}\n- id: character\n/)
  })

  it('change the composition when the card changes, and only then', () => {
    expect(compositionOf({ ...v1, name: 'Mara.' })).not.toBe(compositionOf(v1))
    expect(compositionOf({ ...v1 })).toBe(compositionOf(v1))
  })

  it('keep the source whole', () => {
    const changed = { ...v2, stray: { a: [1] } }

    expect(JSON.parse(filesOf({}, changed).get('mara/card.json') ?? '')).toEqual(changed)
  })

  it.each(['../x', 'Mara', '', 'a/b', '-a', 'a\n', 'a.b'])('are refused for the id %j', (id) => {
    const error = cardErrorOf(() => presetFiles({ id, card, source }))

    expect(error).toMatchObject({ code: 'wrong-type', detail: { field: 'id' } })
  })
})

describe('preset metadata', () => {
  it.each([
    '关云长',
    'Mara: the "quiet" one',
    "it's # not a comment",
    'line\nbreak\ttab',
    '- [list] {map} & *alias !tag % @ `',
    'null',
    '5',
    '\u2028\u2029\u0085\u007f\uFEFF\uFFFF',
    '🙂',
    '${{ env }}',
  ])('quotes the name %j', (name) => {
    const text = metadataOf({ name })

    expect(load(text)).toMatchObject({ name })
    expect(text).toMatch(printable)
  })

  it('describes by the author’s notes, else the description, in one short line', () => {
    const long = 'many words '.repeat(50)

    expect(load(metadataOf({}))).toEqual({ name: 'Mara', description: 'for tests' })
    expect(load(metadataOf({ creatorNotes: ' ' }))).toMatchObject({ description: 'Keeps the inn.' })
    expect(load(metadataOf({ creatorNotes: 'a\n b' }))).toMatchObject({ description: 'a b' })
    expect(load(metadataOf({ creatorNotes: '', description: '' }))).toEqual({ name: 'Mara' })
    expect(load(metadataOf({ creatorNotes: long }))).toMatchObject({
      description: expect.stringMatching(/^[^]{199}…$/),
    })
  })

  it('is read back as written, for any text', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
    fc.assert(
      fc.property(text, (name) => {
        const written = metadataOf({ name })

        expect(load(written)).toMatchObject({ name: name.toWellFormed() })
        expect(written).toMatch(printable)
      }),
      { numRuns: 200 },
    )
  })
})
