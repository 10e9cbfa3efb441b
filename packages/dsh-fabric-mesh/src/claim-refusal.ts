/** What a worker is told whose claim does not stand. */
import type { ClaimRelease } from 'dsh-fabric-protocol'
import { MeshError } from './error.ts'

interface Message {
  readonly id: string
  readonly status: string
}

export interface LostClaim {
  /** The token was that of a claim of this message. */
  readonly wasReleased: boolean
  /** Every release from that claim on. */
  readonly since: readonly ClaimRelease[]
}

export function claimLost(mailboxId: string, { id, status }: Message, lost: LostClaim): MeshError {
  const { wasReleased, since } = lost
  const [first] = since
  const who = first?.kind === 'operator' ? ` by '${first.by}'` : ''
  const taken = first === undefined ? '' : `${who} (${first.reason})`
  const found = wasReleased
    ? `its claim was released${taken}, and the message is ${status} now`
    : 'the token is not that of its claim'
  return new MeshError(
    'claim-lost',
    `message '${id}' of mailbox '${mailboxId}' cannot be settled: ${found}`,
    { detail: { mailboxId, messageId: id, status, since } },
  )
}

export function notClaimed(mailboxId: string, { id, status }: Message): MeshError {
  const found = `message '${id}' of mailbox '${mailboxId}' is not claimed: it is ${status}`
  return new MeshError('not-claimed', found, { detail: { mailboxId, messageId: id } })
}
