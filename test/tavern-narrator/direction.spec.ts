import { describe, expect, test } from 'vitest'
import { plan as planSchema } from 'dsh-tavern-protocol'
import { direct } from '../../packages/dsh-tavern-narrator/src/direction.ts'
import type { DirectionRequest } from '../../packages/dsh-tavern-narrator/src/direction.ts'
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
  whisper,
} from './direction-input.ts'

describe('nobody acts, and the plan says why', () => {
  test('on an empty stage', () => {
    const members = trio.map((one) => ({ ...one, onStage: false }))

    for (const direction of ['natural', 'rota', 'pooled', 'manual'] as const) {
      for (const request of [line('mara'), auto(), whisper(['mara'])]) {
        const plan = direct(input({ direction, request, members }))
        expect(plan).toEqual({ direction, actors: [], draws: [], nobody: 'empty-stage' })
      }
    }
  })

  test('when all on stage are muted', () => {
    const members = [
      ...trio.map((one) => ({ ...one, muted: true })),
      member('off', { onStage: false }),
    ]

    for (const direction of ['natural', 'rota', 'pooled', 'manual'] as const) {
      const plan = direct(input({ direction, request: line('mara'), members }))
      expect(plan).toEqual({ direction, actors: [], draws: [], nobody: 'all-muted' })
    }
  })

  test('when nobody is named and nobody ever talks unasked', () => {
    expect(direct(input({}))).toMatchObject({ actors: [], nobody: 'nobody-eligible' })
  })

  test('when the limit leaves no place', () => {
    const plan = direct(input({ request: line('mara'), limit: 0 }))

    expect(plan).toMatchObject({ actors: [], nobody: 'nobody-eligible' })
  })

  test('and a plan with actors names no such reason', () => {
    expect(direct(input({ request: line('mara') }))).not.toHaveProperty('nobody')
  })
})

describe('natural', () => {
  test('the named act in the order they are named', () => {
    expect(reasons({ request: line('Tess, is Mara in?') })).toEqual([
      'tess mentioned',
      'mara mentioned',
    ])
  })

  test('a name in any script wakes its bearer', () => {
    const members = [
      member('guan', { names: ['关云长'] }),
      member('alice', { names: ['アリス'] }),
      member('olga', { names: ['Ольга'] }),
    ]

    expect(actors({ members, request: line('关云长温酒斩华雄') })).toEqual(['guan'])
    expect(actors({ members, request: line('アリスさん、Ольга!') })).toEqual(['alice', 'olga'])
  })

  test('a shared name wakes all its bearers', () => {
    const members = [
      member('bob', { names: ['Bob Smith'] }),
      member('anna', { names: ['Anna Smith'] }),
    ]

    expect(actors({ members, request: line('Smith!') })).toEqual(['bob', 'anna'])
  })

  test('the name of someone who is away is not taken for another', () => {
    const members = [member('tom', { names: ['Tom'] }), member('old-tom', { names: ['Old Tom'] })]
    const without = [members[0]!, { ...members[1]!, onStage: false }]

    expect(actors({ members, request: line('Old Tom?') })).toEqual(['old-tom'])
    expect(actors({ members: without, request: line('Old Tom?') })).toEqual([])
  })

  test('the talkative come after the named, and nobody twice', () => {
    const members = trio.map((one) => ({ ...one, talkativeness: 1 }))

    const found = reasons({ members, request: line('Tess!') })

    expect(found[0]).toBe('tess mentioned')
    expect(found.slice(1).toSorted()).toEqual(['ivo talkative', 'mara talkative'])
  })

  test('the talkative come in a random order', () => {
    const members = trio.map((one) => ({ ...one, talkativeness: 1 }))
    const orders = Array.from({ length: 100 }, (_, index) =>
      actors({ members, seed: `seed ${index}` }).join(' '),
    )

    expect(new Set(orders).size).toBe(6)
  })

  test('talkativeness 0 never acts unasked, but when named', () => {
    const members = [member('mara', { talkativeness: 0 }), member('ivo', { talkativeness: 0.1 })]

    expect(everChosen({ members })).toEqual(['ivo'])
    expect(everChosen({ members, request: auto() })).toEqual(['ivo'])
    expect(actors({ members, request: line('mara?') })).toContain('mara')
  })

  test('when no talkativeness comes up, one is drawn', () => {
    const members = trio.map((one) => ({ ...one, talkativeness: 1e-12 }))

    const plan = direct(input({ members }))

    expect(plan.actors).toEqual([{ character: plan.draws[3]?.outcome, reason: 'drawn' }])
    expect(everChosen({ members })).toEqual(['ivo', 'mara', 'tess'])
  })

  test('the limit cuts the last, not the named', () => {
    const members = trio.map((one) => ({ ...one, talkativeness: 1 }))

    expect(actors({ members, request: line('Tess!'), limit: 2 })).toHaveLength(2)
    expect(actors({ members, request: line('Tess!'), limit: 2 })[0]).toBe('tess')
    expect(actors({ members, request: line('Tess, Ivo, Mara'), limit: 2 })).toEqual(['tess', 'ivo'])
  })

  test('the muted act neither when named nor by chance', () => {
    const members = [member('mara', { muted: true, talkativeness: 1 }), ...talkers.slice(1)]

    expect(everChosen({ members, request: line('Mara!') })).toEqual(['ivo', 'tess'])
  })

  test('each draw is recorded with what it was for and what followed', () => {
    const members = [
      member('mara', { talkativeness: 1 }),
      member('ivo', { talkativeness: 0.5 }),
      member('tess', { talkativeness: 1 }),
      member('silent'),
    ]

    const { actors: acting, draws } = direct(input({ members, seed: 'draws 1' }))

    expect(draws.slice(0, 3).map(({ what }) => what)).toEqual([
      'talkativeness of mara (1)',
      'talkativeness of ivo (0.5)',
      'talkativeness of tess (1)',
    ])
    expect(draws.slice(0, 3).map(({ outcome }) => outcome)).toEqual([
      'yes',
      (draws[1]?.value ?? 1) < 0.5 ? 'yes' : 'no',
      'yes',
    ])
    expect(draws[3]?.what).toBe(`order of the talkative: place 1 of ${acting.length}`)
    expect(draws[3]?.outcome).toBe(acting[0]?.character)
  })
})

