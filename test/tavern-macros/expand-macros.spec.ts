/** What card macros become, and what must stay as it stands. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expandMacros } from 'dsh-tavern-macros'

const values = { char: 'Mara', user: 'Tess' }
const expand = (text: string) => expandMacros(text, values)

describe('known macros', () => {
  it.each([
    ['{{char}} nods at {{user}}.', 'Mara nods at Tess.'],
    ['<BOT> nods at <USER>.', 'Mara nods at Tess.'],
    ['{{CHAR}}{{Char}}{{cHaR}}', 'MaraMaraMara'],
    ['<bot><Bot><user><uSeR>', 'MaraMaraTessTess'],
    ['{{ char }} and {{\tuser\n}}', 'Mara and Tess'],
    ['< BOT > and < user >', 'Mara and Tess'],
    ['{{{char}}}', '{Mara}'],
    ['{{{{user}}}}', '{{Tess}}'],
    ['关云长对{{user}}说', '关云长对Tess说'],
  ])('%j becomes %j', (text, expected) => {
    expect(expand(text)).toBe(expected)
  })
})

describe('everything else stays', () => {
  it.each([
    '{{random:a,b}}',
    '{{bot}}',
    '<char>',
    '{{}}',
    '{char}',
    '{{char',
    'char}}',
    '{{ch ar}}',
    '{{charm}}',
    '{{char:x}}',
    '<users>',
    '< b o t >',
    '}}{{',
    '{{constructor}} {{__proto__}}',
    '',
  ])('%j', (text) => {
    expect(expand(text)).toBe(text)
  })
})

describe('values', () => {
  it('are never scanned again', () => {
    const text = expandMacros('{{char}}/{{user}}', { char: '{{user}}', user: '<BOT>{{char}}' })

    expect(text).toBe('{{user}}/<BOT>{{char}}')
  })

  it('are inserted as they are, also with replacement signs', () => {
    expect(expandMacros('[{{char}}]', { char: "$&$1$'$$", user: '' })).toBe("[$&$1$'$$]")
  })

  it('do not join with their neighbours into a macro', () => {
    expect(expandMacros('{{{{user}}}}', { char: 'Mara', user: 'char' })).toBe('{{char}}')
  })
})

describe('any text', () => {
  const braces = fc.string({ unit: fc.constantFrom('{', '}', '<', '>', ' ', 'char', 'user', 'a') })

  it('without its macros is kept character for character', () => {
    fc.assert(
      fc.property(braces, (text) => {
        const kept = expandMacros(text, { char: '', user: '' })

        const removed = text.replaceAll(/\{\{\s*(?:char|user)\s*\}\}|<\s*user\s*>/g, '')
        expect(kept).toBe(removed)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['open braces', '{{'],
    ['open braces with spaces', '{{ '],
    ['half a macro', '{{char'],
    ['open angles with spaces', '<   '],
    ['spaces', ' '],
  ])('one megabyte of %s comes back unchanged', (_, unit) => {
    const text = unit.repeat(1_048_576 / unit.length)

    // Compared here: a report of the difference would take longer than finding it.
    expect(expand(text) === text).toBe(true)
  })

  it('one megabyte of spaces inside one macro is still that macro', () => {
    expect(expand(`{{${' '.repeat(1_048_576)}char}}`) === 'Mara').toBe(true)
  })
})
