/** Ids from names in any script. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { characterIdFor, maxIdLength } from 'dsh-tavern-cards'
import { characterId } from 'dsh-tavern-protocol'

const idFor = (name: string, ...taken: readonly string[]) => characterIdFor(name, new Set(taken))

describe('spelling', () => {
  it.each([
    ['Mara', 'mara'],
    ['Mara of the Inn', 'mara-of-the-inn'],
    ['关云长', 'guan-yun-chang'],
    ['重庆', 'chong-qing'],
    ['Ольга', 'olga'],
    ['アリス', 'arisu'],
    ['ｱﾘｽ', 'arisu'],
    ['철수', 'ceolsu'],
    ['Élodie', 'elodie'],
    ['E\u0301lodie', 'elodie'],
    ['Łukasz Straße', 'lukasz-strasse'],
    ['Ελένη', 'eleni'],
    ["O'Brien", 'obrien'],
    ['𝕬𝖑𝖎𝖈𝖊', 'alice'],
    ['  --Mara!!  ', 'mara'],
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\Windows', 'c-windows'],
  ])('%s becomes %s', (name, id) => {
    expect(idFor(name)).toBe(id)
  })

  it('of a name with nothing to spell is stable and its own', () => {
    expect(idFor('🙂🙃')).toMatch(/^character-[0-9a-f]{8}$/)
    expect(idFor('🙂🙃')).toBe(idFor('🙂🙃'))
    expect(idFor('🙂🙃')).not.toBe(idFor('🙃🙂'))
    expect(idFor('')).toMatch(/^character-[0-9a-f]{8}$/)
  })
})

describe('namesakes', () => {
  it('get numbers from two', () => {
    expect(idFor('Mara', 'mara')).toBe('mara-2')
    expect(idFor('Mara', 'mara', 'mara-2', 'mara-3')).toBe('mara-4')
  })

  it('in composed and decomposed letters are told apart', () => {
    const first = idFor('Élodie'.normalize('NFC'))

    expect(idFor('Élodie'.normalize('NFD'), first)).toBe('elodie-2')
  })

  it('with long names keep within the length', () => {
    const name = 'a-very-long-name-that-goes-on-and-on-without-any-end'
    const first = idFor(name)

    expect(first).toHaveLength(maxIdLength)
    expect(idFor(name, first)).toBe('a-very-long-name-that-goes-on-and-on-without-a-2')
  })

  it('of devices do not become folder names', () => {
    expect(idFor('Con')).toBe('con-2')
    expect(idFor('COM1')).toBe('com1-2')
  })
})

it('every name, taken or not, becomes a valid new id', () => {
  const name = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string())
  fc.assert(
    fc.property(name, (text) => {
      const first = characterIdFor(text, new Set())
      const second = characterIdFor(text, new Set([first]))

      for (const id of [first, second]) {
        expect(characterId.safeParse(id).success).toBe(true)
        expect(id.length).toBeLessThanOrEqual(maxIdLength)
      }
      expect(second).not.toBe(first)
    }),
    { numRuns: 200 },
  )
})
