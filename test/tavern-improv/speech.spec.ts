import { describe, expect, it } from 'vitest'
import { answerTo } from '../../packages/dsh-tavern-improv/src/answer.ts'
import { all, type Card, liu, mara, pell, unit } from './cards.ts'
import { spokenBy } from './playing.ts'
import { briefingText, cue, own, person, request } from './requests.ts'

const BEATS = 200
const seeds = Array.from({ length: 80 }, (_, index) => `s${index}`)

const evenings = new Map(
  all.map((card) => [
    card,
    spokenBy(card, { beats: BEATS, seed: 'night', world: { gate_barred: false } }),
  ]),
)

function spoken(card: Card): readonly string[] {
  return evenings.get(card) ?? []
}

function tokens(text: string): readonly string[] {
  return Array.from(new Intl.Segmenter('zh', { granularity: 'word' }).segment(text))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.toLowerCase())
}

/** Dice over word counts. */
function alike(left: string, right: string): number {
  const rest = [...tokens(right)]
  const shared = tokens(left).filter((word) => {
    const at = rest.indexOf(word)
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  })
  return (2 * shared.length) / (tokens(left).length + tokens(right).length)
}

function answer(card: Card, happened: readonly string[], seed = 's'): string {
  return answerTo(request(card, [cue(briefingText({ card, happened }), seed)]), 0).text
}

function answers(card: Card, happened: readonly string[], count = 60): readonly string[] {
  return Array.from({ length: count }, (_, index) => answer(card, happened, `s${index}`))
}

const runsBy = (card: Card) => new Set(spoken(card).flatMap((beat) => runsOf(beat)))

const plainly = (text: string) =>
  answerTo({ provider: 'improv', model: 'improv-1', messages: [person(text)] }, 0)

const bridgesFor = (ann: string) => {
  const others = [`Tess <character:tess>.\nAlso here: ${ann}`]
  const happened = ['Ann: The bridge is out.', 'Tess: I like turnips.']
  const told = briefingText({ card: mara, others, happened })
  const said = seeds.map((seed) => answerTo(request(mara, [cue(told, seed)]), 0).text)
  return said.filter((text) => text.includes('bridge')).length
}

