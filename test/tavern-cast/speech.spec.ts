import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownSpeech, SpeechStream } from '../../packages/dsh-tavern-cast/src/speech.ts'

const request = { self: 'Mara', others: ['Mara Hobday', 'Pip', '季守钟', 'You'] }
const own = (text: string) => ownSpeech(text, request)
/** What the stream gave for each piece. */
const given = (pieces: readonly string[]) => {
  const stream = new SpeechStream(request)
  return pieces.map((piece) => stream.add(piece))
}

describe('the own name in front is taken away', () => {
  test.each([
    'Mara: Sit down.',
    'mara: Sit down.',
    'Mara： Sit down.',
    'Mara : Sit down.',
    '**Mara:** Sit down.',
    '**Mara**: Sit down.',
    '*Mara*: Sit down.',
    '\n\n  Mara:\nSit down.  \n',
  ])('%j', (text) => {
    expect(own(text)).toBe('Sit down.')
  })

  test('once only', () => {
    expect(own('Mara: Mara: Sit.')).toBe('Mara: Sit.')
  })

  test('and nothing is left of a name alone', () => {
    expect(own('Mara:')).toBe('')
    expect(own('**Mara:** ')).toBe('')
  })

  test('emphasis that goes on after it stays whole', () => {
    expect(own('Mara: *smiles* Sit.')).toBe('*smiles* Sit.')
    expect(own('Mara:*smiles* Sit.')).toBe('*smiles* Sit.')
    expect(own('*Mara: sits down*')).toBe('*sits down*')
  })

  test('not where it is only a word of the text', () => {
    expect(own('Mara is my name.')).toBe('Mara is my name.')
    expect(own('*Mara* is my name: mine.')).toBe('*Mara* is my name: mine.')
    expect(own('Marabel: no.')).toBe('Marabel: no.')
  })
})

describe('a line that begins with another’s name and a colon ends the text', () => {
  test.each([
    'Sit.\nPip: No.',
    'Sit.\nPIP: No.\nMara: Yes.',
    'Sit.\n\n  **Pip:** No.',
    'Sit.\n**Pip** : No.',
    'Sit.\n季守钟：不。',
    'Sit.\nMara Hobday: No.',
    'Sit.\r\nYou: I sit.',
    'Mara: Sit.\nPip : No.',
    'Sit.   \nPip:',
  ])('%j', (text) => {
    expect(own(text)).toBe('Sit.')
  })

  test('inside a line a name is just a name', () => {
    expect(own('I told Pip: no.\nSo, Pip: no.')).toBe('I told Pip: no.\nSo, Pip: no.')
  })

  test('without the colon it stays', () => {
    expect(own('Sit.\nPip, you too.\nPipkin: a jug.')).toBe('Sit.\nPip, you too.\nPipkin: a jug.')
  })

  test('at the very start it is a call to that one', () => {
    expect(own('Pip: come here!')).toBe('Pip: come here!')
  })

  test('after the own name it is another’s line', () => {
    expect(own('Mara:\nPip: I did it.')).toBe('')
  })

  test('not where the colon stands on the next line', () => {
    expect(own('Sit.\nPip\n: no')).toBe('Sit.\nPip\n: no')
    expect(own('Mara\n: no')).toBe('Mara\n: no')
  })

  test('an empty name ends nothing', () => {
    expect(ownSpeech('Sit.\n: no', { self: '', others: [''] })).toBe('Sit.\n: no')
  })

  test('a name with marks that search patterns know is only text', () => {
    const others = ['.*', 'a(b', '[c]']

    expect(ownSpeech('Sit.\nanything: no', { self: '(+', others })).toBe('Sit.\nanything: no')
    expect(ownSpeech('Sit.\n[c]: no', { self: '(+', others })).toBe('Sit.')
  })
})

test('a long run of spaces takes no longer than it is long', () => {
  const text = `Sit.\nPip${' '.repeat(200_000)}x`

  expect(own(text)).toBe(text)
  expect(own(`Mara${' '.repeat(200_000)}: Sit.`)).toBe('Sit.')
})

describe('the stream', () => {
  test('gives words as they come, white space with the word after it', () => {
    expect(given(['Sit', ' down', ', ', 'both.', '\n', '\nNow.'])).toEqual([
      'Sit',
      ' down',
      ',',
      ' both.',
      '',
      '\n\nNow.',
    ])
  })

  test('holds back the own name', () => {
    expect(given(['**', 'Mara', ':', '** ', 'Sit', '.'])).toEqual(['', '', '', '', 'Sit', '.'])
  })

  test('gives a beginning that turns out not to be a name', () => {
    expect(given(['Mar', 'vellous!'])).toEqual(['', 'Marvellous!'])
    expect(given(['*', 'smiles* Sit.'])).toEqual(['', '*smiles* Sit.'])
  })

  test('holds back a line that may yet be another’s, and gives nothing after one that is', () => {
    expect(given(['Sit.', '\nPi', 'p', '  ', ':', ' No.', '\nMara: Yes.'])).toEqual([
      'Sit.',
      '',
      '',
      '',
      '',
      '',
      '',
    ])
  })

  test('gives a line that turns out to be its own', () => {
    expect(given(['Sit.\nPip', ', you', ' too.'])).toEqual(['Sit.', '\nPip, you', ' too.'])
    expect(given(['Sit.\nPip', '\n', ': no'])).toEqual(['Sit.', '\nPip', '\n: no'])
  })

  const names = fc.constantFrom('Mara', 'mara', 'Mara Hobday', 'Pip', 'PIP', '季守钟', 'You')
  const marks = fc.constantFrom('*', '**', ':', '：', '\n', '\r\n', ' ', '  ', '\t', '\u2028')
  const words = fc.constantFrom('Sit', '.', 'P', 'Ma', 'x', '🦊')
  const text = fc
    .array(fc.oneof(names, marks, words), { maxLength: 24 })
    .map((parts) => parts.join(''))
  const cuts = fc.array(fc.nat(60), { maxLength: 12 })

  test('whatever it gave is the beginning of what is said in the end', () => {
    fc.assert(
      fc.property(text, cuts, (whole, at) => {
        const places = [...new Set([0, ...at.filter((n) => n < whole.length), whole.length])]
        const ordered = places.toSorted((left, right) => left - right)
        const pieces = ordered.slice(1).map((end, index) => whole.slice(ordered[index], end))

        const shown = given(pieces).join('')

        expect(own(whole).slice(0, shown.length)).toBe(shown)
      }),
      { numRuns: 3000 },
    )
  })

  test('a finished line of its own is given whole, however it was cut', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 5 }), (whole, size) => {
        const pieces = `${whole}\n!`.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []

        const shown = given(pieces).join('')

        expect(shown).toBe(own(`${whole}\n!`))
      }),
      { numRuns: 2000 },
    )
  })
})
