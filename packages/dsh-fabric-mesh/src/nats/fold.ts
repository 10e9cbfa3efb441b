/**
 * What a mailbox's log comes to: every process folds the same log to the same state, so the place of a command in the log
 * decides it. Times are those that commands carry: no clock of this process is asked.
 */
import type { Prune, Release, Settlement } from './command.ts'
import { Heap } from './heap.ts'

export interface Terms {
  readonly leaseMs?: number
  readonly maxAttempts?: number
}

interface OpenFacts {
  readonly sequence: number
  readonly priority: number
  readonly attempts: number
  readonly releases: readonly Release[]
  /** The last settlement that was sent for it and came too late; 0: none. */
  readonly settled: number
}

export interface Ticket {
  readonly worker: string
  readonly nonce: string
  readonly digest: string
  readonly at: number
  readonly until?: number
}

/** A message that is not settled. */
export type Open =
  | (OpenFacts & { readonly status: 'queued'; readonly availableAt?: number })
  | (OpenFacts & { readonly status: 'claimed'; readonly ticket: Ticket })
  | (OpenFacts & {
      readonly status: 'dead'
      readonly ticket: Ticket
      readonly reason: string
      readonly diedAt: number
    })
export type Claimed = Extract<Open, { status: 'claimed' }>

export interface Dump {
  readonly head: number
  readonly completed: number
  readonly failed: number
  readonly updatedAt: number
  readonly lastPrune: number
  readonly prunedThrough: number
  readonly spared: readonly number[]
  readonly open: readonly Open[]
}

interface Due {
  readonly at: number
  readonly sequence: number
}

const LEASE_ENDED = 'its lease ended'

export interface Counts {
  readonly queued: number
  readonly claimed: number
  readonly dead: number
}

export class Fold {
  private readonly open = new Map<number, Open>()
  private readonly counted = { queued: 0, claimed: 0, dead: 0 }
  readonly terms: Terms
  head = 0
  completed = 0
  failed = 0
  updatedAt: number
  private lastPrune = 0
  private prunedThrough = 0
  private spared = new Set<number>()
  private readonly ready: Heap<Open>
  private readonly delayed: Heap<Due>
  /** Of claims; one that was extended or settled since is passed over. */
  private readonly leases: Heap<Due>

  constructor(terms: Terms, createdAt: number, dump?: Dump) {
    this.terms = terms
    this.updatedAt = dump?.updatedAt ?? createdAt
    this.head = dump?.head ?? 0
    this.completed = dump?.completed ?? 0
    this.failed = dump?.failed ?? 0
    this.lastPrune = dump?.lastPrune ?? 0
    this.prunedThrough = dump?.prunedThrough ?? 0
    this.spared = new Set(dump?.spared)
    const open = dump?.open ?? []
    for (const each of open) this.put(each)
    this.ready = new Heap(
      byPriority,
      open.filter((each) => each.status === 'queued' && each.availableAt === undefined),
    )
    this.delayed = new Heap(byTime, open.flatMap(delayOf))
    this.leases = new Heap(byTime, open.flatMap(leaseOf))
  }

  dump(): Dump {
    const { head, completed, failed, updatedAt, lastPrune, prunedThrough } = this
    const open = Array.from(this.open.values())
    const spared = Array.from(this.spared)
    return { head, completed, failed, updatedAt, lastPrune, prunedThrough, spared, open }
  }

  add(
    sequence: number,
    letter: {
      readonly at: number
      readonly priority?: number | undefined
      readonly availableAt?: number | undefined
    },
  ): void {
    const { at, availableAt, priority = 0 } = letter
    this.head = sequence
    this.updatedAt = at
    const facts = { sequence, priority, attempts: 0, releases: [], settled: 0 }
    if (availableAt === undefined) return this.queue({ status: 'queued', ...facts })
    this.put({ status: 'queued', ...facts, availableAt })
    this.delayed.push({ at: availableAt, sequence })
  }

