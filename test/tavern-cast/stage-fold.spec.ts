import { type Beat, type Scene, sceneDefinition } from 'dsh-tavern-protocol'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  conflictsOf,
  foldBeat,
  initialFold,
  type StageFold,
  stageFold,
  tokensOf,
} from '../../packages/dsh-tavern-cast/src/stage-fold.ts'
import {
  applied,
  conflict,
  ellis,
  entrance,
  exit,
  hears,
  line,
  mara,
  narration,
  narrator,
  pip,
  whisper,
  world,
} from './beats.ts'

const scene: Scene = {
  id: 'inn',
  ...sceneDefinition.parse({
    title: 'The inn',
    premise: 'Rain.',
    cast: [{ character: 'mara' }, { character: 'pip' }, { character: 'crane', onStage: false }],
  }),
}
const opening = initialFold(scene, [ellis.id])
const foldAll = (...beats: readonly Beat[]) => foldFrom(opening, ...beats)
const foldFrom = (start: StageFold, ...beats: readonly Beat[]) =>
  beats.reduce((fold, beat) => foldBeat(fold, fold.sequence + 1, beat), start)

const crane = { id: 'character:crane', name: 'Crane' } as const
const spoken = { provider: 'improv', model: 'improv-1' }
const cost = (inputTokens: number, outputTokens: number) => ({
  ...spoken,
  usage: { inputTokens, outputTokens },
})

describe('who is present', () => {
  test('at the opening those whom the scene puts on stage', () => {
    expect(opening.onStage).toEqual(['mara', 'pip'])
    expect(opening.seats).toEqual(['seat:Ellis'])
  })

  test('an entrance adds, at the end, and once', () => {
    const entered = foldAll(
      entrance({ author: crane, character: 'crane' }),
      entrance({ author: crane, character: 'crane' }),
    )

    expect(entered.onStage).toEqual(['mara', 'pip', 'crane'])
  })

  test('an exit takes away, and one who comes back stands last', () => {
    const left = foldAll(exit({ author: mara, character: 'mara' }))

    expect(left.onStage).toEqual(['pip'])
    expect(foldFrom(left, entrance({ author: mara, character: 'mara' })).onStage).toEqual([
      'pip',
      'mara',
    ])
  })

  test('a person in a new seat is present from the first thing it does', () => {
    const roe = { id: 'seat:Roe', name: 'Roe' } as const

    expect(foldAll(line({ author: roe }), line({ author: roe })).seats).toEqual([
      'seat:Ellis',
      'seat:Roe',
    ])
    expect(foldAll(world({ author: roe })).seats).toEqual(['seat:Ellis', 'seat:Roe'])
  })
})

describe('who spoke', () => {
  test('the last speaker is the last character that spoke, whoever did after it', () => {
    const fold = foldAll(line({ author: mara }), line({ author: ellis }), narration())

    expect(fold.lastSpeaker).toBe('mara')
  })

  test('since a person’s line each character counts once, in order', () => {
    const fold = foldAll(
      line({ author: crane }),
      line({ author: ellis }),
      line({ author: pip }),
      line({ author: mara }),
      line({ author: pip }),
    )

    expect(fold.spokenSincePerson).toEqual(['pip', 'mara'])
  })

  test('entrances, exits and changes of world are not speaking', () => {
    const fold = foldAll(entrance({ author: crane, character: 'crane' }), world(), exit())

    expect(fold.lastSpeaker).toBeUndefined()
    expect(fold.spokenSincePerson).toEqual([])
  })

  test('beats since a person’s line are counted, whoever they come from', () => {
    expect(foldAll(line(), narration(), whisper(), exit()).autoBeats).toBe(4)
    expect(foldAll(line(), line({ author: ellis }), narration()).autoBeats).toBe(1)
    expect(foldAll(line(), whisper({ author: ellis })).autoBeats).toBe(0)
    expect(foldAll(line(), narration(), whisper(), exit()).beats).toBe(4)
  })
})

describe('the last thing said', () => {
  test('is the newest line of a character or a person', () => {
    const fold = foldAll(line({ text: 'One.' }), line({ author: ellis, text: 'Two.' }), narration())

    expect(fold.lastSaid).toEqual({ author: 'seat:Ellis', text: 'Two.' })
  })

  test('is never a whisper', () => {
    const secret = { text: 'Psst.' }

    expect(foldAll(whisper(secret)).lastSaid).toBeUndefined()
    expect(foldAll(whisper({ author: ellis, ...secret })).lastSaid).toBeUndefined()
    expect(
      foldAll(line({ text: 'Aloud.' }), whisper(secret), whisper({ author: ellis, ...secret }))
        .lastSaid,
    ).toEqual({ author: 'character:pip', text: 'Aloud.' })
  })

  test('is not a line that only some heard', () => {
    expect(foldAll(line({ ...hears(mara.id), text: 'Psst.' })).lastSaid).toBeUndefined()
  })
})

