/** Reading the lore in a card: defaults, what applications keep in extensions, decorators. */
import { describe, expect, it } from 'vitest'
import type { JsonValue } from 'dsh-fabric-protocol'
import { card2, entry, reading, v2Data, withBook } from './sample.ts'

const bookOf = (entries: JsonValue) => {
  const { card, warnings } = reading(withBook(entries))
  return { entries: card.book?.entries ?? [], warnings }
}

describe('an entry', () => {
  it('has defaults for what it does not say', () => {
    const { entries, warnings } = bookOf([entry])

    expect(warnings).toEqual([])
    expect(entries).toEqual([
      {
        id: '7',
        name: '',
        keys: ['storm'],
        secondaryKeys: [],
        logic: 'and-any',
        selective: false,
        content: 'The storm came from the north.',
        decorators: [],
        enabled: true,
        constant: false,
        insertionOrder: 10,
        probability: 100,
        caseSensitive: false,
        wholeWords: true,
        useRegex: false,
        extensions: {},
      },
    ])
  })

  it('takes what applications keep in its extensions', () => {
    const extensions = {
      selectiveLogic: 3,
      probability: 40,
      useProbability: true,
      scan_depth: 6,
      case_sensitive: true,
      match_whole_words: false,
    }

    const { entries } = bookOf([
      { ...entry, extensions, secondary_keys: ['north'], selective: true, priority: 5 },
    ])

    expect(entries[0]).toMatchObject({
      logic: 'and-all',
      probability: 40,
      scanDepth: 6,
      caseSensitive: true,
      wholeWords: false,
      secondaryKeys: ['north'],
      selective: true,
      priority: 5,
      extensions,
    })
  })

  it('is certain where its probability is switched off', () => {
    const extensions = { probability: 0, useProbability: false }

    expect(bookOf([{ ...entry, extensions }]).entries[0]?.probability).toBe(100)
  })

  it('treats null in extensions as not said, without a warning', () => {
    const extensions = { scan_depth: null, case_sensitive: null, match_whole_words: null }
    const { entries, warnings } = bookOf([{ ...entry, case_sensitive: true, extensions }])

    expect(warnings).toEqual([])
    expect(entries[0]).toMatchObject({ caseSensitive: true, wholeWords: true })
  })

  it('inherits the scan depth of its book', () => {
    const book = { scan_depth: 4, extensions: {}, entries: [entry] }
    const { card } = reading(card2({ ...v2Data, character_book: book }))

    expect(card.book).toMatchObject({ scanDepth: 4, entries: [{ scanDepth: 4 }] })
  })

  it('has an id of its own: stated, or its place, made unique', () => {
    const entries = [{ ...entry, id: 'a' }, { ...entry, id: 'a' }, { ...entry, id: null }, entry]

    expect(bookOf(entries).entries.map(({ id }) => id)).toEqual(['a', 'a#1', '2', '7'])
  })

  it('leaves its leading decorator lines out of its content', () => {
    const content = '\n@@depth 4\n@@@role user\n\n  @@activate\r\n\n Storm. \n@@not one\n'

    expect(bookOf([{ ...entry, content }]).entries[0]).toMatchObject({
      decorators: ['@@depth 4', '@@@role user', '@@activate'],
      content: ' Storm. \n@@not one\n',
    })
  })

  it('made of decorators alone has no content', () => {
    expect(bookOf([{ ...entry, content: '@@activate\n@@depth 1' }]).entries[0]?.content).toBe('')
  })
})

describe('repairs', () => {
  it.each([
    ['keys', 'storm, north', { keys: ['storm', 'north'] }],
    ['insertion_order', '12', { insertionOrder: 12 }],
    ['insertion_order', undefined, { insertionOrder: 100 }],
    ['enabled', undefined, { enabled: true }],
    ['enabled', 0, { enabled: false }],
    ['constant', 'true', { constant: true }],
    ['extensions', { probability: 400 }, { probability: 100 }],
    ['extensions', { selectiveLogic: 'all' }, { logic: 'and-any' }],
  ])('%s %j with one warning', (field, value, expected) => {
    const { entries, warnings } = bookOf([{ ...entry, [field]: value ?? null }])

    expect(entries[0]).toMatchObject(expected)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]?.field).toContain(`data.character_book.entries[0].${field}`)
  })

  it('a book without entries', () => {
    const { card, warnings } = reading(card2({ ...v2Data, character_book: { extensions: {} } }))

    expect(card.book?.entries).toEqual([])
    expect(warnings).toMatchObject([{ field: 'data.character_book.entries' }])
  })
})
