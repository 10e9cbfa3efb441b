import {
  characterId,
  characterOf,
  characterParticipant,
  CueId,
  isSeat,
  narratorId,
  participantId,
  RunId,
  runId,
  seatParticipant,
} from 'dsh-tavern-protocol'
import { describe, expect, test } from 'vitest'

const isId = (schema: typeof characterId, text: string) => schema.safeParse(text).success

describe('a character’s id', () => {
  test.each(['a', '7', 'mara', 'luo-aman', 'a-', 'x'.repeat(64)])('may be %j', (text) => {
    expect(isId(characterId, text)).toBe(true)
  })

  test.each(['', '-a', 'Mara', 'a b', 'a_b', 'a.b', 'a/b', '..', 'é', 'a\n', 'x'.repeat(65)])(
    'may not be %j',
    (text) => {
      expect(isId(characterId, text)).toBe(false)
    },
  )
})

describe('a run’s id', () => {
  test('is its scene’s with a count from 1', () => {
    expect(RunId('ember-night', 12)).toBe('ember-night.12')
    expect(runId.safeParse(RunId('ember-night', 12)).success).toBe(true)
  })

  test.each(['inn', 'inn.0', 'inn.01', 'inn.-1', 'inn.1.2', 'Inn.1', '.1', 'inn.1\n'])(
    'may not be %j',
    (text) => {
      expect(runId.safeParse(text).success).toBe(false)
    },
  )
})

describe('a participant’s id', () => {
  test('of a character gives the character back', () => {
    expect(characterOf(characterParticipant('mara'))).toBe('mara')
    expect(characterOf(seatParticipant('mara'))).toBeUndefined()
    expect(characterOf(narratorId)).toBeUndefined()
  })

  test('of a seat is one whatever the person is called', () => {
    expect(isSeat(seatParticipant('character:mara'))).toBe(true)
    expect(characterOf(seatParticipant('character:mara'))).toBeUndefined()
    expect(isSeat(characterParticipant('seat'))).toBe(false)
    expect(isSeat(narratorId)).toBe(false)
  })

  test.each(['character:mara', 'seat:Ellis', 'seat:林渡 先生', 'seat:a:b', 'narrator'])(
    'may be %j',
    (text) => {
      expect(participantId.safeParse(text).success).toBe(true)
    },
  )

  test.each([
    'mara',
    'character:',
    'character:Mara',
    'character:a/b',
    'seat:',
    'seat:two\nlines',
    'narrator:1',
    'Narrator',
    `seat:${'x'.repeat(252)}`,
  ])('may not be %j', (text) => {
    expect(participantId.safeParse(text).success).toBe(false)
  })
})

test('cues of one request have ids of their own', () => {
  expect([0, 1, 2].map((index) => CueId('line-1', index))).toEqual([
    'line-1#0',
    'line-1#1',
    'line-1#2',
  ])
})
