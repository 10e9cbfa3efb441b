/** How a message ended: what every engine stores of an outcome, and which messages nobody works on any more. */
import type { EndedMessage, MailboxMessage, SettleOutcome } from 'dsh-fabric-protocol'
import { checkErrorText, encodeJson } from './bounds.ts'

export interface EncodedOutcome {
  readonly status: SettleOutcome['status']
  /** The result, or the error text. */
  readonly json: string
}

export function encodeOutcome(
  mailboxId: string,
  outcome: SettleOutcome,
  limitBytes: number,
): EncodedOutcome {
  if (outcome.status === 'failed') {
    return { status: outcome.status, json: JSON.stringify(checkErrorText(outcome.error)) }
  }
  const json = encodeJson(`result for mailbox '${mailboxId}'`, outcome.result, limitBytes)
  return { status: outcome.status, json }
}

export function isEnded(message: MailboxMessage): message is EndedMessage {
  const { status } = message
  return status === 'completed' || status === 'failed' || status === 'dead'
}
