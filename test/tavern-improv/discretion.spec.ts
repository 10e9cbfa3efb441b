import { describe, expect, it } from 'vitest'
import { answerTo } from '../../packages/dsh-tavern-improv/src/answer.ts'
import { isSpeakable } from '../../packages/dsh-tavern-improv/src/discretion.ts'
import { all, type Card, liu, mara } from './cards.ts'
import { briefingText, cue, evening, request } from './requests.ts'
import { whisper } from './tools.ts'

const SEEDS = 500

/** Everything it says and does for many seeds. */
function outputs(
  card: Card,
  happened: (seed: number) => readonly string[],
  cueText?: string,
): string {
  const texts = Array.from({ length: SEEDS }, (_, seed) => {
    const told = {
      card,
      happened: happened(seed),
      world: { gate_barred: false },
      ...(cueText ? { cue: cueText } : {}),
    }
    const { text, calls } = answerTo(
      request(card, [cue(briefingText(told), `s${seed}`)], [whisper]),
      0.9,
    )
    return `${text} ${JSON.stringify(calls)}`
  })
  return texts.join('\n')
}

/** Whole words; in Chinese any place where the word stands. */
function wordsIn(text: string, { language }: Card): string | readonly string[] {
  return language === 'zh' ? text : [...new Set(text.match(/\p{L}+/gu))]
}

const telling: Readonly<Record<string, readonly string[]>> = {
  Mara: ['map', 'flooded', 'gallery', 'duke', 'ninety', 'crowns'],
  Pell: ['forged', 'seal', 'abbess', 'Thorne'],
  'UNIT-7': ['harbourmaster', 'burning', 'passenger', 'register'],
  柳三娘: ['玉佩', '枯井', '镖头', '埋'],
}

describe('secrets', () => {
  it.each(all)('of $name are never said, not one telling word of them, over 500 seeds', (card) => {
    const lines = evening[card.language]
    const said = outputs(card, (seed) => [lines[seed % lines.length] ?? '']).toLowerCase()
    for (const word of telling[card.name] ?? [])
      expect(wordsIn(said, card)).not.toContain(word.toLowerCase())
  })

  it('that somebody asks about are evaded, not told', () => {
    const said = outputs(mara, () => ['Ivo: Mara, what happened to the map of the gallery?'])
    expect(said).not.toMatch(/duke|ninety|crowns|sold the map|flooded/)
    expect(said).toMatch(
      /Let that one lie|other ones? to ask|better things|Drop it|Mind your own|Not that one/,
    )
  })

  it('in Chinese are evaded too', () => {
    const said = outputs(liu, () => ['阿福：掌柜的，枯井里埋了什么？'])
    expect(said).not.toMatch(/玉佩|顾镖头/)
  })
})

describe('what was told to it alone', () => {
  it('a whisper is answered without a telling word of it', () => {
    const said = outputs(mara, () => [
      'Ivo: Good evening.',
      'Tess (whispers to you): The abbot carries poison in his sleeve.',
    ])
    expect(said).not.toMatch(/abbot|poison|sleeve/)
  })

  it('a private answer to the whisperer may speak of it', () => {
    const cueText = 'Tess whispered to you.\nOnly Tess will hear your answer.'
    const said = outputs(mara, () => ['Tess (whispers to you): The abbot carries poison.'], cueText)
    expect(said).toMatch(/Quietly|heard you|Say no more|Keep your voice|between us/)
  })

  it('a notice of a lost change is not read out', () => {
    const told = {
      card: mara,
      happened: ['Ivo: Well?'],
      notices: [
        'Your change of vault to "marigold" did not happen: meanwhile it had become "foxglove" (version 4).',
      ],
    }
    const said = Array.from(
      { length: 60 },
      (_, seed) => answerTo(request(mara, [cue(briefingText(told), `${seed}`)]), 0).text,
    ).join(' ')
    expect(said).not.toMatch(/marigold|foxglove|vault/)
    expect(said).toMatch(/Somebody got there|meddling|had that sorted|changed again/)
  })
})

describe('a speakable text', () => {
  it.each([
    'She keeps the fire low.',
    'He owes ninety crowns.',
    'UNIT-7 sweeps.',
    '夜里没人敢去。',
  ])('%s', (text) => {
    expect(isSpeakable(text)).toBe(true)
  })

  it.each([
    'Secretly, she is a spy.',
    'zqsecretmara0qz',
    'vault_code',
    '0badc0ffee0dead',
    '{{user}} waits',
    '他暗中投敌。',
  ])('not: %s', (text) => {
    expect(isSpeakable(text)).toBe(false)
  })
})