describe('what was spent', () => {
  test('is counted for the character and for the scene', () => {
    const fold = foldAll(
      line(cost(100, 10)),
      whisper(cost(1, 2)),
      line({ author: mara, ...cost(30, 3) }),
      world({ changes: [], ...cost(5, 5) }),
    )

    expect(fold.tokens).toEqual({ pip: 123, mara: 33 })
    expect(fold.sceneTokens).toBe(156)
  })

  test('the narrator’s counts for the scene alone', () => {
    const fold = foldAll(narration({ ...cost(40, 2) }), world({ author: narrator, ...cost(8, 0) }))

    expect(fold.tokens).toEqual({})
    expect(fold.sceneTokens).toBe(50)
  })

  test('a character called constructor starts at nothing', () => {
    const author = { id: 'character:constructor', name: 'Constructor' } as const

    const fold = foldAll(line({ author, ...cost(1, 2) }))

    expect(tokensOf(opening, 'constructor')).toBe(0)
    expect(conflictsOf(opening, 'constructor')).toEqual([])
    expect(tokensOf(fold, 'constructor')).toBe(3)
    expect(stageFold.parse(JSON.parse(JSON.stringify(fold)))).toEqual(fold)
  })
})

describe('conflicts', () => {
  const lost = conflict('door', 'open', 'barred')

  test('of a character’s changes are kept for it until its next answer', () => {
    const fold = foldAll(line({ changes: [applied('bowl', 1), lost] }))

    expect(conflictsOf(fold, 'pip')).toEqual([lost])
    expect(conflictsOf(foldFrom(fold, line({ author: mara }), narration()), 'pip')).toEqual([lost])
    expect(conflictsOf(foldFrom(fold, line()), 'pip')).toEqual([])
    expect(conflictsOf(foldFrom(fold, world({ changes: [] })), 'pip')).toEqual([])
    expect(conflictsOf(foldFrom(fold, whisper(spoken)), 'pip')).toEqual([])
  })

  test('make room for new ones with the next answer', () => {
    const other = conflict('bowl', 'a', 'b')

    const fold = foldAll(line({ changes: [lost] }), line({ changes: [other] }))

    expect(conflictsOf(fold, 'pip')).toEqual([other])
  })

  test('outlive the whispers and the exit that come with the same answer', () => {
    const fold = foldAll(line({ changes: [lost], ...spoken }), whisper(), exit())

    expect(conflictsOf(fold, 'pip')).toEqual([lost])
  })

  test('of a whispered answer stand in the beat beside it', () => {
    const fold = foldAll(whisper(spoken), world({ changes: [lost] }))

    expect(conflictsOf(fold, 'pip')).toEqual([lost])
  })

  test('of different characters do not touch', () => {
    const fold = foldAll(line({ changes: [lost] }), line({ author: mara, changes: [lost] }), line())

    expect(fold.conflicts).toEqual({ mara: [lost] })
  })
})

describe('any run of beats', () => {
  const author = fc.constantFrom(mara, pip, crane, ellis, narrator)
  const character = fc.constantFrom('mara', 'pip', 'crane')
  const changes = fc.array(
    fc.constantFrom(applied('a', 1), conflict('a', 'x', 'y'), applied('b', 2, ['mara'])),
    { maxLength: 2 },
  )
  const usage = fc.record({ inputTokens: fc.nat(99), outputTokens: fc.nat(99) })
  const beats = fc.array(
    fc.oneof(
      fc.record({ author, changes, usage, text: fc.string() }).map(line),
      fc.record({ author, usage, text: fc.string() }).map(whisper),
      fc.record({ author, changes, usage }).map(world),
      fc.record({ character }).map(entrance),
      fc.record({ character }).map(exit),
      fc.record({ text: fc.string() }).map(narration),
    ),
    { maxLength: 20 },
  )

  test('folds to what its own schema reads back', () => {
    fc.assert(
      fc.property(beats, (all) => {
        const fold = foldAll(...all)

        expect(stageFold.parse(JSON.parse(JSON.stringify(fold)))).toEqual(fold)
      }),
    )
  })

  test('is folded once, however often a beat comes', () => {
    fc.assert(
      fc.property(beats, fc.nat(20), (all, back) => {
        const fold = foldAll(...all)
        const again = all.slice(Math.max(0, all.length - back))

        const first = all.length - again.length + 1
        const repeated = again.reduce(
          (kept, beat, index) => foldBeat(kept, first + index, beat),
          fold,
        )

        expect(repeated).toBe(fold)
      }),
    )
  })

  test('folds the same when the beginning comes from a kept fold', () => {
    fc.assert(
      fc.property(beats, fc.nat(20), (all, at) => {
        const kept = stageFold.parse(JSON.parse(JSON.stringify(foldAll(...all.slice(0, at)))))

        expect(foldFrom(kept, ...all.slice(at))).toEqual(foldAll(...all))
      }),
    )
  })

  test('leaves the fold it started from as it was', () => {
    fc.assert(
      fc.property(beats, (all) => {
        const before = JSON.stringify(opening)

        foldAll(...all)

        expect(JSON.stringify(opening)).toBe(before)
      }),
    )
  })
})
