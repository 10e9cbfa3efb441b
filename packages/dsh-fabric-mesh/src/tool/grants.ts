/** Which mailboxes an agent may claim from, and whose claims it may take back. */
import type { MailboxRecord } from 'dsh-fabric-protocol'
import { MeshToolError } from './error.ts'

export interface GrantsConfig {
  /** Mailbox ids; one that ends in `*` is the beginning of many. */
  readonly claims: readonly string[]
  readonly operator: boolean
}

export class Grants {
  readonly operator: boolean
  readonly #claims: readonly string[]

  /** Fails for a `*` that is not the end. */
  constructor({ claims, operator }: GrantsConfig) {
    const wrong = claims.find((pattern) => pattern === '' || pattern.slice(0, -1).includes('*'))
    if (wrong !== undefined) {
      throw new TypeError(`claims: '${wrong}' must be a mailbox id, or end in its only '*'`)
    }
    this.operator = operator
    this.#claims = claims
  }

  /** An agent claims from a mailbox that it made itself, or that its row names. */
  requireClaim(mailbox: MailboxRecord, agentId: string): void {
    if (mailbox.by === agentId || this.#names(mailbox.id)) return
    throw new MeshToolError({
      code: 'forbidden',
      message: `you may not claim from '${mailbox.id}': claim from actors that you created or were given`,
      argument: 'actor_id',
    })
  }

  #names(mailboxId: string): boolean {
    return this.#claims.some((pattern) =>
      pattern.endsWith('*') ? mailboxId.startsWith(pattern.slice(0, -1)) : mailboxId === pattern,
    )
  }
}
