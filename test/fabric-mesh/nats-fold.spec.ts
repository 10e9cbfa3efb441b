/** What a mailbox's log comes to, without a server: the fold of letters and commands. */
import { array, assert, constantFrom, nat, oneof, property, record } from 'fast-check'
import { expect, it } from 'vitest'
import { Fold, type Terms } from '../../packages/dsh-fabric-mesh/src/nats/fold.ts'

/** A log as it grows, with what is known of each letter beside the fold. */
class Log {
  readonly fold: Fold
  readonly sent: number[] = []
  readonly claimed: number[] = []
  readonly settled: number[] = []
  readonly pruned = new Set<number>()
  private last = 0

  constructor(terms: Terms = {}) {
    this.fold = new Fold(terms, 0)
  }

  send(): number {
    this.last += 1
    this.fold.add(this.last, { at: this.last })
    this.sent.push(this.last)
    return this.last
  }

  claim(at = this.last + 1): string {
    this.last += 1
    const digest = `claim ${this.last}`
    const claim = this.fold.claim({ worker: 'mara', nonce: digest, digest, at })
    if (claim !== undefined) this.claimed.push(claim.sequence)
    return digest
  }

  settle(of: number): void {
    const open = this.fold.at(of, this.last)
    if (open?.status !== 'claimed') throw new Error(`letter ${of} is not claimed`)
    this.last += 1
    this.fold.settle(this.last, {
      of,
      attempt: open.attempts,
      digest: open.ticket.digest,
      call: `call ${this.last}`,
      worker: open.ticket.worker,
      claimedAt: open.ticket.at,
      at: this.last,
      status: 'completed',
      outcome: null,
    })
    this.claimed.splice(this.claimed.indexOf(of), 1)
    this.settled.push(of)
  }

  /** The oldest settled letters but so many go. */
  prune(retain: number): void {
    const kept = this.settled.filter((each) => !this.pruned.has(each)).toSorted((a, b) => a - b)
    const removed = kept.slice(0, Math.max(0, kept.length - retain))
    const through = removed.at(-1)
    if (through === undefined) return
    const asOf = this.last
    const spared = this.fold.openSequences().filter((each) => each <= through)
    this.last += 1
    const completed = removed.length
    this.fold.prune(this.last, { asOf, through, spared, completed, failed: 0, at: this.last })
    for (const each of removed) this.pruned.add(each)
  }

  gone(): readonly number[] {
    return this.sent.filter((each) => this.fold.isGone(each))
  }
}

it('a later prune of less hides no message that is open', () => {
  const log = new Log()
  for (let count = 0; count < 4; count += 1) log.send()
  for (let count = 0; count < 4; count += 1) log.claim()
  log.settle(3)
  log.settle(4)
  log.prune(0)
  log.settle(1)

  log.prune(0)

  expect(log.gone()).toEqual([1, 3, 4])
})

it('exactly what prunes removed is gone, whatever is settled in which order', () => {
  const step = oneof(
    record({ kind: constantFrom('send', 'claim'), number: nat(0) }),
    record({ kind: constantFrom('settle'), number: nat(7) }),
    record({ kind: constantFrom('prune'), number: nat(1) }),
  )
  assert(
    property(array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const log = new Log()
      for (const { kind, number } of steps) {
        if (kind === 'send') log.send()
        else if (kind === 'claim') log.claim()
        else if (kind === 'prune') log.prune(number)
        else if (log.claimed.length > 0) {
          log.settle(log.claimed[number % log.claimed.length] ?? 0)
        }
        expect(log.gone()).toEqual(log.sent.filter((each) => log.pruned.has(each)))
        expect(log.fold.completed).toBe(log.settled.length - log.pruned.size)
      }
    }),
    { numRuns: 500 },
  )
})
