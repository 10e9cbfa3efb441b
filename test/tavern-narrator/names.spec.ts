import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findMentions } from '../../packages/dsh-tavern-narrator/src/names.ts'

/** Members whose id is their first name, so a test reads as names in and names out. */
const mentions = (text: string, ...members: readonly (string | readonly string[])[]) =>
  findMentions(
    text,
    members.map((member) => {
      const names = typeof member === 'string' ? [member] : member
      return { id: names[0] ?? '', names }
    }),
  )

describe('a name is found', () => {
  test.each([
    ['Alice, pass the salt.', 'Alice'],
    ['(Alice)', 'Alice'],
    ['*Alice* _Alice_ **Alice**', 'Alice'],
    ['"Alice!"', 'Alice'],
    ['‘Alice’', 'Alice'],
    ["Alice's cup", 'Alice'],
    ['Alice’s cup', 'Alice'],
    ["James' cup", 'James'],
    ["Ayşe'nin fincanı", 'Ayşe'],
    ["l'Élodie d'hier", 'Élodie'],
    ['@alice hello', 'Alice'],
    ['alice-san', 'Alice'],
    ['well…Alice—no', 'Alice'],
    ['ALICE!', 'alice'],
    ['Ольга, налей', 'Ольга'],
    ['ОЛЬГА', 'Ольга'],
    ['Мар’яна прийшла', "Мар'яна"],
    ['关云长温酒斩华雄', '关云长'],
    ['小明Bob来了', 'Bob'],
    ['アリスさん', 'アリス'],
    ['アリスー！', 'アリス'],
    ['ｱﾘｽさん', 'アリス'],
    ['ガブさん', 'ガブ'],
    ['さくらちゃん', 'さくら'],
    ['철수야', '철수'],
    ['김철수가 왔다', '철수'],
    ['สมชายมาแล้ว', 'สมชาย'],
    ['मीरा को बुलाओ', 'मीरा'],
    ['يا علي، تعال', 'علي'],
    ['ＡＬＩＣＥ', 'Alice'],
    ['Ask R2-D2.', 'R2-D2'],
    ['🦊, come', '🦊'],
    ['荧，你来', '荧'],
  ])('in %s: %s', (text, name) => {
    expect(mentions(text, name)).toEqual([name])
  })

  test.each([
    ['Weiß', 'WEISS'],
    ['Ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ'],
    ['Νίκος', 'Νίκος’s'],
    ['IŞIL', 'ışıl'],
    ['İpek', 'ipek'],
    ['Ipek', 'İPEK'],
  ])('whatever the case: %s as %s', (name, text) => {
    expect(mentions(text, name)).toEqual([name])
  })

  test('composed or not', () => {
    const composed = 'Élodie'.normalize('NFC')
    const decomposed = 'Élodie'.normalize('NFD')

    expect(mentions(`Bonjour ${decomposed} !`, composed)).toEqual([composed])
    expect(mentions(`Bonjour ${composed} !`, decomposed)).toEqual([decomposed])
  })

  test('over a line break, and over any run of spaces', () => {
    expect(mentions('ask Old\n  Tom', 'Old Tom')).toEqual(['Old Tom'])
    expect(mentions('ask Old\u00A0Tom', 'Old Tom')).toEqual(['Old Tom'])
  })

  test('under any of its names', () => {
    expect(mentions('Where is the Kid?', ['Mara', 'the Kid'])).toEqual(['Mara'])
  })
})

describe('a name is not found', () => {
  test.each([
    ['Anna', 'Ann'],
    ['Mara', 'Mar'],
    ['Hosanna', 'Anna'],
    ['Annа', 'Ann'],
    ['Alice2', 'Alice'],
    ['Ольгами', 'Ольга'],
    ['アンナ', 'アン'],
    ["I don't know", 'Don'],
    ['I don’t know', 'Don'],
    ["O'Neil", 'Neil'],
    ["Мар'яна", 'Мар'],
    ['กี่', 'กี'],
    ['What???', '???'],
    ['', 'Alice'],
    ['Alice', ''],
    ['Alice', '   '],
  ])('in %s: %s', (text, name) => {
    expect(mentions(text, name)).toEqual([])
  })
})

describe('accents', () => {
  test('a name typed without its accents is found', () => {
    expect(mentions('bonjour elodie', 'Élodie')).toEqual(['Élodie'])
    expect(mentions('lukasz!', 'Łukasz')).toEqual(['Łukasz'])
    expect(mentions('Петр, иди сюда', 'Пётр')).toEqual(['Пётр'])
    expect(mentions('ΟΛΓΑ', 'Όλγα')).toEqual(['Όλγα'])
  })

  test('a member with exactly that spelling comes first', () => {
    expect(mentions('Hoa ơi', 'Hòa', 'Hoa')).toEqual(['Hoa'])
    expect(mentions('Hòa ơi', 'Hòa', 'Hoa')).toEqual(['Hòa'])
    expect(mentions('hoa ơi', 'Hòa', 'Hóa')).toEqual(['Hòa', 'Hóa'])
  })

  test('an accent that is written is meant', () => {
    expect(mentions('Hóa ơi', 'Hòa', 'Hoa')).toEqual([])
  })

  test('a mark that makes another letter is never left out', () => {
    expect(mentions('カブ', 'ガブ')).toEqual([])
    expect(mentions('Андреи', 'Андрей')).toEqual([])
  })
})

