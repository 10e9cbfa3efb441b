/** What is said in any script is found: alone and inside a sentence, by as little as one character. */
import { describe, expect, it } from 'vitest'
import { openBed, type Bed } from './bed.ts'

interface Case {
  readonly script: string
  readonly text: string
  readonly found: readonly string[]
  readonly missed?: readonly string[]
}

const inn = '她推开门走进沉钟酒馆，把地图放在吧台上。'

const cases: readonly Case[] = [
  { script: 'zh-Hans word at the end', text: '她推开门走进沉钟酒馆', found: ['酒馆', '沉钟酒馆'] },
  { script: 'zh-Hans word alone', text: '酒馆', found: ['酒馆', '酒'] },
  {
    script: 'zh-Hans inside',
    text: inn,
    found: ['地图', '吧台', '走进', '推开门'],
    missed: ['图地'],
  },
  { script: 'zh-Hans one character', text: inn, found: ['酒', '她', '上'], missed: ['城'] },
  { script: 'zh-Hans whole', text: inn, found: [inn, '走进沉钟酒馆，把地图'] },
  { script: 'zh-Hans over a comma', text: inn, found: ['酒馆把地图', '酒馆 地图'] },
  { script: 'zh-Hans over a line end', text: '沉钟酒\n馆', found: ['酒馆'] },
  {
    script: 'zh-Hans with numbers',
    text: '第12章 三月',
    found: ['12章', '第12章', '12'],
    missed: ['1'],
  },
  { script: 'zh-Hans quotes', text: '“酒馆”在《地图》上', found: ['"酒馆"', '《地图》', '酒馆在'] },
  { script: 'zh-Hant word', text: '她推開門走進沉鐘酒館', found: ['酒館', '推開', '鐘'] },
  {
    script: 'zh-Hant corner quotes',
    text: '他說：「酒館、地圖」',
    found: ['「酒館」', '酒館 地圖', '說酒館'],
  },
  { script: 'zh-Hant bopomofo', text: 'ㄐㄧㄡˇㄍㄨㄢˇ 酒館', found: ['ㄐㄧㄡ', 'ㄍㄨㄢ'] },
  {
    script: 'zh rare, surrogate pairs',
    text: '𠮷野家的𡃁仔',
    found: ['𠮷', '𠮷野', '𡃁仔', '野家'],
  },
  { script: 'zh iteration and zero', text: '二〇二六年 人々', found: ['二〇二六', '人々', '々'] },
  { script: 'ja kanji', text: '彼女は酒場の扉を開けた', found: ['酒場', '扉', '開け'] },
  { script: 'ja hiragana', text: 'むかしむかし、さかばで', found: ['さかば', 'むかし', 'かば'] },
  {
    script: 'ja katakana',
    text: '冒険者のギルドマスター',
    found: ['ギルド', 'マスター', 'ター', '者の'],
  },
  { script: 'ja half width katakana', text: 'ｷﾞﾙﾄﾞへ行く', found: ['ギルド', 'ｷﾞﾙﾄﾞ', 'ルド'] },
  { script: 'ja half width asked', text: 'ギルド', found: ['ｷﾞﾙﾄﾞ'], missed: ['ｷﾙﾄ'] },
  { script: 'ja decomposed voicing', text: 'か\u3099いこく', found: ['がいこく'] },
  { script: 'ja mixed with latin', text: 'DSHセッション', found: ['dsh', 'セッション', 'DSHセ'] },
  {
    script: 'ko word with particle',
    text: '그녀는 술집에서 지도를 펼쳤다',
    found: ['술집', '지도', '술집에서'],
  },
  {
    script: 'ko inside',
    text: '그녀는 술집에서 지도를',
    found: ['집에', '녀', '술집에서 지도'],
    missed: ['집술'],
  },
  {
    script: 'ko decomposed',
    text: '술집'.normalize('NFD'),
    found: ['술집', '술집'.normalize('NFD')],
  },
  {
    script: 'mixed',
    text: '打开DSH会话v2版',
    found: ['DSH会话', 'dsh 会话', 'v2版', '开DSH'],
    missed: ['SH会'],
  },
  {
    script: 'full width latin',
    text: 'ＤＳＨ　会话１２',
    found: ['dsh会话', 'DSH', '会话12', '１２'],
  },
  { script: 'half width asked of full', text: 'DSH', found: ['ＤＳＨ'] },
  { script: 'circled and compatible', text: '㈱酒場 ①', found: ['株', '1'] },
  { script: 'emoji', text: '干杯🍺了', found: ['🍺', '干杯🍺', '杯🍺了'], missed: ['🍷'] },
  { script: 'emoji with skin', text: '好👍🏽', found: ['👍🏽', '👍', '好👍'] },
  { script: 'emoji family and flag', text: '👨‍👩‍👧 🇯🇵', found: ['👨‍👩‍👧', '👩', '🇯🇵'], missed: ['🇵🇯'] },
  { script: 'invisible marks', text: '酒\u200b馆 data\u00adbase', found: ['酒馆', 'database'] },
  { script: 'variation selectors', text: '葛\u{e0100}城 ☎️', found: ['葛城', '☎'] },
  {
    script: 'en word',
    text: 'She enters the Sunken Bell.',
    found: ['bell', 'SUNKEN BELL', 'the sunken'],
  },
  {
    script: 'en has no stemming',
    text: 'She enters.',
    found: ['enters'],
    missed: ['enter', 'entering'],
  },
  { script: 'en has no parts of words', text: 'BRAID', found: ['braid'], missed: ['AI', 'bra'] },
  { script: 'en accents', text: 'the café of Zoë', found: ['cafe', 'café', 'ZOE'] },
  {
    script: 'en punctuation',
    text: "don't e-mail foo_bar(baz)",
    found: ["don't", 'e-mail', 'foo_bar', 'bar(baz)'],
  },
  { script: 'ru and el', text: 'край ΟΔΟΣ', found: ['Край', 'οδος', 'οδοσ'], missed: ['краи'] },
  { script: 'th', text: 'เธอเข้าไปในโรงเตี๊ยม', found: ['โรงเตี๊ยม', 'เข้า'] },
  { script: 'hi', text: 'वह सराय में गई', found: ['सराय', 'में गई'] },
]

async function finds(bed: Bed, sessionId: string, query: string): Promise<boolean> {
  const page = await bed.query.searchSessions({ query, limit: 100 })
  return page.items.some(({ header }) => header.id === sessionId)
}

describe.each(['live', 'stored'] as const)('%s', (kind) => {
  it('every case is found and nothing else', async () => {
    const bed = await openBed()
    for (const { script, text } of cases) {
      if (kind === 'live') await bed.session(script, [text])
      else await bed.stored(script, [text])
    }

    const wrong: string[] = []
    for (const { script, found, missed = [] } of cases) {
      for (const query of found)
        if (!(await finds(bed, script, query))) wrong.push(`${script}: ${query}`)
      for (const query of missed)
        if (await finds(bed, script, query)) wrong.push(`${script}: not ${query}`)
    }

    expect(wrong).toEqual([])
  })
})

it('the host misses 酒馆 in a sentence, and finds what else it says that it finds', async () => {
  const bed = await openBed({ engine: 'host' })
  await bed.session('inn', [inn])
  await bed.session('bell', ['The café of the Sunken Bell'])

  expect(await finds(bed, 'inn', '酒馆')).toBe(false)
  expect(await finds(bed, 'bell', 'sunken BELL')).toBe(true)
  expect(await finds(bed, 'bell', 'cafe')).toBe(true)
})
