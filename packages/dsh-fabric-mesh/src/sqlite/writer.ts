/** Group commit: the writes of one event-loop turn share one durable commit, and fail or succeed one by one. */
import { MeshError } from '../error.ts'
import { type BatchHost, type Entry, type Write, runBatch } from './batch.ts'
import type { Turns } from './turns.ts'

export interface WriterHost extends BatchHost {
  readonly patienceMs: number
  readonly turns: Turns
  committed(touched: ReadonlySet<number>): void
}

export class Writer {
  private readonly host: WriterHost
  private queue: Entry[] = []
  private armed = false
  private readonly waiting: (() => void)[] = []

  constructor(host: WriterHost) {
    this.host = host
  }

  /** `run` may run more than once, each time on a store that holds nothing of the time before. */
  submit<T>(run: Write<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const runAndTell: Write<() => void> = (touched) => {
      const value = run(touched)
      return () => resolve(value)
    }
    this.queue.push({ run: runAndTell, reject, since: performance.now() })
    this.arm()
    return promise
  }

  /** Whether writes were submitted that are not done. */
  get pending(): boolean {
    return this.armed
  }

  /** Resolves once nothing is queued. */
  drained(): Promise<void> {
    if (!this.armed) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.waiting.push(resolve)
    return promise
  }

  private arm(): void {
    if (this.armed) return
    this.armed = true
    setImmediate(() => {
      const { turns } = this.host
      if (turns.mustWait) turns.wait(() => this.drain())
      else this.drain()
    })
  }

  private drain(): void {
    const batch = this.queue
    this.queue = []
    const outcome = runBatch(this.host, batch)
    if (outcome.status === 'busy') return this.retryLater(batch)

    for (const tell of outcome.tell) tell()
    if (outcome.touched.size > 0) this.host.committed(outcome.touched)
    this.host.turns.done(() => this.armed)
    this.armed = false
    if (this.queue.length > 0) return this.arm()
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  /** Writes of the wait join in behind. */
  private retryLater(batch: readonly Entry[]): void {
    const { path, patienceMs, turns } = this.host
    const now = performance.now()
    const patient: Entry[] = []
    for (const entry of batch) {
      if (now - entry.since < patienceMs) patient.push(entry)
      else entry.reject(outOfPatience(path, patienceMs))
    }
    this.queue = [...patient, ...this.queue]
    turns.wait(() => this.drain())
  }
}

function outOfPatience(path: string, patienceMs: number): MeshError {
  const message = `the mesh store '${path}' was busy for ${patienceMs} ms: nothing was written`
  return new MeshError('store-unavailable', message, { detail: { path, patienceMs } })
}