  /** Undefined when there is nothing to claim at its time. */
  claim(ticket: Omit<Ticket, 'until'>): Claimed | undefined {
    this.pass(ticket.at)
    const first = this.ready.pop()
    if (first === undefined) return undefined
    const { sequence, priority, attempts, releases, settled } =
      this.open.get(first.sequence) ?? first
    const facts = { sequence, priority, attempts: attempts + 1, releases, settled }
    const claimed: Claimed = { status: 'claimed', ...facts, ticket: this.lease(ticket, ticket.at) }
    this.updatedAt = ticket.at
    this.hold(claimed)
    return claimed
  }

  /** Undefined when the claim does not stand at that time. */
  extend(request: {
    readonly of: number
    readonly digest: string
    readonly at: number
  }): Claimed | undefined {
    const { at, digest, of } = request
    this.pass(at)
    const claimed = this.held(of, digest)
    if (claimed === undefined) return undefined
    const extended: Claimed = { ...claimed, ticket: this.lease(claimed.ticket, at) }
    this.hold(extended)
    return extended
  }

  /** Whether it took effect. `sequence`: its own place. */
  settle(sequence: number, settlement: Settlement): boolean {
    const { at, digest, of, status } = settlement
    this.pass(at)
    if (this.held(of, digest) === undefined) {
      const open = this.open.get(of)
      if (open !== undefined) this.put({ ...open, settled: sequence })
      return false
    }
    this.remove(of)
    this.updatedAt = at
    if (status === 'failed') this.failed += 1
    else this.completed += 1
    return true
  }

  /** Undefined when the message is neither claimed nor dead at that time. */
  release(request: {
    readonly of: number
    readonly by: string
    readonly cause?: string | undefined
    readonly reason: string
    readonly at: number
  }): Open | undefined {
    const { at, by, cause, of, reason } = request
    this.pass(at)
    const open = this.open.get(of)
    if (open === undefined || open.status === 'queued') return undefined
    const because = {
      kind: 'operator',
      by,
      reason,
      ...(cause === undefined ? {} : { cause }),
    } as const
    this.takeBack(open, because, at)
    return this.open.get(of)
  }

  /** Whether it took effect: one that did not know of the prune before is void. */
  prune(sequence: number, request: Prune): boolean {
    if (request.asOf < this.lastPrune) return false
    this.lastPrune = sequence
    this.prunedThrough = Math.max(this.prunedThrough, request.through)
    const later = Array.from(this.spared).filter((each) => each > request.through)
    this.spared = new Set([...request.spared, ...later])
    this.completed -= request.completed
    this.failed -= request.failed
    this.updatedAt = request.at
    return true
  }

  openSequences(): readonly number[] {
    return Array.from(this.open.keys())
  }

  /** Which messages are pruned by now, whatever is pruned later. */
  gone(): (sequence: number) => boolean {
    const { prunedThrough, spared } = this // a prune replaces the set
    return (sequence) => sequence <= prunedThrough && !spared.has(sequence)
  }

  /** Whether the message was pruned, though its record may still be there. */
  isGone(sequence: number): boolean {
    return sequence <= this.prunedThrough && !this.spared.has(sequence)
  }

  /** Whether so many claims at that time would each get a message, as far as can be told at once. */
  hasWorkFor(claims: number, now: number): boolean {
    const due = (this.nextDue() ?? Infinity) <= now ? 1 : 0
    return this.ready.size + due >= claims
  }

  counts(now: number): Counts {
    if ((this.nextDue() ?? Infinity) > now) return { ...this.counted }
    const counts = { queued: 0, claimed: 0, dead: 0 }
    for (const open of this.all(now)) counts[open.status] += 1
    return counts
  }

  /** When the next delay passes or lease ends. */
  nextDue(): number | undefined {
    this.dropEndedLeases()
    const delay = this.delayed.first?.at ?? Infinity
    const lease = this.leases.first?.at ?? Infinity
    const due = Math.min(delay, lease)
    return due === Infinity ? undefined : due
  }

  /** The message as it stands at a time: a lease that has ended is over, whether or not the log tells yet. */
  at(sequence: number, now: number): Open | undefined {
    const open = this.open.get(sequence)
    return open?.status === 'claimed' && isOver(open.ticket, now) ? this.ended(open) : open
  }

  *all(now: number): Iterable<Open> {
    for (const sequence of this.open.keys()) {
      const open = this.at(sequence, now)
      if (open !== undefined) yield open
    }
  }

