import { describe, expect, test } from 'vitest'
import { direct } from '../../packages/dsh-tavern-narrator/src/direction.ts'
import type { DirectionInput } from '../../packages/dsh-tavern-narrator/src/direction.ts'
import {
  actors,
  auto,
  everChosen,
  input,
  line,
  member,
  reasons,
  talkers,
  trio,
} from './direction-input.ts'

const rota = (other: Partial<DirectionInput>) => actors({ direction: 'rota', ...other })
const pooled = (other: Partial<DirectionInput>) =>
  everChosen({ direction: 'pooled', members: talkers, ...other })
const manual = (other: Partial<DirectionInput>) => input({ direction: 'manual', ...other })

describe('rota', () => {
  test('a line is answered by all enabled in cast order, whoever it names', () => {
    const members = [...trio, member('off', { onStage: false }), member('mute', { muted: true })]

    expect(reasons({ direction: 'rota', members, request: line('Tess!') })).toEqual([
      'mara rota',
      'ivo rota',
      'tess rota',
    ])
    expect(rota({ lastSpeaker: 'mara', rotaLast: 'mara' })).toEqual(['mara', 'ivo', 'tess'])
  })

  test('when the limit is lower than the cast, it goes on where it stopped', () => {
    expect(rota({ limit: 2 })).toEqual(['mara', 'ivo'])
    expect(rota({ limit: 2, rotaLast: 'ivo' })).toEqual(['tess', 'mara'])
    expect(rota({ limit: 2, rotaLast: 'tess' })).toEqual(['mara', 'ivo'])
  })

  test('auto takes the next one, round and round', () => {
    expect(rota({ request: auto() })).toEqual(['mara'])
    expect(rota({ request: auto(), rotaLast: 'mara' })).toEqual(['ivo'])
    expect(rota({ request: auto(), rotaLast: 'tess' })).toEqual(['mara'])
    expect(rota({ request: auto(), lastSpeaker: 'ivo' })).toEqual(['tess'])
  })

  test('one that failed to speak is passed on', () => {
    expect(rota({ request: auto(), lastSpeaker: 'mara', rotaLast: 'ivo' })).toEqual(['tess'])
  })

  test('auto goes on after one that has left, at its place in the cast', () => {
    const members = [trio[0]!, { ...trio[1]!, onStage: false }, trio[2]!]

    expect(rota({ members, request: auto(), rotaLast: 'ivo' })).toEqual(['tess'])
    expect(rota({ request: auto(), rotaLast: 'gone' })).toEqual(['mara'])
  })

  test('auto passes over who spoke last while there is another', () => {
    const delegatedIvo = { request: auto(), lastSpeaker: 'ivo', rotaLast: 'mara' }

    expect(rota(delegatedIvo)).toEqual(['tess'])
    expect(rota({ ...delegatedIvo, selfResponses: true })).toEqual(['ivo'])
    expect(rota({ members: [member('mara')], request: auto(), lastSpeaker: 'mara' })).toEqual([
      'mara',
    ])
  })

  test('nothing is drawn', () => {
    expect(direct(input({ direction: 'rota' })).draws).toEqual([])
  })
})

describe('pooled', () => {
  test('exactly one acts, with the draw that chose it', () => {
    const plan = direct(input({ direction: 'pooled', members: talkers }))

    expect(plan.draws).toHaveLength(1)
    expect(plan.draws[0]?.what).toBe('one of 3 that may act')
    expect(plan.actors).toEqual([{ character: plan.draws[0]?.outcome, reason: 'pooled' }])
  })

  test('only those silent since a person’s last line', () => {
    expect(pooled({ request: auto(), spokenSincePerson: ['mara'], lastSpeaker: 'mara' })).toEqual([
      'ivo',
      'tess',
    ])
    expect(
      pooled({ request: auto(), spokenSincePerson: ['mara', 'tess'], lastSpeaker: 'tess' }),
    ).toEqual(['ivo'])
  })

  test('a person’s new line puts everyone back', () => {
    const spokenSincePerson = ['mara', 'ivo', 'tess']

    expect(pooled({ spokenSincePerson, lastSpeaker: 'tess' })).toEqual(['ivo', 'mara', 'tess'])
  })

  test('the narrator’s line puts nobody back', () => {
    const request = line('Night falls.', 'narrator')

    expect(pooled({ request, spokenSincePerson: ['mara', 'ivo'], lastSpeaker: 'ivo' })).toEqual([
      'tess',
    ])
  })

  test('when all spoke, not who spoke last, unless it is alone', () => {
    const spokenSincePerson = ['mara', 'ivo', 'tess']
    const lastSpeaker = 'mara'

    expect(pooled({ request: auto(), spokenSincePerson, lastSpeaker })).toEqual(['ivo', 'tess'])
    expect(
      pooled({ members: [member('mara')], request: auto(), spokenSincePerson, lastSpeaker }),
    ).toEqual(['mara'])
  })

  test('the absent and the muted are not in the pool', () => {
    const members = [
      member('mara', { muted: true }),
      member('ivo', { onStage: false }),
      member('tess'),
    ]

    expect(pooled({ members })).toEqual(['tess'])
  })
})

describe('manual', () => {
  test('nobody answers a line, even one that names somebody', () => {
    expect(direct(manual({ members: talkers, request: line('Mara!') }))).toEqual({
      direction: 'manual',
      actors: [],
      draws: [],
      nobody: 'manual',
    })
  })

  test('auto draws one of the enabled', () => {
    const plan = direct(manual({ request: auto() }))

    expect(plan.actors).toEqual([{ character: plan.draws[0]?.outcome, reason: 'drawn' }])
    expect(everChosen(manual({ request: auto() }))).toEqual(['ivo', 'mara', 'tess'])
  })

  test('auto does not draw who spoke last while there is another', () => {
    const last = { request: auto(), lastSpeaker: 'ivo' }

    expect(everChosen(manual(last))).toEqual(['mara', 'tess'])
    expect(everChosen(manual({ ...last, members: [member('ivo')] }))).toEqual(['ivo'])
  })
})
