import { describe, expect, it } from 'vitest'
import { ownStatements } from '../../packages/dsh-tavern-improv/src/first-person.ts'
import { speechActOf } from '../../packages/dsh-tavern-improv/src/hearing.ts'
import { mannersOf } from '../../packages/dsh-tavern-improv/src/manners.ts'
import { readPersona } from '../../packages/dsh-tavern-improv/src/persona-reading.ts'
import { readSections } from '../../packages/dsh-tavern-improv/src/sections.ts'
import { topicsOf } from '../../packages/dsh-tavern-improv/src/topics.ts'
import { readVoice } from '../../packages/dsh-tavern-improv/src/voice.ts'
import { spokenFact } from '../../packages/dsh-tavern-improv/src/world-talk.ts'
import { all, type Card, liu, mara, pell, systemOf, unit } from './cards.ts'

const personaOf = (card: Card) => readPersona(readSections(systemOf(card)))
const voiceOf = (card: Card) => readVoice(personaOf(card), card.language, '')

const firstTopic = (text: string, isToMe = true) =>
  topicsOf({ text, language: 'en', known: ['Ivo'], isToMe })[0]

const chineseTopic = (text: string) => topicsOf({ text, language: 'zh', known: [] })[0]?.ref

describe('a card', () => {
  it('gives each its manner', () => {
    expect(all.map((card) => mannersOf(personaOf(card))[0])).toEqual([
      'rough',
      'playful',
      'mechanical',
      'rough',
    ])
  })

  it('gives sentences, gestures and habits', () => {
    const voice = voiceOf(mara)
    expect(voice.gestures).toEqual([
      'wipes a glass without looking up',
      'snorts',
      'sets down a cup harder than needed',
    ])
    expect(voice.habits.vocatives).toEqual(['love'])
    expect(voice.habits.openers).toEqual(['Aye'])
    expect(voice.sentences.map(({ text }) => text)).toContain(
      "I've thrown out bigger men than you for less, and I was tired.",
    )
    expect(voice.sentences.map(({ text }) => text)).not.toContain(
      "Today it's what was left of the mutton.",
    )
  })

  it('is not spoken by others’ lines in its examples', () => {
    for (const card of all) {
      const text = voiceOf(card)
        .sentences.map((sentence) => sentence.text)
        .join(' ')
      expect(text).not.toMatch(/Got a room|Play something|You seem tense|有房吗/)
    }
  })

  it('keeps quotation marks, stressed words and Chinese habits apart', () => {
    expect(voiceOf(pell).habits.quotes).toEqual(['"', '"'])
    expect(voiceOf(pell).gestures).not.toContain('missed')
    expect(voiceOf(liu).habits).toMatchObject({ self: '老娘', vocatives: ['客官'] })
    expect(voiceOf(unit).habits.quotes).toBeUndefined()
  })

  it('calls others as it calls them', () => {
    const card = { ...mara, examples: `${mara.examples}\nMara: Mister Crane counts the spoons.` }
    expect(voiceOf(card).callName('Aurelio Crane')).toBe('Mister Crane')
    expect(voiceOf(mara).callName('Aurelio Crane')).toBe('Aurelio')
    expect(voiceOf(mara).callName('Sergeant Brandt')).toBe('Sergeant Brandt')
    expect(voiceOf(liu).callName('阿福')).toBe('阿福')
  })
})

describe('what a card says of its character', () => {
  it('becomes what it says of itself', () => {
    expect(ownStatements(personaOf(mara), 'en')).toEqual([
      'I never trust a man who counts his change twice.',
      'I hate being thanked.',
    ])
    expect(ownStatements(personaOf(pell), 'en')).toEqual([
      'I love an audience and always exaggerate.',
      'I fear being forgotten more than being hanged.',
    ])
    expect(ownStatements(personaOf(liu), 'zh')).toEqual([
      '我从不赊账。',
      '我最讨厌说话拐弯抹角的人。',
      '我一直惦记着十年前走镖没回来的丈夫。',
    ])
  })
})

describe('what was said', () => {
  it.each([
    ['Good evening, all.', 'greet'],
    ['Have you seen the key?', 'yesno'],
    ['Where is it? Tell me!', 'where'],
    ['How many are left?', 'howmany'],
    ['Pour me an ale, would you?', 'request'],
    ['Bar the gate!', 'request'],
    ['My brother died there.', 'loss'],
    ['You liar!', 'hostile'],
    ['Thank you, Mara.', 'thanks'],
    ['We should go tonight.', 'plan'],
    ['The bridge is out.', 'statement'],
    ['*nods*', 'event'],
  ] as const)('%s is taken as %s', (text, act) => {
    expect(speechActOf({ kind: 'line', by: 'Ivo', text }, 'en')).toBe(act)
  })

  it.each([
    ['你好，掌柜的。', 'greet'],
    ['有人住在这里吗？', 'yesno'],
    ['谁送来的？', 'who'],
    ['给我倒一碗酒。', 'request'],
    ['多谢。', 'thanks'],
    ['他死在了路上。', 'loss'],
  ] as const)('%s is taken as %s', (text, act) => {
    expect(speechActOf({ kind: 'line', by: '阿福', text }, 'zh')).toBe(act)
  })
})

describe('a topic', () => {
  it.each([
    ['Have you seen the silver key?', 'the silver key'],
    ['I lost my brother in winter.', 'your brother'],
    ['Your lute is out of tune.', 'my lute'],
    ['They came from Harrow.', 'Harrow'],
    ['The storm passes.', 'the storm'],
    ['That makes sense.', undefined],
    ['Well, yes.', undefined],
    ['Ivo, come here.', undefined],
  ])('of %j is %s', (text, ref) => {
    expect(firstTopic(text)?.ref).toBe(ref)
  })

  it('that belongs to somebody else is not taken for one’s own', () => {
    expect(firstTopic('Your lute is out of tune.', false)?.ref).toBe('the lute')
  })

  it('in Chinese is a noun', () => {
    expect([
      chineseTopic('你见过一把银钥匙没有？'),
      chineseTopic('说说山路上的狼吧。'),
      chineseTopic('我也这么想。'),
    ]).toEqual(['银钥匙', '山路', undefined])
  })
})

describe('a fact of the world', () => {
  it.each([
    ['door.barred', false, "the door isn't barred"],
    ['logs', 3, 'there are three logs'],
    ['logs', 1, 'there is one log'],
    ['river.feet', 11, 'the river stands at eleven feet'],
    ['passengers.missing', 2, 'there are two passengers missing'],
    ['passengers.missing', 1, 'there is one passenger missing'],
    ['passengers.missing', 0, 'there are no passengers missing'],
    ['bowl.holder', 'Tess', 'Tess has the bowl'],
    ['storm', 'rising', 'the storm is rising'],
    ['doorLocked', true, 'the door is locked'],
    ['guests', ['Ivo', 'Tess'], 'the guests are Ivo and Tess'],
    ['vault', { code: 4 }, undefined],
    ['vault', 'x7f4q9', undefined],
  ])('%s %j is said as %s', (key, value, text) => {
    expect(spokenFact({ key, value }, 'en')).toBe(text)
  })

  it.each([
    ['蜡烛支数', 3, '蜡烛还有三支'],
    ['水位米数', 21.4, '水位21.4米'],
    ['停电', true, '停电了'],
    ['临湖的窗', '开着', '临湖的窗开着'],
    ['door_barred', false, '门没闩'],
    ['zzz', '开着', undefined],
  ])('%s %j is said as %s in Chinese', (key, value, text) => {
    expect(spokenFact({ key, value }, 'zh')).toBe(text)
  })
})
