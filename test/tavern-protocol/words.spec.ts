import {
  beat,
  type Beat,
  briefingHeadings,
  cue,
  cueOutcome,
  effect,
  everyone,
  line,
  performance,
  personaHeadings,
  requestOutcome,
  sceneCaps,
  turnRequest,
  worldChange,
} from 'dsh-tavern-protocol'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import * as beats from '../tavern-cast/beats.ts'

/** What a record becomes on its way through the mesh. */
function stored(schema: z.ZodType, value: unknown): unknown {
  return schema.parse(JSON.parse(JSON.stringify(value)))
}

const refused = (schema: z.ZodType, value: unknown) => !schema.safeParse(value).success

const spoken = { provider: 'improv', model: 'improv-1', usage: { inputTokens: 1, outputTokens: 2 } }
const changes = [beats.applied('door', 'open', ['pip']), beats.conflict('bowl', 'a', 'b')]
const everyBeat: readonly Beat[] = [
  beats.line({ ...spoken, changes }),
  beats.whisper(spoken),
  beats.narration(spoken),
  beats.entrance(),
  beats.exit(),
  beats.world({ ...spoken, changes }),
  beats.roll(),
]

describe('a beat', () => {
  test.each(everyBeat)('$kind comes back from the mesh as it went', (found) => {
    expect(stored(beat, found)).toEqual(found)
  })

  test('has a kind, an author that can be one, and who heard it', () => {
    const { kind: _kind, ...kindless } = beats.line()

    expect(refused(beat, kindless)).toBe(true)
    expect(refused(beat, { ...beats.line(), kind: 'shout' })).toBe(true)
    expect(refused(beat, { ...beats.line(), heardBy: undefined })).toBe(true)
    expect(refused(beat, { ...beats.line(), heardBy: ['mara'] })).toBe(true)
    expect(refused(beat, beats.line({ author: { id: 'mara', name: 'Mara' } }))).toBe(true)
  })

  test('of world and of presence has what changed', () => {
    expect(refused(beat, { ...beats.world(), changes: undefined })).toBe(true)
    expect(refused(beat, { ...beats.entrance(), character: 'Not An Id' })).toBe(true)
  })

  test('never has cost less than nothing', () => {
    const usage = { inputTokens: -1, outputTokens: 0 }

    expect(refused(beat, beats.line({ usage }))).toBe(true)
  })
})

describe('a world change', () => {
  test('that was applied has a version, and one that was not has what stands there', () => {
    const { version: _version, ...unversioned } = beats.applied('door', 'open')

    expect(refused(worldChange, unversioned)).toBe(true)
    expect(refused(worldChange, { ...beats.applied('door', 'open'), version: 0 })).toBe(true)
    expect(
      stored(worldChange, {
        ...beats.conflict('door', 'a', 'b'),
        currentVersion: 0,
        currentValue: null,
      }),
    ).toMatchObject({ currentVersion: 0, currentValue: null })
    expect(
      refused(worldChange, { ...beats.conflict('door', 'a', 'b'), currentValue: undefined }),
    ).toBe(true)
  })
})

describe('an effect', () => {
  test.each([
    { kind: 'world', key: 'door', expectedVersion: 0, value: { any: ['json', null] } },
    { kind: 'whisper', to: ['character:pip', 'seat:Ellis'], text: 'Psst.' },
    { kind: 'leave' },
  ])('$kind comes back from a log as it went', (found) => {
    expect(stored(effect, found)).toEqual(found)
  })

  test.each([
    { kind: 'world', key: 'door', expectedVersion: -1, value: 1 },
    { kind: 'world', key: 'door', expectedVersion: 1.5, value: 1 },
    { kind: 'world', key: 'door', expectedVersion: 1 },
    { kind: 'whisper', to: ['pip'], text: 'Psst.' },
    { kind: 'shout', text: 'Hey!' },
    null,
  ])('%j is none', (found) => {
    expect(refused(effect, found)).toBe(true)
  })
})

describe('a line', () => {
  const said = { id: 'line-1', author: beats.ellis, audience: everyone, text: 'Hello.' }

  test('comes back from the mesh as it went', () => {
    const whispered = { ...said, ...beats.hears(beats.mara.id) }

    expect(stored(line, said)).toEqual(said)
    expect(stored(line, whispered)).toEqual(whispered)
  })

  test('has words, and an id that leaves room for those made of it', () => {
    expect(refused(line, { ...said, text: '' })).toBe(true)
    expect(refused(line, { ...said, id: '' })).toBe(true)
    expect(refused(line, { ...said, id: 'x'.repeat(201) })).toBe(true)
    expect(refused(line, { ...said, id: 'x'.repeat(200) })).toBe(false)
  })
})

