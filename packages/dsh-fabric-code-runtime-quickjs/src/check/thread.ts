/** A checker's thread as its owner holds it. */
import { Worker } from 'node:worker_threads'
import type { CheckAsked, ThreadMessage } from './thread-words.ts'

/** Beside this module, as TypeScript in the repository and as JavaScript once built. */
const ENTRY = new URL(`./thread-main${import.meta.url.slice(-3)}`, import.meta.url)

export interface ThreadOptions {
  readonly entry?: URL
  /** Beyond it a pathological type ends its thread, not the host. */
  readonly maxHeapMb: number
  readonly onMessage: (thread: Thread, message: ThreadMessage) => void
  /** Once, and not after `close`. */
  readonly onGone: (thread: Thread) => void
}

export class Thread {
  #checks = 0
  #closed = false
  #isWarm = false
  #failure = 'it ended'
  readonly #worker: Worker

  constructor({ entry = ENTRY, maxHeapMb, onMessage, onGone }: ThreadOptions) {
    this.#worker = new Worker(entry, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 32 },
      // the host's own flags may be none that a thread takes
      execArgv: [],
      env: {},
    })
    this.#worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'warm') this.#isWarm = true
      if (!this.#closed) onMessage(this, message)
    })
    // its exit follows
    this.#worker.on('error', (error) => {
      this.#failure = error instanceof Error ? error.message : String(error)
    })
    this.#worker.on('exit', () => {
      if (!this.#closed) onGone(this)
      this.#closed = true
    })
    this.rest()
  }

  get checks(): number {
    return this.#checks
  }

  /** It came up, so what it dies of later is a check. */
  get isWarm(): boolean {
    return this.#isWarm
  }

  /** What it died of. */
  get failure(): string {
    return this.#failure
  }

  ask(asked: CheckAsked): void {
    this.#checks += 1
    this.#worker.ref()
    // A port of a thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#worker.postMessage(asked)
  }

  /** An idle thread keeps no process alive. */
  rest(): void {
    this.#worker.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#worker.terminate()
  }
}
