import {
  ActorId,
  actorId,
  ActorMessageId,
  ClaimToken,
  StateKey,
  TopicId,
  TopicMessageId,
} from 'dsh-fabric-protocol'
import { describe, expect, expectTypeOf, test } from 'vitest'

const factories = { ActorId, ActorMessageId, ClaimToken, StateKey, TopicId, TopicMessageId }

describe.each(Object.entries(factories))('%s', (name, make) => {
  test('is the text it was made of', () => {
    expect(make('酒馆/1')).toBe('酒馆/1')
  })

  test('holds 256 bytes of UTF-8 and no more', () => {
    const longest = '酒'.repeat(85) + 'a'

    expect(make(longest)).toBe(longest)
    expect(() => make(`${longest}b`)).toThrow(
      new TypeError(`${name} must be 1 to 256 bytes of UTF-8, found 257 bytes`),
    )
  })

  test.each(['', ' ', '\n\t'])('is never blank: %j', (blank) => {
    expect(() => make(blank)).toThrow(
      new TypeError(`${name} must be 1 to 256 bytes of UTF-8, found blank text`),
    )
  })
})

test('an id of one kind is not an id of another', () => {
  expectTypeOf<TopicId>().toExtend<string>()
  expectTypeOf<TopicId>().not.toExtend<ActorId>()
  expectTypeOf<string>().not.toExtend<TopicId>()
})

test('an id schema refuses what the factory refuses', () => {
  expect(actorId.safeParse('mara').success).toBe(true)
  expect(actorId.safeParse(' ').success).toBe(false)
  expect(actorId.safeParse(7).success).toBe(false)
})