describe('who spoke last', () => {
  test('is not drawn again, nor by the fallback, nor when it names itself', () => {
    const request = auto('I, Mara, have spoken.', 'character:mara')
    const members = trio.map((one) => ({ ...one, talkativeness: 1e-12 }))

    expect(everChosen({ members: talkers, request, lastSpeaker: 'mara' })).toEqual(['ivo', 'tess'])
    expect(everChosen({ members, request, lastSpeaker: 'mara' })).toEqual(['ivo', 'tess'])
  })

  test('does not go on alone: nobody acts', () => {
    const members = [member('mara', { talkativeness: 1 }), member('ivo', { talkativeness: 0 })]

    const plan = direct(input({ members, request: auto(), lastSpeaker: 'mara' }))

    expect(plan).toMatchObject({ actors: [], nobody: 'nobody-eligible' })
  })

  test('may answer a person again', () => {
    const members = [member('mara', { talkativeness: 1 })]

    expect(actors({ members, lastSpeaker: 'mara' })).toEqual(['mara'])
    expect(actors({ request: line('Mara?'), lastSpeaker: 'mara' })).toEqual(['mara'])
  })

  test('may go on when a person spoke after it and the scene goes on by itself', () => {
    const request = auto('Well, Mara?', 'seat:you')

    expect(actors({ request, lastSpeaker: 'mara' })).toEqual(['mara'])
  })

  test('may answer the narrator, but is still the last speaker when the scene goes on', () => {
    expect(actors({ request: line('Mara wakes.', 'narrator'), lastSpeaker: 'mara' })).toEqual([
      'mara',
    ])
    expect(actors({ request: auto('Mara wakes.', 'narrator'), lastSpeaker: 'mara' })).toEqual([])
  })

  test('may go on where self responses are on', () => {
    const members = [member('mara', { talkativeness: 1 })]
    const request = auto('Mara!', 'character:mara')

    expect(actors({ members, request, lastSpeaker: 'mara', selfResponses: true })).toEqual(['mara'])
  })

  test('is one character: a namesake may act', () => {
    const members = [
      member('tom-1', { names: ['Tom'], talkativeness: 1 }),
      member('tom-2', { names: ['Tom'], talkativeness: 1 }),
    ]
    const request = auto('Tom?', 'character:tom-1')

    expect(reasons({ members, request, lastSpeaker: 'tom-1' })).toEqual(['tom-2 mentioned'])
  })

  test('does not answer its own line', () => {
    const request = line('Mara and Ivo!', 'character:mara')

    expect(actors({ request })).toEqual(['ivo'])
    expect(actors({ request, direction: 'rota' })).toEqual(['ivo', 'tess'])
  })
})

