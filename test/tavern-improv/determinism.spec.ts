import { describe, expect, it } from 'vitest'
import { answerTo } from '../../packages/dsh-tavern-improv/src/answer.ts'
import { all, mara } from './cards.ts'
import { spokenBy } from './playing.ts'
import { briefingText, cue, own, person, request } from './requests.ts'

const told = briefingText({ card: mara, happened: ['Ivo: Where is the ferry?'] })

const plainAnswer = (text: string) => answerTo(request(mara, [person(text)]), 0).text

const older = (text: string) => cue(briefingText({ card: mara, happened: [text] }), 'old')

describe('the same seed and content', () => {
  it.each(all)('give the same evening, byte for byte: $name', (card) => {
    const evening = { beats: 12, seed: 'again' }
    expect(spokenBy(card, evening)).toEqual(spokenBy(card, evening))
  })

  it('give the same answer whatever the messages’ ids are', () => {
    const first = request(mara, [cue(told, 's')])
    const second = request(mara, [cue(told, 's')])
    expect(first.messages[0]?.id).not.toBe(second.messages[0]?.id)
    expect(answerTo(first, 0.35)).toEqual(answerTo(second, 0.35))
  })

  it('another seed gives another answer', () => {
    const texts = new Set(
      Array.from(
        { length: 20 },
        (_, seed) => answerTo(request(mara, [cue(told, `${seed}`)]), 0).text,
      ),
    )
    expect(texts.size).toBeGreaterThan(12)
  })

  it('without a seed the text is the seed', () => {
    expect(plainAnswer('Where is the ferry?')).toBe(plainAnswer('Where is the ferry?'))
    expect(plainAnswer('Where is the ferry?')).not.toBe(plainAnswer('Where is the ferry now?'))
  })
})

describe('what it does not depend on', () => {
  it('notes left in the place of killed attempts are as if they had never been', () => {
    const clean = request(mara, [cue(told, 's1'), own('Not here.'), cue(told, 's2')])
    const note = cue('(You were cut off before you spoke.)', 'old', { shadowOf: 'cue-2' })
    const shadowed = request(mara, [cue(told, 's1'), own('Not here.'), note, cue(told, 's2')])
    expect(answerTo(shadowed, 0.35)).toEqual(answerTo(clean, 0.35))
  })

  it('older briefings do not change the answer to the newest', () => {
    const answers = ['Ivo: One.', 'Ivo: Two wolves.'].map((text) =>
      answerTo(request(mara, [older(text), own('Hm.'), cue(told, 's')]), 0),
    )
    expect(answers[0]).toEqual(answers[1])
  })
})
