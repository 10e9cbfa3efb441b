/** The tool's actions on claims: taking them, keeping them, ending them. */
import type { JsonValue, SettleOutcome } from 'dsh-fabric-protocol'
import { ERROR_BYTES } from '../bounds.ts'
import type { Claim } from '../mesh.ts'
import type { Arguments } from './arguments.ts'
import type { Caller } from './caller.ts'
import { invalid, MeshToolError } from './error.ts'
import { shownClaim, shownMessage } from './records.ts'
import { type HeldToken, readToken, TOKEN_BYTES } from './token.ts'

/**
 * Null when there is nothing to claim. What the agent holds from before a restart comes first; with `message_id`, what
 * it holds of that message, as often as it asks.
 */
export async function claimMessage(given: Arguments, caller: Caller): Promise<JsonValue> {
  const mailboxId = await claimable(given, caller)
  const { mailboxes } = caller.reach
  if (given.has('message_id')) {
    const held = await mailboxes.claimsOf(mailboxId, caller.worker)
    return shownClaim(claimOf(held, given.id('message_id')))
  }
  const claim = await unhanded(caller, mailboxId)
  return answered(caller, claim ?? (await mailboxes.claim(mailboxId, caller.worker)))
}

/** Claims the next message as soon as there is one; null when there was none in time. */
export async function waitForMailbox(
  given: Arguments,
  caller: Caller,
  signal: AbortSignal,
): Promise<JsonValue> {
  const mailboxId = await claimable(given, caller)
  const claim = await unhanded(caller, mailboxId)
  const { mailboxes } = caller.reach
  return answered(caller, claim ?? (await mailboxes.claimNext(mailboxId, caller.worker, signal)))
}

/** Null when it was not settled in time. */
export async function waitForSettled(
  given: Arguments,
  caller: Caller,
  signal: AbortSignal,
): Promise<JsonValue> {
  const { mailboxes } = caller.reach
  const mailboxId = given.id('actor_id')
  const ended = await mailboxes.whenSettled(mailboxId, given.id('message_id'), signal)
  return ended === undefined ? null : shownMessage(ended)
}

export async function extendClaim(given: Arguments, caller: Caller): Promise<JsonValue> {
  const { mailboxId, token } = heldToken(given)
  const messageId = given.id('message_id')
  return shownMessage(await caller.reach.mailboxes.extend(mailboxId, messageId, { token }))
}

export async function settleMessage(given: Arguments, caller: Caller): Promise<JsonValue> {
  const { mailboxId, token } = heldToken(given)
  const messageId = given.id('message_id')
  const request = { token, outcome: outcomeIn(given) }
  return shownMessage(await caller.reach.mailboxes.settle(mailboxId, messageId, request))
}

/** An agent gives back what it holds; an operator takes back anybody's claim, and revives what is dead. */
export async function releaseMessage(given: Arguments, caller: Caller): Promise<JsonValue> {
  const { mailboxes } = caller.reach
  const mailboxId = given.has('claim_token') ? heldToken(given).mailboxId : given.id('actor_id')
  const messageId = given.id('message_id')
  const reason = given.text('reason', ERROR_BYTES)
  if (!caller.grants.operator) {
    const held = await mailboxes.claimsOf(mailboxId, caller.worker)
    if (!held.some(({ message }) => message.id === messageId)) throw notYours(messageId)
  }
  const released = await mailboxes.release(mailboxId, messageId, { reason, ...caller.author })
  // a queued message has no time of its own for this; the release is the newest there is of it
  return shownMessage(released, { updatedAt: Date.now() })
}

async function claimable(given: Arguments, caller: Caller): Promise<string> {
  const mailboxId = given.id('actor_id')
  const mailbox = await caller.reach.mailboxes.find(mailboxId)
  if (mailbox === undefined) throw noActor(mailboxId)
  caller.grants.requireClaim(mailbox, caller.worker.id)
  return mailboxId
}

async function unhanded(caller: Caller, mailboxId: string): Promise<Claim | undefined> {
  const { agent, reach, unhandedClaims, worker } = caller
  return await unhandedClaims.take(reach.mailboxes, { agent, worker, mailboxId })
}

/** The host drops the answer of an aborted call: what it claimed is the agent's next. */
function answered(caller: Caller, claim: Claim | undefined): JsonValue {
  if (claim === undefined) return null
  if (caller.signal.aborted) caller.unhandedClaims.giveBack(caller.agent, claim)
  return shownClaim(claim)
}

function claimOf(held: readonly Claim[], messageId: string): Claim {
  const claim = held.find(({ message }) => message.id === messageId)
  if (claim === undefined) throw notYours(messageId)
  return claim
}

function heldToken(given: Arguments): HeldToken {
  const held = readToken(given.text('claim_token', TOKEN_BYTES))
  const mailboxId = given.optionalId('actor_id') ?? held.mailboxId
  if (mailboxId === held.mailboxId) return held
  throw invalid('actor_id', `claim_token is of '${held.mailboxId}', not of '${mailboxId}'`)
}

/** Exactly one of the two; an empty error is none, as models send it. */
function outcomeIn(given: Arguments): SettleOutcome {
  if (given.hasJson('value') === given.has('error')) {
    throw invalid('value', 'settle_actor_message needs value or error, and not both')
  }
  return given.has('error')
    ? { status: 'failed', error: given.text('error', ERROR_BYTES) }
    : { status: 'completed', result: given.json('value') }
}

function notYours(messageId: string): MeshToolError {
  return new MeshToolError({
    code: 'forbidden',
    message: `you hold no claim of message '${messageId}'`,
    argument: 'message_id',
  })
}

function noActor(mailboxId: string): MeshToolError {
  return new MeshToolError({
    code: 'not-found',
    message: `there is no actor '${mailboxId}'`,
    argument: 'actor_id',
  })
}