describe('a whisper', () => {
  test('is answered by all it addresses, in cast order, and by nobody else', () => {
    const members = trio.map((one) => ({ ...one, talkativeness: 1 }))

    for (const direction of ['natural', 'rota', 'pooled', 'manual'] as const) {
      const request = whisper(['tess', 'mara'], 'what does Ivo hide?')
      expect(reasons({ direction, members, request })).toEqual(['mara whispered', 'tess whispered'])
      expect(direct(input({ direction, members, request })).draws).toEqual([])
    }
  })

  test('is answered first by those it names', () => {
    const request = whisper(['tess', 'mara', 'ivo'], 'Tess first, then Ivo')

    expect(actors({ request })).toEqual(['tess', 'ivo', 'mara'])
  })

  test('is answered also by who spoke last and by who never talks unasked', () => {
    expect(actors({ request: whisper(['mara']), lastSpeaker: 'mara' })).toEqual(['mara'])
  })

  test('is answered by no muted, absent or unknown character, nor by its author', () => {
    const members = [
      member('mara', { muted: true }),
      member('ivo', { onStage: false }),
      member('tess'),
    ]

    expect(actors({ members, request: whisper(['mara', 'ivo', 'nobody', 'tess']) })).toEqual([
      'tess',
    ])
    expect(direct(input({ members, request: whisper(['mara', 'ivo']) })).nobody).toBe(
      'nobody-eligible',
    )
    expect(
      actors({ request: whisper(['mara', 'ivo'], 'psst', 'character:mara'), selfResponses: true }),
    ).toEqual(['ivo'])
  })

  test('among seats only is answered by nobody', () => {
    expect(direct(input({ members: talkers, request: whisper([]) }))).toMatchObject({
      actors: [],
      nobody: 'nobody-eligible',
    })
  })
})

describe('a delegated turn', () => {
  const request: DirectionRequest = { kind: 'delegate', actor: 'mara', instruction: 'sing' }

  test('goes to that character alone, muted, silent or the last speaker, in every direction', () => {
    const members = [member('mara', { muted: true }), ...talkers.slice(1)]

    for (const direction of ['natural', 'rota', 'pooled', 'manual'] as const) {
      const plan = direct(input({ direction, members, request, lastSpeaker: 'mara' }))
      expect(plan).toEqual({
        direction,
        actors: [{ character: 'mara', reason: 'delegated', instruction: 'sing' }],
        draws: [],
      })
    }
  })

  test('without an instruction has none', () => {
    const plan = direct(input({ request: { kind: 'delegate', actor: 'mara' } }))

    expect(plan.actors).toStrictEqual([{ character: 'mara', reason: 'delegated' }])
  })

  test('to someone who is not on stage is nobody’s', () => {
    const members = [member('mara', { onStage: false }), ...talkers.slice(1)]

    expect(direct(input({ members, request })).nobody).toBe('nobody-eligible')
    expect(direct(input({ members: talkers.slice(1), request })).nobody).toBe('nobody-eligible')
  })
})

test('a plan is of the shape that cues carry', () => {
  for (const direction of ['natural', 'rota', 'pooled', 'manual'] as const) {
    const plan = direct(input({ direction, members: talkers, request: auto() }))

    expect(planSchema.parse(plan)).toEqual(plan)
  }
})
