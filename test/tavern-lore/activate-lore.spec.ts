/** Which entries come to mind, in what order, and within which budget. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BookEntry, SecondaryLogic } from 'dsh-tavern-cards'
import { readCard } from 'dsh-tavern-cards'
import { activateLore } from 'dsh-tavern-lore'
import { activate, entryOf, idsOf, noDraw } from './entry.ts'

const drawing = (value: number) => ({ draw: () => value })

const sized = (bytes: number, changes: Partial<BookEntry> = {}, fill = 'x') => ({
  content: fill.repeat(bytes),
  ...changes,
})

describe('activation', () => {
  it('gives content, entry and the keys that matched', () => {
    const entry = entryOf({ id: 'north', keys: ['calm', 'Storm', 'north'] })

    const activation = activateLore({
      entries: [entry],
      texts: ['The storm from the north'],
      budgetBytes: 1000,
      draw: noDraw,
    })

    expect(activation).toEqual({
      active: [
        {
          entryId: 'north',
          content: 'The storm came from the north.',
          matchedKeys: ['Storm', 'north'],
        },
      ],
      leftOut: 0,
      draws: [],
    })
  })

  it('needs a key, unless the entry is constant', () => {
    expect(idsOf([{}, { keys: [] }, { keys: [], constant: true }], ['quiet'])).toEqual(['2'])
  })

  it('never takes a disabled entry', () => {
    const never = { enabled: false, constant: true, decorators: ['@@activate'] }

    expect(idsOf([never, {}], ['storm'])).toEqual(['1'])
  })

  it('inserts nothing for empty content', () => {
    expect(idsOf([{ content: ' \n' }, {}], ['storm'])).toEqual(['1'])
  })

  it('inserts one content once, from the entry that matters more', () => {
    const same = { content: 'the same' }

    const { active, leftOut } = activate([{ ...same }, { ...same, priority: 200 }], ['storm storm'])

    expect(active.map(({ entryId }) => entryId)).toEqual(['1'])
    expect(leftOut).toBe(0)
  })
})

describe('decorators', () => {
  it.each([
    [['@@activate'], true],
    [['@@dont_activate'], false],
    [['@@dont_activate', '@@activate'], true],
    [['@@activate', '@@dont_activate'], true],
    [['@@unknown', '@@@activate'], true],
    [['@@unknown 1', '@@@unknown_too', '@@@other', '@@@x', '@@@y', '@@@activate'], true],
    [['@@dont_activate', '@@@activate'], false],
    [['@@activate_only_after 3'], false],
  ])('%j decide for an entry without a match: %s', (decorators, expected) => {
    expect(idsOf([{ decorators }], ['quiet'])).toEqual(expected ? ['0'] : [])
  })

  it('keep out an entry that would match, or is constant', () => {
    const decorators = ['@@dont_activate']

    expect(idsOf([{ decorators }, { decorators, constant: true }], ['storm'])).toEqual([])
  })

  it('are ignored where unknown', () => {
    expect(idsOf([{ decorators: ['@@depth 4', '@@role user'] }], ['storm'])).toEqual(['0'])
  })

  it('of a card never reach what is inserted', () => {
    const entry = {
      keys: ['storm'],
      content: '@@depth 4\n@@@role user\n\nThe storm.',
      enabled: true,
      insertion_order: 1,
      extensions: {},
    }
    const card = { name: 'Mara', character_book: { extensions: {}, entries: [entry] } }
    const { card: read } = readCard(Buffer.from(JSON.stringify(card)), 'mara.json')

    expect(activate(read.book?.entries ?? [], ['storm']).active).toMatchObject([
      { content: 'The storm.' },
    ])
  })
})

describe('secondary keys', () => {
  const cases: readonly (readonly [SecondaryLogic, string, boolean])[] = [
    ['and-any', 'storm', false],
    ['and-any', 'storm north', true],
    ['and-any', 'storm north ship', true],
    ['not-all', 'storm', true],
    ['not-all', 'storm north', true],
    ['not-all', 'storm north ship', false],
    ['not-any', 'storm', true],
    ['not-any', 'storm ship', false],
    ['and-all', 'storm north', false],
    ['and-all', 'storm north ship', true],
    ['and-all', 'north ship', false],
    ['not-any', 'quiet', false],
  ]

  it.each(cases)('%s in %j: %s', (logic, text, expected) => {
    const entry = { selective: true, secondaryKeys: ['north', 'ship'], logic }

    expect(idsOf([entry], [text])).toEqual(expected ? ['0'] : [])
  })

  it('are ignored where the entry is not selective, or has none', () => {
    expect(idsOf([{ secondaryKeys: ['north'], logic: 'and-all' }], ['storm'])).toEqual(['0'])
    expect(idsOf([{ selective: true, logic: 'and-any' }], ['storm'])).toEqual(['0'])
  })

  it('that matched are named with the primary ones', () => {
    const entry = { selective: true, secondaryKeys: ['north', 'ship'] }

    expect(activate([entry], ['storm north']).active[0]?.matchedKeys).toEqual(['storm', 'north'])
  })
})

describe('scan depth', () => {
  const texts = ['newest', 'second', 'oldest storm']

  it.each([
    [undefined, true],
    [0, false],
    [2, false],
    [3, true],
    [50, true],
  ])('%s of three texts, the key in the oldest: %s', (scanDepth, expected) => {
    const entry = scanDepth === undefined ? {} : { scanDepth }

    expect(idsOf([entry], texts)).toEqual(expected ? ['0'] : [])
  })

  it('is each entry’s own', () => {
    const entries = [
      { keys: ['second'], scanDepth: 1 },
      { keys: ['second'], scanDepth: 2 },
    ]

    expect(idsOf(entries, texts)).toEqual(['1'])
  })
})

describe('probability', () => {
  it('0 never passes and 100 always, without a draw', () => {
    expect(idsOf([{ probability: 0 }, { probability: 100 }], ['storm'])).toEqual(['1'])
    expect(idsOf([{ probability: 0, constant: true }], ['storm'], drawing(0))).toEqual([])
  })

  it.each([
    [0, true],
    [0.399, true],
    [0.4, false],
    [0.999, false],
  ])('40 with %d drawn: %s', (value, expected) => {
    const ids = idsOf([{ probability: 40 }], ['storm'], drawing(value))

    expect(ids).toEqual(expected ? ['0'] : [])
  })

  it('draws for entries that matched only, and records each draw', () => {
    const values = new Map([
      ['lore 1', 0.1],
      ['lore 2', 0.9],
    ])
    const entries = [{ keys: ['calm'], probability: 50 }, { probability: 50 }, { probability: 50 }]

    const { active, draws } = activate(entries, ['storm'], {
      draw: (what) => values.get(what) ?? noDraw(what),
    })

    expect(active.map(({ entryId }) => entryId)).toEqual(['1'])
    expect(draws).toEqual([
      { what: 'lore 1', value: 0.1, outcome: 'active' },
      { what: 'lore 2', value: 0.9, outcome: 'passed over' },
    ])
  })
})

describe('order and budget', () => {
  it('reads by insertion order, then by place', () => {
    const entries = [5, 1, 5, 3].map((insertionOrder) => ({ insertionOrder }))

    expect(idsOf(entries, ['storm'])).toEqual(['1', '3', '0', '2'])
  })

  it('leaves out the lowest priority first', () => {
    const entries = [
      sized(40, { priority: 1 }, 'a'),
      sized(40, { priority: 9 }, 'b'),
      sized(40, { priority: 5 }, 'c'),
    ]

    const { active, leftOut } = activate(entries, ['storm'], { budgetBytes: 80 })

    expect(active.map(({ entryId }) => entryId)).toEqual(['1', '2'])
    expect(leftOut).toBe(1)
  })

  it('goes by insertion order where an entry has no priority', () => {
    const entries = [sized(40, { insertionOrder: 1 }, 'a'), sized(40, { insertionOrder: 2 }, 'b')]

    expect(idsOf(entries, ['storm'], { budgetBytes: 79 })).toEqual(['1'])
  })

  it('goes on to smaller entries past one that does not fit', () => {
    const entries = [sized(100, { priority: 9 }, 'a'), sized(10, { priority: 1 }, 'b')]

    const { active, leftOut } = activate(entries, ['storm'], { budgetBytes: 50 })

    expect(active.map(({ entryId }) => entryId)).toEqual(['1'])
    expect(leftOut).toBe(1)
  })

  it('counts bytes, not letters', () => {
    expect(idsOf([{ content: '关云长' }], ['storm'], { budgetBytes: 9 })).toEqual(['0'])
    expect(idsOf([{ content: '关云长' }], ['storm'], { budgetBytes: 8 })).toEqual([])
  })

  it('holds for any entries: within the budget, in order, nothing lost', () => {
    const entry = fc.record({
      insertionOrder: fc.nat({ max: 5 }),
      priority: fc.nat({ max: 5 }),
      content: fc
        .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
        .map((text) => `.${text}`),
    })
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 12 }),
        fc.nat({ max: 200 }),
        (entries, budgetBytes) => {
          const { active, leftOut } = activate(entries, ['storm'], { budgetBytes })

          const bytes = active.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
          const orders = active.map(({ entryId }) => entries[Number(entryId)]?.insertionOrder ?? -1)
          expect(bytes).toBeLessThanOrEqual(budgetBytes)
          expect(orders).toEqual(orders.toSorted((a, b) => a - b))
          expect(active.length + leftOut).toBe(new Set(entries.map(({ content }) => content)).size)
        },
      ),
      { numRuns: 150 },
    )
  })
})
