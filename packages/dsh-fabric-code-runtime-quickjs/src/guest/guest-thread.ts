/** One guest thread as the host holds it: it runs one program at a time and can be thrown away in the middle of it. */
import { Worker } from 'node:worker_threads'
import type { FromThread, ToThread } from './messages.ts'

/** Beside this module, as TypeScript in the repository and as JavaScript once built. */
const ENTRY = new URL(`./thread${import.meta.url.slice(-3)}`, import.meta.url)

export interface ThreadListener {
  message(message: FromThread): void
  /** It is gone, and nothing follows. */
  exit(reason: string): void
}

export type ThreadState = 'starting' | 'idle' | 'running' | 'gone'

export class GuestThread {
  readonly #worker: Worker
  readonly ready: Promise<void>
  readonly exited: Promise<void>
  listener: ThreadListener | undefined
  #isGone = false
  #exitReason = 'the guest thread ended'

  constructor(entry: URL = ENTRY) {
    this.#worker = new Worker(entry, { execArgv: [], env: {}, stdin: false })
    const ready = Promise.withResolvers<void>()
    this.ready = ready.promise
    // whoever waits for it sees the failure; nobody need wait
    this.ready.catch(() => undefined)
    this.exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#isGone = true
        ready.reject(new Error(this.#exitReason))
        this.listener?.exit(this.#exitReason)
        resolve()
      })
    })
    this.#worker.on('error', (error) => {
      this.#exitReason = `the guest thread failed: ${error instanceof Error ? error.message : String(error)}`
    })
    this.#worker.on('message', (message: FromThread) => {
      if (message.kind === 'ready') ready.resolve()
      else this.listener?.message(message)
    })
  }

  get isGone(): boolean {
    return this.#isGone
  }

  post(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    this.#worker.postMessage(message)
  }

  /** An idle thread keeps no process alive. */
  hold(): void {
    this.#worker.ref()
  }

  letGo(): void {
    this.#worker.unref()
  }

  async terminate(): Promise<void> {
    this.#isGone = true
    await this.#worker.terminate()
    await this.exited
  }
}
