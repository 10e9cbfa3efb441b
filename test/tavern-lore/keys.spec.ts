/** When a key matches a text: words in every script, letter case, patterns. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkLore, maxKeyLength, maxKeys } from 'dsh-tavern-lore'
import { entryOf, idsOf, matches } from './entry.ts'

const regex = (keys: readonly string[], text: string, caseSensitive = false) =>
  idsOf([{ keys, useRegex: true, caseSensitive }], [text]).length === 1

const warned = (keys: readonly string[]) =>
  checkLore([entryOf({ keys })]).map(({ message }) => message)

describe('whole words', () => {
  it.each([
    ['the king spoke', 'king', true],
    ['King!', 'king', true],
    ['(king)', 'king', true],
    ['the king’s men', 'king', true],
    ['the kingdom', 'king', false],
    ['viking', 'king', false],
    ['king2', 'king', false],
    ['viking or king', 'king', true],
    ['в Москве и Москва', 'москва', true],
    ['Подмосковье', 'москов', false],
    ['Ольга, здравствуй', 'ольга', true],
    ['Élodie rit', 'élodie', true],
    ['Élodie rit', 'lodie', false],
    ['E\u0301lodie rit', 'élodie', true],
    ['Ελένη μίλησε', 'ελένη', true],
    ['नमस्ते', 'नमस', false],
    ['the dark lord', 'dark lord', true],
    ['the dark lords', 'dark lord', false],
    ['Dr. Who', 'Dr.', true],
    ['C++ is old', 'C++', true],
  ])('%j and key %j: %s', (text, key, expected) => {
    expect(matches(text, key)).toBe(expected)
  })

  it.each([
    ['关云长温酒斩华雄', '云长'],
    ['小明Bob来了', 'Bob'],
    ['小明Bob来了', '小明'],
    ['アリスさん、おはよう', 'アリス'],
    ['こんにちは、ｱﾘｽです', 'ｱﾘｽ'],
    ['철수야 어디 가', '철수'],
    ['ชื่อสมชายครับ', 'สมชาย'],
    ['ラーメンを食べる', 'ラーメン'],
    ['第3章です', '3'],
    ['𠮷野家へ', '野家'],
  ])('running text %j holds key %j', (text, key) => {
    expect(matches(text, key)).toBe(true)
  })

  it('do not count where the entry says so', () => {
    expect(idsOf([{ keys: ['king'], wholeWords: false }], ['the kingdom'])).toEqual(['0'])
  })

  it('are found wherever a text holds one', () => {
    const letter = fc.constantFrom('a', 'б', 'é', '1', '_', ' ', '-', '王', 'ア')
    fc.assert(
      fc.property(fc.string({ unit: letter, maxLength: 8 }), (around) => {
        for (const text of [`${around}king`, `king${around}`, `${around}king${around}`]) {
          const whole = /(?<![aбé1])king(?![aбé1])/.test(text)

          expect(matches(text, 'king')).toBe(whole)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('letter case', () => {
  it('does not count unless the entry says so', () => {
    expect(matches('the STORM', 'Storm')).toBe(true)
    expect(matches('МОСКВА', 'москва')).toBe(true)
    expect(idsOf([{ keys: ['Storm'], caseSensitive: true }], ['the storm'])).toEqual([])
    expect(idsOf([{ keys: ['Storm'], caseSensitive: true }], ['the Storm'])).toEqual(['0'])
  })
})

describe('keys', () => {
  it('are taken without the white space around them, and not at all where empty', () => {
    expect(matches('a storm', '  storm ')).toBe(true)
    expect(matches('a storm', '', '  ')).toBe(false)
  })

  it('never reach over two texts', () => {
    expect(idsOf([{ keys: ['storm came'] }], ['came', 'the storm'])).toEqual([])
  })
})

describe('patterns', () => {
  it.each([
    ['/st[oö]rm/', 'a störmy night', true],
    ['/^storm/', 'a storm', false],
    ['/^storm$/m', 'calm\nstorm\ncalm', true],
    ['/STORM/', 'a storm', false],
    ['/STORM/i', 'a storm', true],
    ['/МОСКВА/i', 'москва', true],
    ['/a.b/', 'a\nb', false],
    ['/a.b/s', 'a\nb', true],
    ['/关.长/u', '关云长来了', true],
    ['/\\u5173/', '关云长来了', true],
    ['/and\\/or/', 'and/or', true],
    ['/\\bstorm\\b/gi', 'A Storm!', true],
    ['/(?<who>king|queen) rules/', 'the queen rules', true],
  ])('%s in %j: %s', (key, text, expected) => {
    expect(matches(text, key)).toBe(expected)
  })

  it.each(['/a/b/', '/a/gg', '/a/v', '//', '/a'])('%s is a plain key', (key) => {
    expect(matches(`so ${key} it is`, key)).toBe(true)
    expect(checkLore([entryOf({ keys: [key] })])).toEqual([])
  })

  it.each([
    ['/(?=storm)storm/', 'a look-ahead'],
    ['/(a)\\1/', 'a back reference'],
    ['/(/', 'no pattern'],
  ])('%s (%s) never matches, and says so at load', (key) => {
    const entry = entryOf({ keys: [key, 'calm'] })

    const warnings = checkLore([entry])

    expect(warnings).toMatchObject([{ entryId: '0', key }])
    expect(warnings[0]?.message).toContain('never matches')
    expect(idsOf([entry], [`storm aa ( ${key}`])).toEqual([])
    expect(idsOf([entry], ['calm'])).toEqual(['0'])
  })

  it('are what keys of a use_regex entry are, where they have signs', () => {
    expect(regex(['storms?'], 'Storm')).toBe(true)
    expect(regex(['storms?'], 'Storm', true)).toBe(false)
    expect(regex(['king'], 'kingdom')).toBe(false)
    expect(regex(['king.*'], 'viking')).toBe(true)
  })

  it.each(['(a+)+$', '(a|aa)+$', '(a|a?)+b', '(.*a){20}c', '(x+x+)+y|(a+)+b'])(
    '%s, a classic to hang on, only fails to match',
    (body) => {
      // A backtracking engine would outlive the test's timeout by centuries.
      expect(matches(`${'a'.repeat(4000)}!`, `/${body}/`)).toBe(false)
    },
  )
})

describe('limits', () => {
  it('on the length of a key', () => {
    expect(warned(['a'.repeat(maxKeyLength)])).toEqual([])
    expect(warned(['a'.repeat(maxKeyLength + 1)])[0]).toContain('over 500 characters')
  })

  it('on the number of keys', () => {
    const keys = Array.from({ length: maxKeys + 2 }, (_, place) => `k${place}`)

    expect(warned(keys)).toHaveLength(2)
    expect(matches(`k${maxKeys - 1}`, ...keys)).toBe(true)
    expect(matches(`k${maxKeys + 1}`, ...keys)).toBe(false)
  })

  it('on the size of a pattern and of all patterns', () => {
    expect(warned(['/(abcde){900}/'])[0]).toContain('instructions')
    const many = Array.from({ length: 20 }, (_, place) => `/a{900}${place}/`)
    const messages = warned(many)
    expect(messages).toHaveLength(14)
    expect(messages[0]).toContain('past what patterns may cost')
  })

  it('on the text that is looked through: the newest of it', () => {
    const long = ' '.repeat(20_000)

    expect(idsOf([{ keys: ['storm'] }], ['a storm', long])).toEqual(['0'])
    expect(idsOf([{ keys: ['storm'] }], [long, 'a storm'])).toEqual([])
    expect(idsOf([{ keys: ['/storm/'] }], [long.slice(0, 4000), 'a storm'])).toEqual(['0'])
    expect(idsOf([{ keys: ['/storm/'] }], [long.slice(0, 5000), 'a storm'])).toEqual([])
  })
})
