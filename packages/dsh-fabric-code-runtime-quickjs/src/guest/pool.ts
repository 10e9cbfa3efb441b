/** Guest threads, so many at most: a few idle ones stay warm, one that has grown is thrown away. */
import { GuestThread } from './guest-thread.ts'

export interface PoolOptions {
  readonly maxWorkers: number
  readonly idleWorkers: number
  /** A thread whose program's machine grew beyond it is not used again. */
  readonly workerHighWaterBytes: number
  readonly openThread?: () => GuestThread
}

interface Claim {
  readonly resolve: (thread: GuestThread) => void
}

export class GuestPool {
  readonly #options: PoolOptions
  readonly #threads = new Set<GuestThread>()
  readonly #ending = new Set<Promise<void>>()
  readonly #idle: GuestThread[] = []
  readonly #claims: Claim[] = []

  constructor(options: PoolOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#threads.size
  }

  /** Starts a thread while there is none to wait for. */
  warm(): void {
    if (this.#idle.length === 0 && this.#threads.size === 0) this.#idle.push(this.#spawn())
  }

  /** Rejects with the signal's reason; the thread may still be starting. */
  async claim(signal: AbortSignal): Promise<GuestThread> {
    signal.throwIfAborted()
    const idle = this.#idle.pop()
    if (idle !== undefined) return this.#held(idle)
    if (this.#threads.size < this.#options.maxWorkers) return this.#held(this.#spawn())
    return this.#wait(signal)
  }

  /** After a run in which the machine grew to so many bytes. */
  release(thread: GuestThread, machineBytes: number): void {
    if (thread.isGone || machineBytes > this.#options.workerHighWaterBytes) {
      return this.discard(thread)
    }
    const claim = this.#claims.shift()
    if (claim !== undefined) return claim.resolve(thread)
    if (this.#idle.length >= this.#options.idleWorkers) return this.discard(thread)
    thread.listener = undefined
    thread.letGo()
    this.#idle.push(thread)
  }

  discard(thread: GuestThread): void {
    if (!this.#threads.delete(thread)) return
    const ending = thread.terminate().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
    const claim = this.#claims.shift()
    if (claim !== undefined) claim.resolve(this.#held(this.#spawn()))
  }

  /** When every thread is gone. No run may be open. */
  async dispose(): Promise<void> {
    for (const thread of this.#threads) this.discard(thread)
    while (this.#ending.size > 0) await Promise.all(this.#ending)
  }

  async #wait(signal: AbortSignal): Promise<GuestThread> {
    const { promise, resolve, reject } = Promise.withResolvers<GuestThread>()
    const claim: Claim = { resolve }
    this.#claims.push(claim)
    const abandon = () => {
      const place = this.#claims.indexOf(claim)
      if (place === -1) return
      this.#claims.splice(place, 1)
      reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)))
    }
    signal.addEventListener('abort', abandon)
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', abandon)
    }
  }

  #spawn(): GuestThread {
    const thread = this.#options.openThread?.() ?? new GuestThread()
    thread.letGo()
    this.#threads.add(thread)
    void thread.exited.then(() => this.#forget(thread))
    return thread
  }

  /** One that died by itself. */
  #forget(thread: GuestThread): void {
    const place = this.#idle.indexOf(thread)
    if (place !== -1) this.#idle.splice(place, 1)
    this.#threads.delete(thread)
  }

  #held(thread: GuestThread): GuestThread {
    thread.hold()
    return thread
  }
}
