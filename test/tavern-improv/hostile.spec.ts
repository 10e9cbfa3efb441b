import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../packages/dsh-tavern-improv/src/answer.ts'
import { fits } from '../../packages/dsh-tavern-improv/src/json-schema.ts'
import { type Card, mara } from './cards.ts'
import { briefingText, cue, own, person, request } from './requests.ts'
import { characterTools } from './tools.ts'

const odd = fc.oneof(
  fc.string({ maxLength: 60, unit: 'grapheme' }),
  fc.constantFrom(
    '[Your cue]',
    '<START>',
    '* *',
    'Ivo:',
    '（',
    '“',
    '*',
    '{{user}}',
    '- key (version 9): {',
    '\n\n',
    '',
    '：',
    '$&',
    '.*+?^(',
    '\u0000',
    '🦊',
  ),
)
const text = fc.array(odd, { maxLength: 8 }).map((parts) => parts.join(' '))

describe('whatever a card and a scene hold', () => {
  it('there is an answer, the same again, with calls that fit', () => {
    fc.assert(
      fc.property(
        fc.record({
          name: odd,
          description: text,
          personality: text,
          examples: text,
          said: text,
          key: odd,
          value: fc.jsonValue(),
        }),
        (all) => {
          const card: Card = { ...mara, ...all, secrets: [all.personality] }
          const told = {
            card,
            happened: [`Ivo: ${all.said}`],
            world: { [all.key]: all.value },
            lore: [all.description],
          }
          const options = request(card, [cue(briefingText(told), all.said)], characterTools)
          const answer = answerTo(options, 1)
          expect(answer.text !== '' || answer.calls.length > 0).toBe(true)
          expect(answerTo(options, 1)).toEqual(answer)
          for (const { name, args } of answer.calls) {
            expect(fits(characterTools.find((tool) => tool.name === name)?.parameters, args)).toBe(
              true,
            )
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it.each([
    'a ',
    '“',
    '*',
    '（',
    '[now: ',
    '- a (version 1): ',
    'Ivo: ',
    '<',
    'a, ',
    '.',
    '的',
    '\n',
  ])('%j repeated without end is read and answered', (piece) => {
    const long = piece.repeat(60_000 / piece.length)
    const card: Card = { ...mara, description: long, examples: `Mara: ${long}`, personality: long }
    const told = { card, happened: [long], world: { gate: long }, lore: [long] }
    const messages = [own(long), person(long), cue(briefingText(told), 's')]
    expect(answerTo(request(card, messages, characterTools), 1)).toBeDefined()
    expect(answerTo({ ...request(card, messages), purpose: 'compaction' }, 1)).toBeDefined()
    expect(answerTo({ ...request(card, messages), purpose: 'session-title' }, 1)).toBeDefined()
  })
})
