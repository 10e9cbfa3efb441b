/** One search at a time: they share one connection and one view of the logs. */
import { aborted, assertNotAborted, indexFailed } from './failure.ts'

export class Line {
  #tail: Promise<unknown> = Promise.resolve()
  #ended = false

  /** Whoever gives up while waiting leaves the line; what was begun is waited for. */
  async enter<Result>(
    signal: AbortSignal | undefined,
    operation: () => Promise<Result>,
  ): Promise<Result> {
    this.#assertOpen()
    assertNotAborted(signal)
    const result = this.#tail.then(() => {
      this.#assertOpen()
      assertNotAborted(signal)
      begun = true
      return operation()
    })
    let begun = false
    this.#tail = result.catch(() => {
      // The caller has it.
    })
    if (signal === undefined) return await result
    const gaveUp = Promise.withResolvers<never>()
    const giveUp = () => {
      if (!begun) gaveUp.reject(aborted(signal.reason))
    }
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await Promise.race([result, gaveUp.promise])
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Resolves when nothing runs any more. */
  async end(): Promise<void> {
    this.#ended = true
    await this.#tail
  }

  #assertOpen(): void {
    if (this.#ended) throw indexFailed('index is closed')
  }
}
