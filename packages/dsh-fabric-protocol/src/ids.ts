/** Branded ids of the mesh: a topic's id is not an actor's, though both are text. */
import { z } from 'zod'

/** Limit of an id, key or token, in bytes of UTF-8. */
export const maximumIdBytes = 256

const encoder = new TextEncoder()

/** Any id, key or token: not blank, 1 to 256 bytes of UTF-8. */
export const idText = z.string().refine(isIdText, {
  error: `must be 1 to ${maximumIdBytes} bytes of UTF-8 and not blank`,
})

/** The schema of one id, and its factory, which throws a TypeError. */
function branded<Name extends string>(name: Name) {
  const schema = idText.brand<Name>()
  const make = (value: string) => {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    const found = value.trim() === '' ? 'blank text' : `${encoder.encode(value).length} bytes`
    throw new TypeError(`${name} must be 1 to ${maximumIdBytes} bytes of UTF-8, found ${found}`)
  }
  return [schema, make] as const
}

export const [topicId, TopicId] = branded('TopicId')
export type TopicId = z.infer<typeof topicId>

export const [topicMessageId, TopicMessageId] = branded('TopicMessageId')
export type TopicMessageId = z.infer<typeof topicMessageId>

export const [stateKey, StateKey] = branded('StateKey')
export type StateKey = z.infer<typeof stateKey>

/** An actor is known by its mailbox: the two share one id. */
export const [actorId, ActorId] = branded('ActorId')
export type ActorId = z.infer<typeof actorId>

export const [actorMessageId, ActorMessageId] = branded('ActorMessageId')
export type ActorMessageId = z.infer<typeof actorMessageId>

export const [claimToken, ClaimToken] = branded('ClaimToken')
export type ClaimToken = z.infer<typeof claimToken>

function isIdText(value: string): boolean {
  return value.trim() !== '' && encoder.encode(value).length <= maximumIdBytes
}
