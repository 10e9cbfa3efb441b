/**
 * Checks in a thread of their own, one at a time. The thread starts when the checker opens, so that it is warm by
 * the first program. It is replaced when a check is abandoned and does not end, when it dies, and, by one that is
 * warm already, after so many checks or so much heap.
 */
import { type Checked, type Checker, CheckerError, type Checking } from '../checking.ts'
import { CodeError } from '../error.ts'
import { LeastRecent } from './least-recent.ts'
import { Thread, type ThreadOptions } from './thread.ts'
import type { ThreadMessage } from './thread-words.ts'

export interface CheckerOptions {
  /** After so many checks a thread is replaced. */
  readonly maxChecks?: number
  /** Above so much heap after a check a thread is replaced. */
  readonly maxHeapBytes?: number
  /** A check that needs more ends its thread. Bun knows no such limit. */
  readonly maxThreadHeapMb?: number
  /** An abandoned check has so long to end by itself before its thread is ended. */
  readonly graceMs?: number
  readonly openThread?: (options: ThreadOptions) => Thread
}

const DEFAULTS: Required<CheckerOptions> = {
  maxChecks: 5_000,
  maxHeapBytes: 402_653_184,
  maxThreadHeapMb: 768,
  graceMs: 50,
  openThread: (options) => new Thread(options),
}

export function openChecker(options: CheckerOptions = {}): Checker {
  return new ThreadChecker({ ...DEFAULTS, ...options })
}

interface Job {
  readonly id: number
  readonly checking: Checking
  readonly settle: (outcome: Settled) => void
  deaths: number
  /** Its caller has gone; it only keeps the thread busy. */
  grace?: NodeJS.Timeout
}

type Settled =
  | { readonly kind: 'checked'; readonly checked: Checked }
  | { readonly kind: 'failed'; readonly reason: unknown }

/** Results kept: a model repeats itself, a rule runs at every beat. */
const KEPT_RESULTS = 128
/** Longer ones are not kept: characters of program and declarations. */
const KEPT_LENGTH = 131_072

/** A thread that died twice over one program would die again. */
const MAX_DEATHS = 2

class ThreadChecker implements Checker {
  readonly #options: Required<CheckerOptions>
  readonly #results = new LeastRecent<string, Checked>(KEPT_RESULTS)
  readonly #waiting: Job[] = []
  #lastId = 0
  #active: Job | undefined
  #thread: Thread | undefined
  /** Warming, or warm and waiting for the end of the active check. */
  #successor: { readonly thread: Thread; isWarm: boolean } | undefined
  #disposed = false

  constructor(options: Required<CheckerOptions>) {
    this.#options = options
    this.#thread = this.#open()
  }

  async check(checking: Checking, signal: AbortSignal): Promise<Checked> {
    signal.throwIfAborted()
    if (this.#disposed) throw disposed()
    const key = `${checking.declarations}\0${checking.program}`
    const known = this.#results.find(key)
    if (known !== undefined) return known
    const checked = await this.#enqueue(checking, signal)
    if (key.length <= KEPT_LENGTH && checked !== TOO_MUCH) this.#results.keep(key, checked)
    return checked
  }

  async dispose(): Promise<void> {
    this.#disposed = true
    const jobs = [this.#active, ...this.#waiting.splice(0)]
    for (const job of jobs) job?.settle({ kind: 'failed', reason: disposed() })
    this.#active = undefined
    await Promise.all([this.#thread?.close(), this.#successor?.thread.close()])
  }

  #enqueue(checking: Checking, signal: AbortSignal): Promise<Checked> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        job.settle({ kind: 'failed', reason: signal.reason })
        this.#abandon(job)
      }
      const settle = (outcome: Settled): void => {
        signal.removeEventListener('abort', onAbort)
        if (outcome.kind === 'checked') resolve(outcome.checked)
        else reject(outcome.reason)
      }
      this.#lastId += 1
      const job: Job = { id: this.#lastId, checking, settle, deaths: 0 }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(job)
      this.#next()
    })
  }

  #next(): void {
    if (this.#active !== undefined || this.#disposed) return
    if (this.#successor?.isWarm === true) this.#succeed(this.#successor.thread)
    const job = this.#waiting.shift()
    if (job === undefined) return
    this.#active = job
    this.#thread ??= this.#open()
    this.#thread.ask({ id: job.id, checking: job.checking })
  }

  #open(): Thread {
    return this.#options.openThread({
      maxHeapMb: this.#options.maxThreadHeapMb,
      onMessage: (thread, message) => this.#hear(thread, message),
      onGone: (thread) => this.#lose(thread),
    })
  }

  #hear(thread: Thread, message: ThreadMessage): void {
    if (message.kind === 'warm') {
      if (this.#successor?.thread !== thread) return
      this.#successor.isWarm = true
      this.#next()
      return
    }
    const job = this.#active
    if (job?.id !== message.id) return
    this.#active = undefined
    clearTimeout(job.grace)
    job.settle({ kind: 'checked', checked: message.checked })
    thread.rest()
    this.#retire(thread, message.heapBytes)
    this.#next()
  }

  #retire(thread: Thread, heapBytes: number): void {
    const { maxChecks, maxHeapBytes } = this.#options
    const isSpent = thread.checks >= maxChecks || heapBytes > maxHeapBytes
    if (!isSpent || this.#successor !== undefined) return
    this.#successor = { thread: this.#open(), isWarm: false }
  }

  #succeed(successor: Thread): void {
    void this.#thread?.close()
    this.#thread = successor
    this.#successor = undefined
  }

  #abandon(job: Job): void {
    const index = this.#waiting.indexOf(job)
    if (index >= 0) this.#waiting.splice(index, 1)
    if (this.#active !== job) return
    job.grace = setTimeout(() => this.#replace(), this.#options.graceMs)
    job.grace.unref()
  }

  /** The active check has no caller any more and does not end. */
  #replace(): void {
    this.#active = undefined
    void this.#thread?.close()
    this.#thread = this.#successor?.thread ?? this.#open()
    this.#successor = undefined
    this.#next()
  }

  #lose(thread: Thread): void {
    if (this.#successor?.thread === thread) this.#successor = undefined
    if (this.#thread !== thread) return
    this.#thread = undefined
    const job = this.#active
    this.#active = undefined
    if (job !== undefined) this.#repeat(job, thread)
    this.#next()
  }

  #repeat(job: Job, { isWarm, failure }: Thread): void {
    const isAbandoned = job.grace !== undefined
    clearTimeout(job.grace)
    if (isAbandoned) return
    job.deaths += 1
    if (job.deaths < MAX_DEATHS) this.#waiting.unshift(job)
    else if (isWarm) job.settle({ kind: 'checked', checked: TOO_MUCH })
    else {
      const reason = new CheckerError(`the checker's thread cannot start: ${failure}`)
      job.settle({ kind: 'failed', reason })
    }
  }
}

const TOO_MUCH: Checked = {
  status: 'refused',
  diagnostics: [
    {
      line: 1,
      column: 1,
      code: 2590,
      message: 'This program is too complex to check: write simpler types.',
      source: '',
    },
  ],
}

function disposed(): CodeError {
  return new CodeError('disposed', 'the checker is disposed')
}
