/** Group commit: the writes of one event-loop turn share one durable commit, and fail or succeed one by one. */
import type { DatabaseSync } from 'node:sqlite'
import { MeshError } from '../error.ts'
import { endsTransaction, isBusy, storeFailure } from './failure.ts'

/** Longest pause before another try on a store that another process is writing to. */
const PAUSE_MS = 8

/** A write reads and changes the database, and names the places whose watchers must hear of it. */
export type Write<T> = (touched: Set<number>) => T

interface Entry {
  /** Runs the write; gives what tells its caller. */
  readonly run: Write<() => void>
  readonly reject: (error: unknown) => void
  readonly since: number
}

export interface WriterHost {
  readonly database: DatabaseSync
  readonly path: string
  readonly patienceMs: number
  /** Something was rolled back: what was remembered from it may not exist. */
  rolledBack(): void
  committed(touched: ReadonlySet<number>): void
}

export class Writer {
  private readonly host: WriterHost
  private queue: Entry[] = []
  private armed = false
  private tries = 0
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
    setImmediate(() => this.drain())
  }

  private drain(): void {
    const batch = this.queue
    this.queue = []
    if (this.attempt(batch) === 'busy') return this.retryLater(batch)

    this.tries = 0
    this.armed = false
    if (this.queue.length > 0) return this.arm()
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  /** Waits a random while, so that processes that meet do not meet again; writes of the wait join in behind. */
  private retryLater(batch: readonly Entry[]): void {
    const { path, patienceMs } = this.host
    const now = performance.now()
    const patient: Entry[] = []
    for (const entry of batch) {
      if (now - entry.since < patienceMs) patient.push(entry)
      else entry.reject(outOfPatience(path, patienceMs))
    }
    this.queue = patient
    this.tries += 1
    setTimeout(() => this.drain(), Math.random() * Math.min(this.tries, PAUSE_MS))
  }

  private attempt(batch: readonly Entry[]): 'busy' | 'done' {
    const { database, path } = this.host
    const touched = new Set<number>()
    let outcomes: readonly (() => void)[]
    try {
      database.exec('BEGIN IMMEDIATE')
      outcomes = batch.map((entry) => this.runOne(entry, touched))
      database.exec('COMMIT')
    } catch (error) {
      this.rollBack('ROLLBACK')
      if (isBusy(error)) return 'busy'
      const failure = storeFailure(error, path)
      for (const entry of batch) entry.reject(failure)
      return 'done'
    }
    for (const tell of outcomes) tell()
    if (touched.size > 0) this.host.committed(touched)
    return 'done'
  }

  /** Runs one write inside the batch; what it did is undone alone when it fails. */
  private runOne(entry: Entry, touched: Set<number>): () => void {
    const { database, path } = this.host
    const own = new Set<number>()
    database.exec('SAVEPOINT entry')
    try {
      const tell = entry.run(own)
      database.exec('RELEASE entry')
      for (const place of own) touched.add(place)
      return tell
    } catch (error) {
      if (endsTransaction(error)) throw error
      this.rollBack('ROLLBACK TO entry; RELEASE entry')
      return () => entry.reject(storeFailure(error, path))
    }
  }

  private rollBack(statement: string): void {
    this.host.rolledBack()
    try {
      this.host.database.exec(statement)
    } catch {
      // SQLite has rolled back by itself already: a full disk and a failed write do that.
    }
  }
}

function outOfPatience(path: string, patienceMs: number): MeshError {
  const message = `the mesh store '${path}' was busy for ${patienceMs} ms: nothing was written`
  return new MeshError('store-unavailable', message, { detail: { path, patienceMs } })
}