  /** Before a command: delays that have passed by its time, leases that have ended. */
  private pass(now: number): void {
    for (;;) {
      this.dropEndedLeases()
      const lease = this.leases.first
      if (lease === undefined || lease.at > now) break
      const open = this.open.get(lease.sequence)
      if (open?.status === 'claimed') this.place(this.ended(open), lease.at)
    }
    for (
      let due = this.delayed.first;
      due !== undefined && due.at <= now;
      due = this.delayed.first
    ) {
      this.delayed.pop()
      const open = this.open.get(due.sequence)
      if (open?.status !== 'queued') continue
      const { sequence, priority, attempts, releases, settled } = open
      this.queue({ status: 'queued', sequence, priority, attempts, releases, settled })
    }
  }

  private dropEndedLeases(): void {
    for (let lease = this.leases.first; lease !== undefined; lease = this.leases.first) {
      const open = this.open.get(lease.sequence)
      if (open?.status === 'claimed' && open.ticket.until === lease.at) return
      this.leases.pop()
    }
  }

  private held(sequence: number, digest: string): Claimed | undefined {
    const open = this.open.get(sequence)
    return open?.status === 'claimed' && open.ticket.digest === digest ? open : undefined
  }

  private lease(ticket: Omit<Ticket, 'until'>, at: number): Ticket {
    const { leaseMs } = this.terms
    const { worker, nonce, digest, at: claimedAt } = ticket
    const plain = { worker, nonce, digest, at: claimedAt }
    if (leaseMs === undefined) return plain
    return { ...plain, until: at + leaseMs }
  }

  private put(open: Open): void {
    this.remove(open.sequence)
    this.open.set(open.sequence, open)
    this.counted[open.status] += 1
  }

  private remove(sequence: number): void {
    const open = this.open.get(sequence)
    if (open === undefined) return
    this.open.delete(sequence)
    this.counted[open.status] -= 1
  }

  private hold(claimed: Claimed): void {
    const { sequence, ticket } = claimed
    this.put(claimed)
    if (ticket.until !== undefined) this.leases.push({ at: ticket.until, sequence })
  }

  /** What the claim comes to at the end of its lease. */
  private ended(open: Claimed): Open {
    const { ticket } = open
    const because = { kind: 'lease', by: ticket.worker, reason: LEASE_ENDED } as const
    return this.takenBack(open, because, ticket.until ?? ticket.at)
  }

  private takeBack(open: Exclude<Open, { status: 'queued' }>, because: Because, at: number): void {
    this.place(this.takenBack(open, because, at), at)
  }

  private takenBack(open: Exclude<Open, { status: 'queued' }>, because: Because, at: number): Open {
    const { attempts, priority, sequence, settled, ticket } = open
    const taken: Release = {
      ...because,
      attempt: attempts,
      claimedBy: ticket.worker,
      releasedAt: at,
      digest: ticket.digest,
    }
    const facts = { sequence, priority, attempts, settled, releases: [...open.releases, taken] }
    const { maxAttempts } = this.terms
    if (open.status === 'claimed' && maxAttempts !== undefined && attempts >= maxAttempts) {
      return { status: 'dead', ...facts, ticket, reason: because.reason, diedAt: at }
    }
    return { status: 'queued', ...facts }
  }

  private place(open: Open, at: number): void {
    this.updatedAt = at
    if (open.status === 'queued') this.queue(open)
    else this.put(open)
  }

  private queue(open: Open): void {
    this.put(open)
    this.ready.push(open)
  }
}

type Because = Pick<Release, 'kind' | 'by' | 'reason'> & { readonly cause?: string }

function isOver({ until }: Ticket, now: number): boolean {
  return until !== undefined && until <= now
}

function byPriority(a: Open, b: Open): number {
  return b.priority - a.priority || a.sequence - b.sequence
}

function byTime(a: Due, b: Due): number {
  return a.at - b.at || a.sequence - b.sequence
}

function delayOf(open: Open): readonly Due[] {
  if (open.status !== 'queued' || open.availableAt === undefined) return []
  return [{ at: open.availableAt, sequence: open.sequence }]
}

function leaseOf(open: Open): readonly Due[] {
  if (open.status !== 'claimed' || open.ticket.until === undefined) return []
  return [{ at: open.ticket.until, sequence: open.sequence }]
}
