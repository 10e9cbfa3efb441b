/** Claim tokens: derived from the worker's secret, so that a restarted worker finds its own again and no one else can. */
import { createHash, createHmac } from 'node:crypto'

export interface ClaimPlace {
  readonly identity: string
  readonly mailboxId: string
  readonly sequence: number
  /** 1 for the first claim of the message; a claim after a release has another token. */
  readonly attempt: number
}

export function claimToken(secret: string, claim: ClaimPlace): string {
  const { identity, mailboxId, sequence, attempt } = claim
  const text = JSON.stringify([identity, mailboxId, sequence, attempt])
  return createHmac('sha256', secret).update(text).digest('hex')
}

/** Where a claim is written before anyone knows which message it gets: its own nonce, used once, stands for message and attempt. */
export function nonceToken(
  secret: string,
  claim: { readonly identity: string; readonly mailboxId: string; readonly nonce: string },
): string {
  const { identity, mailboxId, nonce } = claim
  return createHmac('sha256', secret)
    .update(JSON.stringify([identity, mailboxId, nonce]))
    .digest('hex')
}

/** What a store keeps of a token; it proves a token and does not give one away. */
export function tokenDigest(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}
