/**
 * Whose turn it is to write, among the processes that have the store open: first come, first served, each for a short while.
 * SQLite's lock decides; this only keeps a process from taking it on and on while others wait, and tells the first of them
 * when it is free.
 */
import { type Peer, type PeersHost, Peers, type Signal } from './peers.ts'

/** Another may hold the lock that no peer tells of: then chance decides. */
const ALONE_MS = 8
/** A turn that nobody gave: of a peer that stands still, or is new. */
const TOGETHER_MS = 50
/** How long a process that has more to write keeps its turn: handing it over costs about one commit. */
const TURN_MS = 4

export interface TurnsHost {
  readonly path: string
  /** Another process committed. */
  committed(): void
}

export class Turns {
  readonly peers: Peers
  /** Peers that wait, longest first. */
  private readonly waiters = new Set<Peer>()
  private granted: Peer | undefined
  /** Nobody committed since this process did: it gives the next turn. */
  private last = false
  /** When this process's turn began, while it lasts. */
  private since: number | undefined
  private resume: (() => void) | undefined
  private timer: NodeJS.Timeout | undefined
  private waits = 0

  constructor(host: TurnsHost) {
    const heard: PeersHost['heard'] = (peer, signal) => {
      this.hear(peer, signal)
      if (signal === 'committed') host.committed()
    }
    this.peers = new Peers({
      path: host.path,
      heard,
      met: (peer) => this.meet(peer),
      left: (peer) => this.leave(peer),
    })
  }

  /** Whether others come first. */
  get mustWait(): boolean {
    return this.waiters.size > 0 && this.since === undefined
  }

  /** Calls back when it is this process's turn, or when it has waited long enough to try. */
  wait(resume: () => void): void {
    const waitsAlready = this.waits > 0
    this.waits += 1
    this.resume = resume
    if (!waitsAlready) this.peers.broadcast('waiting')
    const alone = Math.random() * Math.min(this.waits, ALONE_MS)
    const ms = this.peers.count === 0 ? alone : TOGETHER_MS * (1 + Math.random())
    this.timer = setTimeout(() => {
      this.passOver()
      this.go()
    }, ms)
  }

  /** After a transaction of this process, whatever became of it. `hasMore`: whether it has another one to do. */
  done(hasMore: () => boolean): void {
    this.waits = 0
    this.last = true
    this.peers.join()
    this.peers.broadcast('committed')
    const now = performance.now()
    this.since ??= now
    if (now - this.since >= TURN_MS) return this.endTurn()
    setImmediate(() => {
      if (!hasMore()) this.endTurn()
    })
  }

  private hear(peer: Peer, signal: Signal): void {
    switch (signal) {
      case 'waiting':
        this.waiters.add(peer)
        if (this.last && this.since === undefined && this.granted === undefined) this.grantNext()
        return
      case 'committed':
        this.waiters.delete(peer)
        this.last = false
        this.since = undefined
        this.granted = undefined
        return
      case 'yours':
        if (this.resume !== undefined) return this.go()
        this.last = true // nothing to write any more: the next one's
        this.grantNext()
    }
  }

  private go(): void {
    const { resume } = this
    clearTimeout(this.timer)
    this.resume = undefined
    resume?.()
  }

  /** Nobody gave a turn for so long: whoever has it, or comes first, may stand still. It is heard again when it wakes. */
  private passOver(): void {
    const [first] = this.waiters
    const slow = this.granted ?? first
    if (slow !== undefined) this.waiters.delete(slow)
    this.granted = undefined
  }

  private endTurn(): void {
    this.since = undefined
    if (this.last) this.grantNext()
  }

  private grantNext(): void {
    const [first] = this.waiters
    this.granted = first
    if (first !== undefined) this.peers.send(first, 'yours')
  }

  /** Whoever is new knows nothing yet. */
  private meet(peer: Peer): void {
    this.peers.send(peer, 'committed')
    if (this.waits > 0) this.peers.send(peer, 'waiting')
  }

  private leave(peer: Peer): void {
    this.waiters.delete(peer)
    if (this.granted === peer) this.grantNext()
  }
}