describe('an evening of 200 beats', () => {
  it.each(all)('$name never says the same beat twice', (card) => {
    expect(new Set(spoken(card)).size).toBe(BEATS)
  })

  it.each(all)('$name never says two beats in a row that are nearly the same', (card) => {
    const beats = spoken(card)
    const alikeness = beats.slice(1).map((beat, index) => alike(beat, beats[index] ?? ''))
    expect(Math.max(...alikeness)).toBeLessThan(0.6)
  })

  it.each(all)(
    '$name says one to five sentences, and varies how many and how it begins',
    (card) => {
      const counts = spoken(card).map(
        (beat) => beat.match(/[.!?。！？…～]+(?=\s|["”*（]|\p{Script=Han}|$)/gu)?.length ?? 0,
      )
      expect(Math.max(...counts)).toBeLessThanOrEqual(8)
      expect(new Set(counts).size).toBeGreaterThanOrEqual(3)
      expect(new Set(spoken(card).map((beat) => beat.slice(0, 4))).size).toBeGreaterThan(BEATS / 5)
    },
  )

  it.each(all)('$name leaves no slot, no empty quotes and no doubled marks behind', (card) => {
    for (const beat of spoken(card)) {
      expect(beat).not.toMatch(/[{}|]|undefined|""|“”|\*\*|[,，][.。]|[。，]{2}|\s{2}/)
      expect(beat.trim()).toBe(beat)
    }
  })

  it('words of the card are heard in most beats', () => {
    const said = spoken(mara).filter((beat) =>
      /stew|mutton|rent|regulars|hands|bigger men|love|Aye|glass|snorts|heads/.test(beat),
    )
    expect(said.length).toBeGreaterThan(BEATS / 2)
  })
})

describe('voices', () => {
  it('differ: what one says in an evening shares few four-word runs with what another says', () => {
    const english = [mara, pell, unit].map(runsBy)
    for (const [index, left] of english.entries()) {
      for (const right of english.slice(index + 1)) {
        const shared = [...left].filter((run) => right.has(run)).length
        expect(shared / Math.min(left.size, right.size)).toBeLessThan(0.12)
      }
    }
  })

  it('a beat can be told from another speaker’s by its words alone', () => {
    const profiles = [mara, pell, unit].map((card) => ({
      card,
      counts: countsOf(spoken(card).slice(0, 150)),
    }))
    const guesses = [mara, pell, unit].flatMap((card) =>
      spoken(card)
        .slice(150)
        .map(
          (beat) =>
            profiles.toSorted((left, right) => fit(beat, right.counts) - fit(beat, left.counts))[0]
              ?.card === card,
        ),
    )
    expect(guesses.filter(Boolean).length / guesses.length).toBeGreaterThan(0.85)
  })

  it('a robot that never contracts does not, and a bard who speaks in quotes does', () => {
    expect(spoken(unit).join(' ')).not.toMatch(/\b(?:I'm|don't|isn't|it's|can't)\b/i)
    expect(spoken(pell).every((beat) => /^(?:\*[^*]+\* ?)?"[^"]+"/.test(beat))).toBe(true)
  })

  it('a Chinese card speaks Chinese, with her own word for herself and Chinese marks', () => {
    const text = spoken(liu).join('')
    expect(text).not.toMatch(/[A-Za-z]|[,.?!]/)
    expect(text).toContain('老娘')
    expect(text).not.toMatch(/我(?!们)/)
  })
})

function runsOf(beat: string): readonly string[] {
  const words = tokens(beat)
  return words.slice(3).map((_, index) => words.slice(index, index + 4).join(' '))
}

function countsOf(beats: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of beats.flatMap(tokens)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function fit(beat: string, counts: ReadonlyMap<string, number>): number {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return tokens(beat).reduce(
    (sum, word) => sum + Math.log(((counts.get(word) ?? 0) + 0.1) / total),
    0,
  )
}

describe('a reaction', () => {
  it('takes up what was said or who said it, most of the time', () => {
    const said = answers(mara, ['Ivo: I saw the captain at the ferry.'])
    expect(said.filter((text) => /captain|ferry|Ivo/.test(text)).length).toBeGreaterThan(30)
  })

  it('greets a greeting and answers thanks as thanks', () => {
    expect(answers(pell, ['Ivo: Good evening!']).join(' ')).toMatch(
      /company|interesting|evening|Hello|came/,
    )
    expect(answers(unit, ['Ivo: Thank you.']).join(' ')).toMatch(/Gratitude registered/)
  })

  it('answers a question about the world with what the world is', () => {
    const told = { card: unit, happened: ['You: How many logs are left?'], world: { logs: 3 } }
    const said = Array.from(
      { length: 40 },
      (_, seed) => answerTo(request(unit, [cue(briefingText(told), `s${seed}`)]), 0).text,
    )
    expect(said.filter((text) => text.includes('there are three logs')).length).toBeGreaterThan(20)
  })

  it('is sooner to what a person said than to what a character said after it', () => {
    expect(bridgesFor('Ann <seat:ann>')).toBeGreaterThan(bridgesFor('Ann <character:ann>') + 5)
  })

  it('says what a direction asks it to say', () => {
    const told = {
      card: mara,
      happened: ['Ivo: Well?'],
      cue: 'The moment is yours.\nAsked of you: say that the ferry is gone',
    }
    expect(answerTo(request(mara, [cue(briefingText(told), 's')]), 0).text).toContain(
      'The ferry is gone',
    )
  })

  it('never takes up a token that only a machine would write', () => {
    const said = answers(mara, ['Ivo: The word is zq7token9qz, remember zq7token9qz.'])
    expect(said.join(' ')).not.toContain('zq7token9qz')
  })
})

describe('a request without a briefing', () => {
  it('is answered from the card and the person’s words', () => {
    const text = answerTo(request(mara, [person('Have you seen the silver key?')]), 0).text
    expect(text.length).toBeGreaterThan(3)
  })

  it('is answered without any system prompt, in the language it is written in', () => {
    expect(plainly('Hello there').text).toMatch(/[a-z]/)
    expect(plainly('你好，掌柜的').text).toMatch(/\p{Script=Han}/u)
  })

  it('takes the voice from a greeting where the card has no examples', () => {
    const card = { ...mara, examples: '' }
    const messages = [
      own('*taps the ledger* The tide waits for no purse. Pay first, friend.'),
      person('Hello.'),
    ]
    const said = Array.from(
      { length: 30 },
      (_, index) =>
        answerTo(
          request(card, [
            messages[0] ?? own(''),
            person(`Tell me about the boats, number ${index}.`),
          ]),
          0,
        ).text,
    )
    expect(said.join(' ')).toMatch(/taps the ledger|tide waits|Pay first/)
  })

  it('takes nothing from host context that follows the line', () => {
    const context = cue('Current runtime context. The sandbox is closed.', 's')
    const noSeed = {
      ...context,
      source: { kind: 'plugin' as const, plugin: '@deepseek-ai/dsh-system-prompt' },
    }
    const withContext = answerTo(request(mara, [person('Where is the ferry?'), noSeed]), 0).text
    const without = answerTo(request(mara, [person('Where is the ferry?')]), 0).text
    expect(withContext).toBe(without)
  })
})