describe('a request and its cues', () => {
  const common = { id: 'r-1', runId: 'inn.1' }
  const requests = [
    {
      kind: 'line',
      ...common,
      line: { id: 'r-1', author: beats.ellis, audience: everyone, text: 'Hello.' },
    },
    { kind: 'auto', ...common },
    { kind: 'auto', ...common, trigger: { author: 'character:pip', text: 'Well?' } },
    {
      kind: 'delegate',
      ...common,
      actor: 'pip',
      by: 'seat:Ellis',
      audience: everyone,
      route: { provider: 'p', model: 'm' },
      instruction: 'Be brief.',
    },
  ]

  test.each(requests)('$kind comes back from the mesh as it went', (found) => {
    expect(stored(turnRequest, found)).toEqual(found)
  })

  test('a cue carries all that a restarted host goes on with', () => {
    const found = {
      id: 'r-1#0',
      requestId: 'r-1',
      index: 0,
      runId: 'inn.1',
      character: 'pip',
      reason: 'mentioned',
      audience: everyone,
      from: 'seat:Ellis',
      instruction: 'Be brief.',
      route: { model: 'm' },
      seed: '1/r-1#0',
      plan: {
        direction: 'natural',
        actors: [{ character: 'pip', reason: 'mentioned' }],
        draws: [{ what: 'talkativeness of pip (0.5)', value: 0.25, outcome: 'yes' }],
      },
    }

    expect(stored(cue, found)).toEqual(found)
    expect(refused(cue, { ...found, seed: undefined })).toBe(true)
    expect(refused(cue, { ...found, index: -1 })).toBe(true)
    expect(refused(cue, { ...found, reason: 'bored' })).toBe(true)
  })
})

describe('how it ended', () => {
  test.each([
    { status: 'spoken', beats: ['r-1#0', 'r-1#0/exit'] },
    { status: 'silent', beats: [] },
    { status: 'failed', code: 'NO_ADAPTER', message: 'no adapter' },
    { status: 'cancelled' },
  ])('a cue $status', (found) => {
    expect(stored(cueOutcome, found)).toEqual(found)
  })

  test('what was spoken says which beats it became', () => {
    expect(refused(cueOutcome, { status: 'spoken' })).toBe(true)
    expect(refused(cueOutcome, { status: 'lost' })).toBe(true)
  })

  test('a performance keeps only what its status has', () => {
    const silent = { status: 'silent', effects: [], provider: 'p', model: 'm', reused: false }

    expect(stored(performance, { ...silent, text: 'unheard' })).toEqual(silent)
    expect(refused(performance, { ...silent, status: 'spoken' })).toBe(true)
  })

  test('a request', () => {
    const found = {
      status: 'capped',
      plans: [],
      beats: ['r-1#0'],
      failures: [{ cueId: 'r-1#1', character: 'pip', code: 'NO_ANSWER', message: 'none' }],
      cap: 'beats-per-line',
    }

    expect(stored(requestOutcome, found)).toEqual(found)
    expect(refused(requestOutcome, { ...found, cap: 'patience' })).toBe(true)
  })
})

describe('caps', () => {
  test.each([
    { beatsPerLine: 0 },
    { beatsPerLine: 65 },
    { beatsPerLine: 1.5 },
    { autoBeats: -1 },
    { characterTokens: 0 },
    { sceneTokens: Infinity },
    { beats: 1 },
  ])('may not be %j', (caps) => {
    expect(refused(sceneCaps, caps)).toBe(true)
  })
})

describe('headings', () => {
  const all = [briefingHeadings, personaHeadings]

  test.each(['en', 'zh'] as const)(
    'in %s are distinct, and stand in brackets on one line',
    (language) => {
      const titles = all.flatMap((headings) => Object.values(headings[language]))

      expect(new Set(titles).size).toBe(titles.length)
      expect(titles.filter((title) => !/^[^[\]\n]+$/.test(title))).toEqual([])
    },
  )

  test('are the same sections in both languages', () => {
    for (const headings of all) {
      expect(Object.keys(headings.zh)).toEqual(Object.keys(headings.en))
    }
  })
})
