/** A claim's token as the agent holds it: it names the mailbox too, so that settling needs no other argument. */
import { invalid } from './error.ts'

export interface HeldToken {
  /** The mesh's own: hex digits. */
  readonly token: string
  readonly mailboxId: string
}

export const TOKEN_BYTES = 1024

export function tokenShown({ token, mailboxId }: HeldToken): string {
  return `${token}@${mailboxId}`
}

export function readToken(shown: string): HeldToken {
  const at = shown.indexOf('@')
  if (at < 1 || at === shown.length - 1) {
    throw invalid('claim_token', 'claim_token must be as claim_actor_message gave it')
  }
  return { token: shown.slice(0, at), mailboxId: shown.slice(at + 1) }
}
