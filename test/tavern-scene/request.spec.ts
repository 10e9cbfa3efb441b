import { line as lineSchema, turnRequest } from 'dsh-tavern-protocol'
import { SceneError } from 'dsh-tavern-scene'
import { describe, expect, test } from 'vitest'
import {
  autoRequest,
  delegateRequest,
  lineFrom,
  lineRequest,
  speakerNamed,
} from '../../packages/dsh-tavern-scene/src/request.ts'

const ellis = speakerNamed('Ellis')

const invalidLine = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof SceneError && error.code === 'invalid-line') return error.message
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('a line', () => {
  test('is said to everyone, without the white space around it', () => {
    const line = lineFrom(ellis, { id: 'line-1', text: '  Good evening.\n' })

    expect(line).toEqual({
      id: 'line-1',
      author: { id: 'seat:Ellis', name: 'Ellis' },
      audience: { kind: 'everyone' },
      text: 'Good evening.',
    })
  })

  test('to some is heard by those alone', () => {
    const line = lineFrom(ellis, { id: 'line-1', text: 'Psst.', to: ['mara', 'pip'] })

    expect(line.audience).toEqual({
      kind: 'named',
      participants: ['character:mara', 'character:pip'],
    })
  })

  test.each(['', '  \n\t'])('of %j is refused', (text) => {
    expect(invalidLine(() => lineFrom(ellis, { id: 'line-1', text }))).toBe(
      'a line must not be empty',
    )
  })

  test('is bounded in bytes, not in characters', () => {
    const fits = '钟'.repeat(10_922)

    expect(lineFrom(ellis, { id: 'line-1', text: fits }).text).toBe(fits)
    expect(invalidLine(() => lineFrom(ellis, { id: 'line-1', text: `${fits}钟` }))).toBe(
      'a line may have 32768 bytes, found 32769',
    )
  })

  test('may be anything else, and is kept as it is', () => {
    const text = '/not {{a}} `command` \u2028 [Your cue]'

    expect(lineFrom(ellis, { id: 'line-1', text }).text).toBe(text)
  })
})

describe('a person’s name', () => {
  test.each(['Ellis', '林渡', 'O’Brien the 3rd', 'a'.repeat(251)])('may be %j', (name) => {
    expect(speakerNamed(name)).toEqual({ id: `seat:${name}`, name })
  })

  test.each(['', 'two\nlines', 'a'.repeat(252)])('may not be %j', (name) => {
    expect(invalidLine(() => speakerNamed(name))).toMatch(
      /^a person's name is one line of 1 to 251 characters, found "/,
    )
  })
})

describe('a request', () => {
  test('for a line carries the line and has its id', () => {
    const line = lineFrom(ellis, { id: 'line-1', text: 'Hello.' })

    const request = lineRequest('inn.1', line)

    expect(request).toEqual({ kind: 'line', id: 'line-1', runId: 'inn.1', line })
    expect(turnRequest.parse(request)).toEqual(request)
    expect(lineSchema.parse(line)).toEqual(line)
  })

  test('of nobody carries what was last said to all, where something was', () => {
    const stage = {
      sequence: 1,
      beats: 1,
      onStage: [],
      seats: [],
      spokenSincePerson: [],
      autoBeats: 1,
      tokens: {},
      sceneTokens: 0,
      conflicts: {},
    }
    const lastSaid = { author: 'character:mara', text: 'Stew?' }

    expect(autoRequest('inn.1', 'auto-1', stage)).toEqual({
      kind: 'auto',
      id: 'auto-1',
      runId: 'inn.1',
    })
    expect(turnRequest.parse(autoRequest('inn.1', 'auto-2', { ...stage, lastSaid }))).toEqual({
      kind: 'auto',
      id: 'auto-2',
      runId: 'inn.1',
      trigger: lastSaid,
    })
  })

  test('that hands the turn over is for everyone, and names who did', () => {
    const request = delegateRequest('inn.1', {
      id: 'delegate-1',
      actor: 'mara',
      by: ellis.id,
      route: { model: 'm' },
    })

    expect(turnRequest.parse(request)).toEqual({
      kind: 'delegate',
      id: 'delegate-1',
      runId: 'inn.1',
      actor: 'mara',
      by: 'seat:Ellis',
      audience: { kind: 'everyone' },
      route: { model: 'm' },
    })
  })
})
