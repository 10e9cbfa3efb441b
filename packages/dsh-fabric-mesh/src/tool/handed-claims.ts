/** The claims each live agent has been handed: what it still holds from before, it is handed first. */
import type { Claim } from '../mesh.ts'

type Handed = Map<string, ReadonlySet<string>>

export class HandedClaims {
  /** Tokens by mailbox, by the live agent: one that is resumed begins anew. */
  readonly #tokens = new WeakMap<object, Handed>()

  /** Of the claims that the agent holds in this mailbox, one that it was not handed yet. */
  forgotten(agent: object, mailboxId: string, held: readonly Claim[]): Claim | undefined {
    const handed = this.#of(agent)
    const known = handed.get(mailboxId)
    const still = held.filter(({ token }) => known?.has(token))
    handed.set(mailboxId, new Set(still.map(({ token }) => token)))
    return held.find(({ token }) => !known?.has(token))
  }

  hand(agent: object, claim: Claim): Claim {
    const handed = this.#of(agent)
    const { mailboxId } = claim.message
    handed.set(mailboxId, new Set([...(handed.get(mailboxId) ?? []), claim.token]))
    return claim
  }

  #of(agent: object): Handed {
    const handed = this.#tokens.get(agent) ?? new Map()
    this.#tokens.set(agent, handed)
    return handed
  }
}
