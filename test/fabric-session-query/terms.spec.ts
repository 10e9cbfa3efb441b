/** Terms and excerpts, for any text at all. */
import { array, assert, constantFrom, integer, oneof, property, string } from 'fast-check'
import { excerptOf, placesOf, termsOf } from 'dsh-fabric-session-query'
import { expect, it } from 'vitest'

/** Text as it comes, and text made of what folding moves about. */
const texts = oneof(
  string({ unit: 'binary', maxLength: 60 }),
  string({ unit: 'grapheme', maxLength: 60 }),
  array(
    constantFrom(
      '酒',
      '馆',
      'か',
      '\u3099',
      'ｶ',
      'ﾞ',
      '한',
      '\u1112\u1161',
      'ﬁ',
      'É',
      'e\u0301',
      'İ',
      '👍🏽',
      '\u200d',
      '…',
      '，',
      ' ',
      '\n',
      'Σ',
      'a',
      '7',
      '\ud800',
      '\u00ad',
      'กำ',
    ),
    { maxLength: 40 },
  ).map((parts) => parts.join('')),
)

it('the places of terms are in order and inside the text', () => {
  assert(
    property(texts, (text) => {
      let before = 0
      for (const { start, end } of placesOf(text)) {
        expect(start).toBeGreaterThanOrEqual(before)
        expect(end).toBeLessThanOrEqual(text.length)
        expect(end).toBeGreaterThan(start)
        before = start
      }
    }),
    { numRuns: 1_000 },
  )
})

it('no term holds what separates terms in the index, or is syntax to its search', () => {
  assert(
    property(texts, (text) => {
      for (const term of termsOf(text)) expect(term).not.toMatch(/[\s\0-/:-@[-`{-\u007f]/u)
    }),
    { numRuns: 1_000 },
  )
})

it('an excerpt is never longer than its limit, and is the text itself where that fits', () => {
  assert(
    property(texts, texts, integer({ min: 1, max: 30 }), (text, query, limit) => {
      const excerpt = excerptOf({ text, query, limit })
      const whole = text.toWellFormed().replace(/\s+/gu, ' ').trim()

      expect(Array.from(excerpt).length).toBeLessThanOrEqual(limit)
      expect(Array.from(whole).length > limit || excerpt === whole).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

it.each([
  ['酒馆', '她推开门走进沉钟酒馆'],
  ['ギルド', 'ｷﾞﾙﾄﾞへ'],
  ['술집', '그녀는 술집에서'],
  ['fi', 'the ﬁnal …… word ﬁ'],
])('an excerpt shows where %s stands, in the words that were written', (query, sentence) => {
  const filler = '……，这里什么也没有。'.repeat(40)
  const excerpt = excerptOf({ text: filler + sentence + filler, query, limit: 60 })

  expect(excerpt).toContain(sentence)
})
