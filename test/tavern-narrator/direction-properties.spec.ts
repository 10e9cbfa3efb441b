import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { direct } from '../../packages/dsh-tavern-narrator/src/direction.ts'
import type {
  DirectedMember,
  DirectionInput,
  DirectionRequest,
} from '../../packages/dsh-tavern-narrator/src/direction.ts'

const ids = ['mara', 'ivo', 'tess', 'tom', 'old-tom', 'guan']
const someIds = fc.subarray(ids)
const text = fc
  .array(fc.constantFrom('Mara', 'Ivo', 'tess', 'Old', 'Tom', '关云长', 'hello', ',', '\n', 'не'))
  .map((words) => words.join(' '))
const author = fc.constantFrom('seat:you', 'narrator', ...ids.map((id) => `character:${id}`))
const trigger = fc.record({ author, text })

const nameOf: Readonly<Record<string, string>> = {
  'old-tom': 'Old Tom',
  guan: '关云长',
  tom: 'Ivo',
}
const anyMembers: fc.Arbitrary<readonly DirectedMember[]> = fc
  .tuple(
    ...ids.map((id) =>
      fc.record({
        id: fc.constant(id),
        names: fc.constant([nameOf[id] ?? id]),
        talkativeness: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
        muted: fc.boolean(),
        onStage: fc.boolean(),
      }),
    ),
  )
  .chain((cast) => fc.shuffledSubarray(cast))

const anyRequest: fc.Arbitrary<DirectionRequest> = fc.oneof(
  fc.record(
    { kind: fc.constant('line' as const), trigger, audience: someIds },
    { requiredKeys: ['kind', 'trigger'] },
  ),
  fc.record({ kind: fc.constant('auto' as const), trigger }, { requiredKeys: ['kind'] }),
  fc.record({ kind: fc.constant('delegate' as const), actor: fc.constantFrom(...ids) }),
)

const anyInput: fc.Arbitrary<DirectionInput> = fc.record(
  {
    direction: fc.constantFrom('natural', 'rota', 'pooled', 'manual'),
    selfResponses: fc.boolean(),
    members: anyMembers,
    request: anyRequest,
    lastSpeaker: fc.constantFrom(...ids),
    spokenSincePerson: someIds,
    rotaLast: fc.constantFrom(...ids),
    seed: fc.string(),
    limit: fc.integer({ min: 0, max: 8 }),
  },
  {
    requiredKeys: [
      'direction',
      'selfResponses',
      'members',
      'request',
      'spokenSincePerson',
      'seed',
      'limit',
    ],
  },
)

const acting = (input: DirectionInput) => direct(input).actors.map(({ character }) => character)
const mayAct = (input: DirectionInput) =>
  input.members.filter((member) => member.onStage && !member.muted).map((member) => member.id)
const isAuto = (input: DirectionInput) => input.request.kind === 'auto'
const authorOf = ({ request }: DirectionInput) =>
  request.kind === 'delegate' ? undefined : request.trigger?.author
const lastOf = (input: DirectionInput) => {
  const by = authorOf(input)
  return by?.startsWith('character:') ? by.slice('character:'.length) : input.lastSpeaker
}
const check = (holds: (input: DirectionInput) => void) =>
  fc.assert(fc.property(anyInput, holds), { numRuns: 500 })

const cast = (talkativeness: Readonly<Record<string, number>>) =>
  Object.entries(talkativeness).map(([id, talks]) => ({
    id,
    names: [id],
    talkativeness: talks,
    muted: false,
    onStage: true,
  }))
const shares = (input: Omit<DirectionInput, 'seed'>, seeds = 2000) => {
  const counts: Record<string, number> = {}
  for (let seed = 0; seed < seeds; seed++) {
    for (const id of acting({ ...input, seed: `inn.1/${seed}` })) {
      counts[id] = (counts[id] ?? 0) + 1
    }
  }
  return Object.fromEntries(Object.entries(counts).map(([id, count]) => [id, count / seeds]))
}

