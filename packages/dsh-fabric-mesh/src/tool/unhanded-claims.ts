/** The claims that each live agent holds and was not told of: from before a restart, or won by a call that was aborted. */
import type { Claim, Mailboxes, Worker } from '../mesh.ts'

export interface Holder {
  /** By its identity: an agent that is resumed is another, and told anew. */
  readonly agent: object
  readonly worker: Worker
  readonly mailboxId: string
}

export class UnhandedClaims {
  /** Tokens, by agent and mailbox; a mailbox that is not there was not looked into yet. */
  readonly #tokens = new WeakMap<object, Map<string, Set<string>>>()

  /** The oldest of them, which counts as handed from now on. The mesh is asked only while there may be one. */
  async take(
    mailboxes: Pick<Mailboxes, 'claimsOf'>,
    { agent, worker, mailboxId }: Holder,
  ): Promise<Claim | undefined> {
    const boxes = this.#of(agent)
    const known = boxes.get(mailboxId)
    if (known?.size === 0) return undefined
    const held = await mailboxes.claimsOf(mailboxId, worker)
    const [first, ...others] = held.filter(({ token }) => known?.has(token) ?? true)
    boxes.set(mailboxId, new Set(others.map(({ token }) => token)))
    return first
  }

  /** The answer with this claim does not reach the agent. */
  giveBack(agent: object, { message, token }: Claim): void {
    const boxes = this.#of(agent)
    boxes.set(message.mailboxId, new Set([...(boxes.get(message.mailboxId) ?? []), token]))
  }

  #of(agent: object): Map<string, Set<string>> {
    const boxes = this.#tokens.get(agent) ?? new Map()
    this.#tokens.set(agent, boxes)
    return boxes
  }
}