describe('parts of a name', () => {
  test('a first or a last name alone is found', () => {
    expect(mentions('Come here, Mara.', 'Mara Voss')).toEqual(['Mara Voss'])
    expect(mentions('Come here, Voss.', 'Mara Voss')).toEqual(['Mara Voss'])
    expect(mentions('Anna Smith and Anna Maria', 'Anna Maria Smith')).toEqual(['Anna Maria Smith'])
    expect(mentions('リデルさん', 'アリス・リデル')).toEqual(['アリス・リデル'])
  })

  test('a part of several names means all of them, in list order', () => {
    expect(mentions('Smith!', 'Bob Smith', 'Anna Smith')).toEqual(['Bob Smith', 'Anna Smith'])
  })

  test('a shared part means one of them where more of its name is written', () => {
    const smiths = ['Bob Smith', 'Anna Smith', 'Anna Maria Smith']

    expect(mentions('Bob Smith!', ...smiths)).toEqual(['Bob Smith'])
    expect(mentions('Maria Smith!', ...smiths)).toEqual(['Anna Maria Smith'])
    expect(mentions('Anna Jones', 'Anna Smith', 'Bob Smith')).toEqual(['Anna Smith'])
    expect(mentions('山田太郎', '山田 花子', '山田 太郎')).toEqual(['山田 太郎'])
  })

  test('a whole name comes before a part of another', () => {
    expect(mentions('Tom!', 'Old Tom', 'Tom')).toEqual(['Tom'])
    expect(mentions('Tom!', 'Tom', 'Old Tom')).toEqual(['Tom'])
    expect(mentions('Tom!', 'Old Tom', 'Ivo')).toEqual(['Old Tom'])
  })

  test('words that anybody says name nobody', () => {
    expect(mentions('the old man of the sea, sir', 'Old Tom', 'Sir Ash of the Vale')).toEqual([])
    expect(mentions('my mother', 'Mother Agnes')).toEqual([])
    expect(mentions('J', 'J. Smith')).toEqual([])
    expect(mentions('李子', '李 小龙')).toEqual([])
  })

  test('a title that one member has may call it', () => {
    expect(mentions('Aye, captain!', 'Captain Vane', 'Ivo')).toEqual(['Captain Vane'])
    expect(mentions('Mr Brown?', 'Mr. Brown')).toEqual(['Mr. Brown'])
  })
})

describe('where names overlap', () => {
  test('the longest wins', () => {
    expect(mentions('李小龙来了', '李小', '李小龙')).toEqual(['李小龙'])
    expect(mentions('Old Tom laughs', 'Tom', 'Old Tom')).toEqual(['Old Tom'])
    expect(mentions('Old Tom laughs at Tom', 'Tom', 'Old Tom')).toEqual(['Old Tom', 'Tom'])
  })

  test('the longest wins also over one that began before it', () => {
    expect(mentions('王小明明', '王小', '小明明')).toEqual(['小明明'])
    expect(mentions('王小明明', '王小', '小明明', '王')).toEqual(['王', '小明明'])
  })

  test('a longer name that is only begun does not hide the shorter', () => {
    expect(mentions('Old Tomcat, Old hat', 'Old', 'Old Tom')).toEqual(['Old'])
    expect(mentions('李小', '李小', '李小龙')).toEqual(['李小'])
  })
})

describe('all mentions of a text', () => {
  test('ids come in order of first mention, each once', () => {
    expect(mentions('Tess, tell Ivo that Tess and Mara…', 'Mara', 'Ivo', 'Tess')).toEqual([
      'Tess',
      'Ivo',
      'Mara',
    ])
  })

  test('namesakes are both meant', () => {
    const members = [
      { id: 'tom-1', names: ['Tom'] },
      { id: 'tom-2', names: ['tom'] },
    ]

    expect(findMentions('TOM!', members)).toEqual(['tom-1', 'tom-2'])
  })

  test('a name between other words is always found, and only it', () => {
    const names = ['Mara', 'Élodie', 'Ольга', '关云长', 'アリス', '철수', 'Old Tom', "O'Neil"]
    const others = fc.array(fc.constantFrom('and', 'вот', '来', 'は', '—', '\n', '12', '«', 'é'))

    fc.assert(
      fc.property(fc.constantFrom(...names), others, others, (name, before, after) => {
        const text = [...before, name, ...after].join(' ')

        expect(mentions(text, ...names)).toEqual([name])
      }),
    )
  })

  test('any text and any names are searched without harm', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 })

    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), (line, names) => {
        const members = names.map((name, index) => ({ id: `id-${index}`, names: [name] }))

        const found = findMentions(line, members)

        expect(new Set(found).size).toBe(found.length)
        expect(members.map(({ id }) => id)).toEqual(expect.arrayContaining([...found]))
      }),
    )
  })

  test('names nested in each other and a long text of them end well', () => {
    const members = Array.from({ length: 120 }, (_, index) => ({
      id: `id-${index + 1}`,
      names: ['啊'.repeat(index + 1)],
    }))

    expect(findMentions('啊'.repeat(30_000), members)).toEqual(['id-120'])
    expect(findMentions("o'".repeat(30_000), [{ id: 'o', names: ["O'Neil"] }])).toEqual([])
  })

  test('two hundred members are found in a long text', () => {
    const members = Array.from({ length: 200 }, (_, index) => ({
      id: `id-${index}`,
      names: [`Name${index} Family${index % 20}`],
    }))
    const text = 'The quick brown fox. '.repeat(5000) + 'Name7, Name199 Family19!'

    expect(findMentions(text, members)).toEqual(['id-7', 'id-199'])
  })
})
