import { readCard } from 'dsh-tavern-cards'
import { profileOf } from 'dsh-tavern-cast'
import { everyone, type Scene, sceneDefinition, type TurnRequest } from 'dsh-tavern-protocol'
import { describe, expect, test } from 'vitest'
import {
  type DirectedCast,
  directionInput,
} from '../../packages/dsh-tavern-narrator/src/members.ts'

const definition = {
  title: 'The inn',
  premise: 'Rain.',
  cast: [
    { character: 'mara', talkativeness: 0.9 },
    { character: 'pip', muted: true },
    { character: 'crane', onStage: false },
  ],
  caps: { beatsPerLine: 3 },
}
const cards: Readonly<Record<string, object>> = {
  mara: { name: 'Mara Hobday', nickname: 'Mara', extensions: { talkativeness: 0.1 } },
  pip: { name: 'Pip', extensions: { talkativeness: 0.2 } },
  crane: { name: 'Aurelio Crane' },
}

const stage: DirectedCast['run']['stage'] = {
  sequence: 9,
  beats: 9,
  onStage: ['mara', 'pip'],
  seats: ['seat:Ellis'],
  spokenSincePerson: ['pip'],
  autoBeats: 1,
  tokens: {},
  sceneTokens: 0,
  conflicts: {},
}

const castOf = (
  changes: Readonly<Record<string, unknown>> = {},
  now: Partial<typeof stage> = {},
): DirectedCast => {
  const scene: Scene = { id: 'inn', ...sceneDefinition.parse({ ...definition, ...changes }) }
  return {
    run: { scene, stage: { ...stage, ...now }, seed: 7 },
    profileOf(character) {
      const data = { ...cards[character] }
      const file = JSON.stringify({ spec: 'chara_card_v3', spec_version: '3.0', data })
      return profileOf(readCard(Buffer.from(file), `${character}/card.json`).card)
    },
  }
}

const line: TurnRequest = {
  kind: 'line',
  id: 'line-1',
  runId: 'inn.1',
  line: {
    id: 'line-1',
    author: { id: 'seat:Ellis', name: 'Ellis' },
    audience: everyone,
    text: 'Hello, Mara.',
  },
}
const auto: TurnRequest = { kind: 'auto', id: 'auto-1', runId: 'inn.1' }
const delegate: TurnRequest = {
  kind: 'delegate',
  id: 'delegate-1',
  runId: 'inn.1',
  actor: 'pip',
  by: 'seat:Ellis',
  audience: everyone,
  route: {},
}

describe('the members', () => {
  test('are the whole cast in its order, with who is on stage now', () => {
    const { members } = directionInput(castOf({}, { onStage: ['crane', 'mara'] }), line)

    expect(members.map(({ id, onStage }) => [id, onStage])).toEqual([
      ['mara', true],
      ['pip', false],
      ['crane', true],
    ])
  })

  test('answer to the name on their card and their nickname, each once', () => {
    const { members } = directionInput(castOf(), line)

    expect(members.map(({ names }) => names)).toEqual([
      ['Mara', 'Mara Hobday'],
      ['Pip'],
      ['Aurelio Crane'],
    ])
  })

  test('talk as the scene says, else as their card says', () => {
    const { members } = directionInput(castOf(), line)

    expect(members.map(({ talkativeness }) => talkativeness)).toEqual([0.9, 0.2, 0.5])
  })

  test('a talkativeness of nothing is kept', () => {
    const cast = [{ character: 'pip', talkativeness: 0 }]

    expect(directionInput(castOf({ cast }), line).members[0]?.talkativeness).toBe(0)
  })

  test('are muted where the scene says so', () => {
    expect(directionInput(castOf(), line).members.map(({ muted }) => muted)).toEqual([
      false,
      true,
      false,
    ])
  })
})

describe('the request', () => {
  test('for a line is its words and who said them', () => {
    expect(directionInput(castOf(), line).request).toEqual({
      kind: 'line',
      trigger: { author: 'seat:Ellis', text: 'Hello, Mara.' },
    })
  })

  test('for a whisper names the characters that it is for, seats left out', () => {
    const participants = ['character:pip', 'seat:Roe', 'character:mara']
    const audience = { kind: 'named', participants } as const

    const { request } = directionInput(castOf(), { ...line, line: { ...line.line, audience } })

    expect(request).toEqual({
      kind: 'line',
      trigger: { author: 'seat:Ellis', text: 'Hello, Mara.' },
      audience: ['pip', 'mara'],
    })
  })

  test('of nobody has what was said last, where something was', () => {
    const trigger = { author: 'character:pip', text: 'Well?' }

    expect(directionInput(castOf(), auto).request).toEqual({ kind: 'auto' })
    expect(directionInput(castOf(), { ...auto, trigger }).request).toEqual({
      kind: 'auto',
      trigger,
    })
  })

  test('to hand the turn over names the actor, and the direction where there is one', () => {
    expect(directionInput(castOf(), delegate).request).toEqual({ kind: 'delegate', actor: 'pip' })
    expect(directionInput(castOf(), { ...delegate, instruction: 'Be brief.' }).request).toEqual({
      kind: 'delegate',
      actor: 'pip',
      instruction: 'Be brief.',
    })
  })
})

describe('the rest', () => {
  test('comes from the scene and its fold', () => {
    expect(directionInput(castOf({ selfResponses: true, direction: 'rota' }), line)).toMatchObject({
      direction: 'rota',
      selfResponses: true,
      spokenSincePerson: ['pip'],
      limit: 3,
    })
  })

  test('has the last speaker only when somebody spoke', () => {
    expect(directionInput(castOf(), line)).not.toHaveProperty('lastSpeaker')
    expect(directionInput(castOf({}, { lastSpeaker: 'pip' }), line).lastSpeaker).toBe('pip')
  })

  test('without the narrator’s model a directed scene is natural', () => {
    expect(directionInput(castOf({ direction: 'directed' }), line).direction).toBe('natural')
  })

  test('draws differ by run and by request, and are the same again', () => {
    expect(directionInput(castOf(), line).seed).toBe('7/line-1')
    expect(directionInput(castOf(), auto).seed).toBe('7/auto-1')
  })
})
