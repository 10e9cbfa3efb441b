/** A checker's thread as its owner holds it. */
import { Worker } from 'node:worker_threads'
import type { CheckAsked, ThreadMessage } from './thread-words.ts'

/** Beyond it a pathological type ends its thread, not the host. */
const MEMORY = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** Beside this module, as TypeScript in the repository and as JavaScript once built. */
const ENTRY = new URL(`./thread-main${import.meta.url.slice(-3)}`, import.meta.url)

export interface ThreadEvents {
  readonly onMessage: (thread: Thread, message: ThreadMessage) => void
  /** Once, and not after `close`. */
  readonly onGone: (thread: Thread) => void
}

export class Thread {
  #checks = 0
  #closed = false
  readonly #worker: Worker

  constructor({ onMessage, onGone }: ThreadEvents) {
    this.#worker = new Worker(ENTRY, {
      resourceLimits: MEMORY,
      env: process.env,
    })
    this.#worker.on('message', (message: ThreadMessage) => {
      if (!this.#closed) onMessage(this, message)
    })
    // Its exit follows, and tells the rest.
    this.#worker.on('error', () => undefined)
    this.#worker.on('exit', () => {
      if (!this.#closed) onGone(this)
      this.#closed = true
    })
    this.rest()
  }

  get checks(): number {
    return this.#checks
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
