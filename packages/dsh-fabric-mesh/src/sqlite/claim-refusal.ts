/** What a worker is told whose claim does not stand. */
import type { ClaimRelease } from 'dsh-fabric-protocol'
import { MeshError } from '../error.ts'
import { type MailRow, statusOf } from './desk.ts'

export interface LostClaim {
  /** The token was that of a claim of this message. */
  readonly wasReleased: boolean
  /** Every release from that claim on. */
  readonly since: readonly ClaimRelease[]
}

export function claimLost(mailboxId: string, row: MailRow, lost: LostClaim): MeshError {
  const { wasReleased, since } = lost
  const status = statusOf(row)
  const [first] = since
  const who = first?.kind === 'operator' ? ` by '${first.by}'` : ''
  const taken = first === undefined ? '' : `${who} (${first.reason})`
  const found = wasReleased
    ? `its claim was released${taken}, and the message is ${status} now`
    : 'the token is not that of its claim'
  return new MeshError(
    'claim-lost',
    `message '${row.id}' of mailbox '${mailboxId}' cannot be settled: ${found}`,
    { detail: { mailboxId, messageId: row.id, status, since } },
  )
}

export function notClaimed(mailboxId: string, row: MailRow): MeshError {
  const message = `message '${row.id}' of mailbox '${mailboxId}' is not claimed: it is ${statusOf(row)}`
  return new MeshError('not-claimed', message, { detail: { mailboxId, messageId: row.id } })
}
