/** Records as the tool shows them: mailboxes are actors there, and a message says when it last changed. */
import {
  asJson,
  assertNever,
  type JsonValue,
  type MailboxMessage,
  type MailboxRecord,
  mailboxStatus,
} from 'dsh-fabric-protocol'
import type { Claim, Snapshot } from '../mesh.ts'
import { tokenShown } from './token.ts'

export function shownActor(mailbox: MailboxRecord): JsonValue {
  return asJson({ ...mailbox, status: mailboxStatus(mailbox) })
}

export function shownMessage(message: MailboxMessage, more: object = {}): JsonValue {
  const { mailboxId: actorId, sentAt: createdAt, ...rest } = message
  return asJson({ actorId, ...rest, createdAt, updatedAt: changedAt(message), ...more })
}

export function shownTotals(totals: Snapshot['totals']) {
  const { topics, topicMessages, states, mailboxes, mailboxMessages } = totals
  return { topics, topicMessages, states, actors: mailboxes, actorMessages: mailboxMessages }
}

/** The one answer that has a token: to whom the claim is. */
export function shownClaim({ message, token }: Claim): JsonValue {
  return shownMessage(message, { claimToken: tokenShown({ token, mailboxId: message.mailboxId }) })
}

function changedAt(message: MailboxMessage): number {
  switch (message.status) {
    case 'queued':
      return message.sentAt
    case 'claimed':
      return message.claimedAt
    case 'completed':
    case 'failed':
      return message.settledAt
    case 'dead':
      return message.diedAt
    default:
      return assertNever(message)
  }
}
