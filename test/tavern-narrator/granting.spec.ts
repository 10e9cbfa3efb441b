import { type Scene, sceneDefinition } from 'dsh-tavern-protocol'
import { refusedBy } from 'dsh-tavern-narrator'
import { describe, expect, test } from 'vitest'
import { openStage, room, say } from '../scenes/stage.ts'
import type { GrantRequest } from '../../packages/dsh-tavern-narrator/src/granting.ts'

const scene: Scene = {
  id: 'inn',
  ...sceneDefinition.parse({
    title: 'The inn',
    premise: 'Rain.',
    cast: [{ character: 'mara', tokens: 50 }, { character: 'pip' }, { character: 'constructor' }],
    caps: { beatsPerLine: 4, autoBeats: 10, characterTokens: 100, sceneTokens: 1000 },
  }),
}

type Stage = GrantRequest['stage']
const fresh: Stage = {
  sequence: 0,
  beats: 0,
  onStage: ['mara', 'pip'],
  seats: [],
  spokenSincePerson: [],
  autoBeats: 0,
  tokens: {},
  sceneTokens: 0,
  conflicts: {},
}

/** Pip's turn for a person's line on a fresh stage; each test says what differs. */
const cap = (stage: Partial<Stage> = {}, other: Partial<GrantRequest> = {}) =>
  refusedBy({
    scene,
    stage: { ...fresh, ...stage },
    limits: {},
    kind: 'line',
    granted: 0,
    actor: 'pip',
    ...other,
  })

describe('a turn is granted', () => {
  test('on a fresh stage, to a character and to the narrator', () => {
    expect(cap()).toBeUndefined()
    expect(refusedBy({ scene, stage: fresh, limits: {}, kind: 'line', granted: 0 })).toBeUndefined()
  })

  test('up to the last below every cap', () => {
    const stage = { autoBeats: 9, tokens: { pip: 99 }, sceneTokens: 999 }

    expect(cap(stage, { kind: 'auto', granted: 3 })).toBeUndefined()
  })
})

describe('a turn is refused', () => {
  test('for a request that had its beats, of any kind', () => {
    for (const kind of ['line', 'auto', 'delegate'] as const) {
      expect(cap({}, { kind, granted: 4 })).toBe('beats-per-line')
    }
  })

  test('when the scene goes on by itself for too long, and not for a person’s line', () => {
    expect(cap({ autoBeats: 10 }, { kind: 'auto' })).toBe('auto-beats')
    expect(cap({ autoBeats: 10 }, { kind: 'line' })).toBeUndefined()
    expect(cap({ autoBeats: 10 }, { kind: 'delegate' })).toBeUndefined()
  })

  test('when the scene has spent its tokens, to everybody', () => {
    expect(cap({ sceneTokens: 1000 })).toBe('scene-tokens')
    expect(
      refusedBy({
        scene,
        stage: { ...fresh, sceneTokens: 1000 },
        limits: {},
        kind: 'line',
        granted: 0,
      }),
    ).toBe('scene-tokens')
  })

  test('to a character that has spent its own tokens, and to no other', () => {
    const tokens = { pip: 100, mara: 49 }

    expect(cap({ tokens })).toBe('character-tokens')
    expect(cap({ tokens }, { actor: 'mara' })).toBeUndefined()
    expect(cap({ tokens: { pip: 0, mara: 50 } }, { actor: 'mara' })).toBe('character-tokens')
  })

  test('to nobody for what a character called constructor has not spent', () => {
    expect(cap({}, { actor: 'constructor' })).toBeUndefined()
    expect(cap({ tokens: { ['constructor']: 100 } }, { actor: 'constructor' })).toBe(
      'character-tokens',
    )
  })

  test('when the sitting’s beats are played, whoever asks', () => {
    for (const kind of ['line', 'auto', 'delegate'] as const) {
      expect(cap({ beats: 7 }, { kind, limits: { beats: 7 } })).toBe('beats')
      expect(cap({ beats: 6 }, { kind, limits: { beats: 7 } })).toBeUndefined()
    }
    expect(cap({ beats: 0 }, { limits: { beats: 0 } })).toBe('beats')
  })
})

test('a sitting with its own number of beats has no other cap on going on by itself', () => {
  const far = { autoBeats: 10_000, beats: 50 }

  expect(cap(far, { kind: 'auto', limits: { beats: 100 } })).toBeUndefined()
  expect(cap({ ...far, beats: 100 }, { kind: 'auto', limits: { beats: 100 } })).toBe('beats')
})

test('a scene that never goes on by itself refuses at once', () => {
  const still = { ...scene, caps: { ...scene.caps, autoBeats: 0 } }

  expect(cap({}, { scene: still, kind: 'auto' })).toBe('auto-beats')
  expect(cap({}, { scene: still, kind: 'line' })).toBeUndefined()
})

test('a character that is passed over does not take the plan of the others with it', async () => {
  const stage = await openStage(
    room({ cast: [{ character: 'ann', tokens: 1 }, { character: 'bo' }] }),
  )
  const opened = await stage.open('room')
  await say(opened, 'Both of you.')

  const outcome = await say(opened, 'And now?')

  const { run } = opened
  const cue = await run.workspace.mailboxes.findMessage(
    run.mailboxOf('bo'),
    outcome?.beats[0] ?? '',
  )
  expect(outcome?.beats).toHaveLength(1)
  expect(cue?.payload).toMatchObject({
    plan: { actors: [{ character: 'ann' }, { character: 'bo' }] },
  })
})
