import { type Beat, briefingHeadings } from 'dsh-tavern-protocol'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { briefing, SECTION_BYTES } from '../../packages/dsh-tavern-cast/src/briefing.ts'
import { cut, indented, oneLine, valueText } from '../../packages/dsh-tavern-cast/src/quoting.ts'
import {
  applied,
  conflict,
  ellis,
  line,
  mara,
  narration,
  pip,
  placed,
  request,
  section,
  whisper,
  world,
} from './beats.ts'

const { happened } = briefingHeadings.en

const told = (texts: readonly string[], other: Parameters<typeof request>[0]) =>
  section(
    briefing(request({ perceived: placed(...texts.map((text) => line({ text }))), ...other })),
    happened,
  )

describe('what happened within its bytes', () => {
  test('the oldest is left out first, and it is said how much', () => {
    const texts = ['one', 'two', 'six', 'ten']

    // `Pip: one` and its line end are 9 bytes
    expect(told(texts, { budgetBytes: 36 })).toHaveLength(4)
    expect(told(texts, { budgetBytes: 35 })).toEqual([
      '(1 earlier moment is left out here.)',
      'Pip: two',
      'Pip: six',
      'Pip: ten',
    ])
    expect(told(texts, { budgetBytes: 18 })).toEqual([
      '(2 earlier moments are left out here.)',
      'Pip: six',
      'Pip: ten',
    ])
  })

  test('nothing older stands where something newer was left out', () => {
    expect(told(['a', 'b'.repeat(40), 'c'], { budgetBytes: 30 })).toEqual([
      '(2 earlier moments are left out here.)',
      'Pip: c',
    ])
  })

  test('bytes are counted, not characters', () => {
    const texts = ['一二三', '四五六']

    // `Pip: 一二三` and its line end are 15 bytes
    expect(told(texts, { budgetBytes: 30 })).toEqual(['Pip: 一二三', 'Pip: 四五六'])
    expect(told(texts, { budgetBytes: 29 })).toEqual([
      '(1 earlier moment is left out here.)',
      'Pip: 四五六',
    ])
  })

  test('a newest line too large for all is cut, and counts as told', () => {
    expect(told(['钟'.repeat(100)], { budgetBytes: 16 })).toEqual(['Pip: 钟钟…'])
    expect(told(['old', '钟'.repeat(100)], { budgetBytes: 16 })).toEqual([
      '(1 earlier moment is left out here.)',
      'Pip: 钟钟…',
    ])
  })

  test('what was not even looked at is said to be left out', () => {
    expect(told(['new'], { more: true })).toEqual([
      '(Earlier moments are left out here.)',
      'Pip: new',
    ])
    expect(told(['old', 'new'], { more: true, budgetBytes: 9 })).toEqual([
      '(At least 1 earlier moment is left out here.)',
      'Pip: new',
    ])
    expect(told([], { more: true })).toEqual([
      '(Earlier moments are left out here.)',
      '(Nothing you could perceive.)',
    ])
  })
})

describe('lists within their bytes', () => {
  test('a large value is cut and does not push the others out', () => {
    const text = briefing(
      request({
        world: [
          { key: 'a', version: 1, value: 'x'.repeat(10_000) },
          { key: 'b', version: 1, value: 2 },
        ],
      }),
    )

    const [large, small] = section(text, 'World')
    expect(large).toMatch(/^- a \(version 1\): "x{400,508}…$/)
    expect(small).toBe('- b (version 1): 2')
  })

  test('it is said how many variables do not fit', () => {
    const variables = Array.from({ length: 100 }, (_, index) => ({
      key: `k${index}`,
      version: 1,
      value: 'x'.repeat(80),
    }))

    const lines = section(briefing(request({ world: variables })), 'World')

    expect(lines[0]).toContain('k0')
    expect(lines.at(-1)).toBe(`- (${100 - (lines.length - 1)} more left out here)`)
    expect(Buffer.byteLength(lines.slice(0, -1).join('\n'))).toBeLessThanOrEqual(SECTION_BYTES)
  })

  test('a conflict over a large value is told all the same', () => {
    const conflicts = [conflict('door', 'a'.repeat(9000), 'b'.repeat(9000))]

    const [notice, ...rest] = section(briefing(request({ conflicts })), 'Told to you alone')

    expect(notice).toMatch(
      /^- Your change of door to "a+… did not happen: .* "b+… \(version 2\)\.$/,
    )
    expect(rest).toEqual([])
  })

  test('a crowded stage is named as far as it fits', () => {
    const present = Array.from({ length: 300 }, (_, index) => ({
      id: `character:guest-${index}`,
      name: `Guest ${index}`,
    }))

    const [onStage = ''] = section(briefing(request({ present })), 'Scene')

    expect(onStage).toMatch(/^On stage: Guest 0 <character:guest-0>, /)
    expect(onStage).toMatch(/, \(\d+ more left out here\)\.$/)
    expect(Buffer.byteLength(onStage)).toBeLessThanOrEqual(SECTION_BYTES)
  })
})

const headings = [...Object.values(briefingHeadings.en), ...Object.values(briefingHeadings.zh)]
const breaks = ['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f', '\n\n  \n']
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(...headings.map((heading) => `[${heading}]`), ...breaks, ' ', ':', '*', '- '),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''))
const author = fc.record({ id: fc.constantFrom(pip.id, ellis.id), name: nasty })
const variables = fc.array(fc.tuple(nasty, nasty), { maxLength: 3 })

