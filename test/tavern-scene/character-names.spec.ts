import { readCard } from 'dsh-tavern-cards'
import { profileOf } from 'dsh-tavern-cast'
import { findCharacter, SceneError } from 'dsh-tavern-scene'
import { describe, expect, test } from 'vitest'
import type { NamedCast } from '../../packages/dsh-tavern-scene/src/character-names.ts'

type Names = Readonly<Record<string, string | readonly [name: string, nickname: string]>>

/** A cast by id, with the name on its card, or name and nickname. */
function castOf(names: Names): NamedCast {
  return {
    run: { scene: { cast: Object.keys(names).map((character) => ({ character })) } },
    profileOf(character) {
      const found = names[character]
      const [name, nickname] = typeof found === 'object' ? found : [found ?? '', '']
      const data = { name, ...(nickname === '' ? {} : { nickname }) }
      const file = JSON.stringify({ spec: 'chara_card_v3', spec_version: '3.0', data })
      return profileOf(readCard(Buffer.from(file), 'card.json').card)
    },
  }
}

const inn = castOf({
  mara: 'Mara Hobday',
  brandt: ['Sergeant Anton Brandt', 'Brandt'],
  'old-tom': 'Old Tom',
  tom: 'Tom',
  'luo-aman': '罗阿满',
  olga: 'Ольга',
})

const find = (text: string, cast = inn) => {
  const { character, rest } = findCharacter(cast, text)
  return [character, rest]
}

function refusal(text: string, cast = inn): readonly [code: string, message: string] {
  try {
    findCharacter(cast, text)
  } catch (error) {
    if (error instanceof SceneError) return [error.code, error.message]
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('a character is found', () => {
  test.each([
    ['mara', 'mara', ''],
    ['mara say it', 'mara', 'say it'],
    ['  MARA   say it ', 'mara', 'say it'],
    ['Mara Hobday say it', 'mara', 'say it'],
    ['mara  hobday say it', 'mara', 'say it'],
    ['Mara hob day', 'mara', 'hob day'],
    ['Sergeant Anton Brandt attack', 'brandt', 'attack'],
    ['Brandt attack', 'brandt', 'attack'],
    ['old-tom hello', 'old-tom', 'hello'],
    ['Old Tom hello', 'old-tom', 'hello'],
    ['tom old friend', 'tom', 'old friend'],
    ['罗阿满 你好', 'luo-aman', '你好'],
    ['ОЛЬГА привет', 'olga', 'привет'],
    ['mara\n\nsay it\n  slowly', 'mara', 'say it\n  slowly'],
    ['mara　say it', 'mara', 'say it'],
  ])('by id or name in %j', (text, character, rest) => {
    expect(find(text)).toEqual([character, rest])
  })

  test.each([
    ['hobday say it', 'mara', 'say it'],
    ['ma say it', 'mara', 'say it'],
    ['serg attack', 'brandt', 'attack'],
    ['anton attack', 'brandt', 'attack'],
    ['luo 你好', 'luo-aman', '你好'],
    ['罗 你好', 'luo-aman', '你好'],
    ['ольг привет', 'olga', 'привет'],
  ])('by how its name begins, or a word of it, in %j', (text, character, rest) => {
    expect(find(text)).toEqual([character, rest])
  })

  test('whichever form its accents have', () => {
    const cast = castOf({ elodie: 'Élodie' })

    expect(find('E\u0301lodie salut', cast)).toEqual(['elodie', 'salut'])
    expect(find('Élodie salut', castOf({ elodie: 'E\u0301lodie' }))).toEqual(['elodie', 'salut'])
  })

  test('also where small letters are longer than capitals, with all that follows', () => {
    const cast = castOf({ ii: 'İİ' })

    expect(find('İİ gel', cast)).toEqual(['ii', 'gel'])
    expect(find('İ gel', cast)).toEqual(['ii', 'gel'])
  })
})

describe('of several', () => {
  test('the longest name that is there whole is meant', () => {
    const cast = castOf({ a: 'Mara', b: 'Mara Hobday', c: 'Mara Hobday Senior' })

    expect(find('mara hobday senior hi', cast)).toEqual(['c', 'hi'])
    expect(find('mara hobday hi', cast)).toEqual(['b', 'hi'])
    expect(find('mara hi', cast)).toEqual(['a', 'hi'])
  })

  test('an id comes before a name that is the same', () => {
    const cast = castOf({ pip: 'Phillip', other: 'Pip' })

    expect(find('pip hi', cast)).toEqual(['pip', 'hi'])
    expect(find('other hi', cast)).toEqual(['other', 'hi'])
  })

  test('a whole name comes before the beginning of another', () => {
    const cast = castOf({ ann: 'Ann', anna: 'Anna' })

    expect(find('ann hi', cast)).toEqual(['ann', 'hi'])
  })

  test('with one name all are named', () => {
    const cast = castOf({ one: 'Tom', two: 'Tom', three: 'Bo' })

    expect(refusal('tom hi', cast)).toEqual([
      'ambiguous-character',
      "'tom' may be one or two: say which",
    ])
  })

  test('whose names begin alike all are named', () => {
    const cast = castOf({ mara: 'Mara', marta: 'Marta', bo: 'Bo' })

    expect(refusal('mar hi', cast)).toEqual([
      'ambiguous-character',
      "'mar' may be mara or marta: say which",
    ])
  })
})

describe('nobody is found', () => {
  test.each(['zed hi', 'marathon', 'hob hi', 'mara-x', 'day', '*', '.*', '罗阿满你好'])(
    'in %j',
    (text) => {
      const typed = text.split(' ')[0]

      expect(refusal(text)).toEqual([
        'unknown-character',
        `no character '${typed}' (cast: mara, brandt, old-tom, tom, luo-aman, olga)`,
      ])
    },
  )

  test.each(['', '   '])('in %j', (text) => {
    expect(refusal(text)[0]).toBe('unknown-character')
  })
})

test('a long text takes no longer to look at than its first words', () => {
  const text = `mara ${'word '.repeat(200_000)}`

  expect(find(text)[0]).toBe('mara')
})