describe('every plan', () => {
  test('holds only distinct members that are on stage and, unless delegated, unmuted', () => {
    check((input) => {
      const found = acting(input)

      expect(new Set(found).size).toBe(found.length)
      const onStage = input.members.filter((member) => member.onStage).map((member) => member.id)
      const allowed = input.request.kind === 'delegate' ? onStage : mayAct(input)
      for (const id of found) expect(allowed).toContain(id)
    })
  })

  test('stays within the limit and the audience', () => {
    check((input) => {
      const isWhisper = input.request.kind === 'line' && input.request.audience !== undefined
      const audience = (isWhisper && input.request.audience) || ids

      const found = acting(input)

      expect(found.length).toBeLessThanOrEqual(input.limit)
      for (const id of found) expect(audience).toContain(id)
    })
  })

  test('has actors or says why it has none, never both', () => {
    check((input) => {
      const plan = direct(input)

      expect(plan.actors.length > 0).toBe(plan.nobody === undefined)
    })
  })

  test('follows from its input alone', () => {
    check((input) => {
      const before = JSON.stringify(input)

      const plan = direct(input)

      expect(direct(structuredClone(input))).toEqual(plan)
      expect(JSON.stringify(input)).toBe(before)
    })
  })

  test('records draws in [0, 1) with words', () => {
    check((input) => {
      for (const { what, value, outcome } of direct(input).draws) {
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThan(1)
        expect(what).not.toBe('')
        expect(outcome).not.toBe('')
      }
    })
  })

  test('of auto never lets a character go on by itself while another may act', () => {
    check((input) => {
      fc.pre(isAuto(input) && !input.selfResponses && authorOf(input) !== 'seat:you')
      const last = lastOf(input)
      fc.pre(input.direction === 'natural' || mayAct(input).some((id) => id !== last))

      expect(acting(input)).not.toContain(last)
    })
  })

  test('of auto has an actor whenever another that talks unasked may act', () => {
    check((input) => {
      const talkers = input.members.filter((member) => member.talkativeness > 0)
      const able = new Set(mayAct(input))
      fc.pre(isAuto(input) && input.limit > 0)
      fc.pre(talkers.some(({ id }) => able.has(id) && id !== lastOf(input)))

      expect(acting(input).length).toBeGreaterThan(0)
    })
  })

  test('of pooled, and of auto in rota or manual, has one actor at most', () => {
    check((input) => {
      fc.pre(input.request.kind !== 'line' || input.request.audience === undefined)
      fc.pre(input.direction === 'pooled' || (isAuto(input) && input.direction !== 'natural'))

      expect(acting(input).length).toBeLessThanOrEqual(1)
    })
  })
})

describe('over many seeds', () => {
  const base = {
    selfResponses: false,
    request: { kind: 'line', trigger: { author: 'seat:you', text: 'hm' } } as const,
    spokenSincePerson: [],
    limit: 8,
  }

  test('each acts as often as it is talkative', () => {
    // One always talks, so that the fallback adds nothing to the others.
    const members = cast({ always: 1, often: 0.8, even: 0.5, seldom: 0.1, never: 0 })

    const found = shares({ ...base, direction: 'natural', members })

    expect(found['always']).toBe(1)
    expect(found['often']).toBeGreaterThan(0.75)
    expect(found['often']).toBeLessThan(0.85)
    expect(found['even']).toBeGreaterThan(0.45)
    expect(found['even']).toBeLessThan(0.55)
    expect(found['seldom']).toBeGreaterThan(0.07)
    expect(found['seldom']).toBeLessThan(0.13)
    expect(found).not.toHaveProperty('never')
  })

  test('a low limit favours nobody by its place in the cast', () => {
    const members = cast({ first: 1, second: 1, third: 1, fourth: 1 })

    const found = shares({ ...base, direction: 'natural', members, limit: 1 })

    expect(Object.keys(found)).toHaveLength(4)
    for (const share of Object.values(found)) expect(Math.abs(share - 0.25)).toBeLessThan(0.05)
  })

  test('a pool draws each as often, whatever its talkativeness', () => {
    const members = cast({ loud: 1, even: 0.5, never: 0 })

    const found = shares({ ...base, direction: 'pooled', members })

    expect(Object.keys(found)).toHaveLength(3)
    for (const share of Object.values(found)) expect(Math.abs(share - 1 / 3)).toBeLessThan(0.05)
  })
})