const beats = fc.array(
  fc.oneof(
    fc.record({ author, text: nasty }).map(line),
    fc.record({ author, text: nasty }).map(whisper),
    fc.record({ text: nasty }).map(narration),
    fc
      .record({ author, changes: variables.map((all) => all.map((one) => applied(...one))) })
      .map(world),
  ),
  { maxLength: 8 },
)
const requests = fc
  .record({
    language: fc.constantFrom('en' as const, 'zh' as const),
    perceived: beats.map((all: readonly Beat[]) => placed(...all)),
    name: nasty,
    world: variables.map((all) => all.map(([key, value]) => ({ key, version: 1, value }))),
    lore: fc.array(nasty, { maxLength: 3 }),
    conflicts: fc
      .array(fc.tuple(nasty, nasty, nasty), { maxLength: 3 })
      .map((all) => all.map((one) => conflict(...one))),
    budgetBytes: fc.integer({ min: 3, max: 400 }),
    more: fc.boolean(),
  })
  .map(({ name, ...other }) =>
    request({ ...other, present: [mara, { id: pip.id, name }], seats: [{ id: ellis.id, name }] }),
  )

describe('whatever people and characters are called and say', () => {
  test('only the briefing itself begins a line that looks like a heading', () => {
    const asked = request().cue

    fc.assert(
      fc.property(requests, (made) => {
        const own = new Set<string>(Object.values(briefingHeadings[made.language]))

        const lines = briefing(made).split(/[\n\v\f\r\u0085\u2028\u2029]/)
        const found = lines.flatMap((text) => /^\[(.*?)\]/.exec(text)?.[1] ?? [])

        expect(found.every((heading) => own.has(heading))).toBe(true)
        expect(found).toEqual([...new Set(found)])
        expect(lines.slice(-asked.length - 1)).toEqual([
          `[${briefingHeadings[made.language].cue}]`,
          ...asked,
        ])
      }),
      { numRuns: 2000 },
    )
  })

  test('what happened never takes more than its bytes and one line about the rest', () => {
    fc.assert(
      fc.property(requests, (made) => {
        const text = briefing(made)

        const lines = section(text, briefingHeadings[made.language].happened)
        const notOwn = lines.filter(
          (found) => !/^[(（].*(left out here|片刻|perceive|感知).*[)）]$/.test(found),
        )
        expect(Buffer.byteLength(notOwn.join('\n'))).toBeLessThanOrEqual(made.budgetBytes)
        expect(lines.length - notOwn.length).toBeLessThanOrEqual(2)
      }),
      { numRuns: 2000 },
    )
  })

  test('a cut text is whole characters and an ellipsis, within its bytes', () => {
    const texts = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed())
    fc.assert(
      fc.property(texts, fc.integer({ min: 3, max: 40 }), (text, bytes) => {
        const found = cut(text, bytes)

        expect(Buffer.byteLength(found)).toBeLessThanOrEqual(bytes)
        if (found === text) return
        expect(Buffer.byteLength(text)).toBeGreaterThan(bytes)
        expect(found.endsWith('…')).toBe(true)
        expect(text.startsWith(found.slice(0, -1))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('text of others', () => {
  test('keeps its lines, indented, without blank ones', () => {
    expect(indented('  one  \n\n \t\ntwo\r\n   three\u2028four  ')).toBe(
      'one\n  two\n     three\n  four',
    )
  })

  test('becomes one line where it must', () => {
    expect(oneLine(' a\n\nb\u2029c\u0085d ')).toBe('a b c d')
  })

  test('a value is JSON on one line that reads as the same value', () => {
    const value = { text: 'a\nb\u2028c\u0085\u007f', list: [1, null, true] }

    const text = valueText(value)

    expect(text).not.toMatch(/[\n\u2028\u0085]/)
    expect(JSON.parse(text)).toEqual(value)
  })

  test('a long run of spaces takes no longer than it is long', () => {
    const text = `a${' '.repeat(500_000)}b`

    expect(indented(text)).toBe(text)
  })
})
