/** The lines of a stream, asked for one by one, also when the stream stays open without a word. */
import { createInterface } from 'node:readline'

export class InputLines {
  readonly #arrived: string[] = []
  readonly #stream: NodeJS.ReadableStream
  #ended = false
  #wake: () => void = () => {}

  /** `take` is given each line first, and whether none waits before it; one that it takes is not asked for any more. */
  constructor(
    stream: NodeJS.ReadableStream,
    take: (line: string, isNext: boolean) => boolean = () => false,
  ) {
    this.#stream = stream
    const lines = createInterface({ input: stream })
    lines.on('line', (line) => {
      if (take(line, this.#arrived.length === 0)) return
      this.#arrived.push(line)
      this.#wake()
    })
    lines.once('close', () => {
      this.#ended = true
      this.#wake()
    })
  }

  /** Undefined at the stream's end, or when no line came within the patience; without one it waits. */
  async next(patienceMs?: number): Promise<string | undefined> {
    if (this.#arrived.length === 0 && !this.#ended && patienceMs !== 0) await this.#more(patienceMs)
    return this.#arrived.shift()
  }

  /** Reads no more; an open stream no longer holds the process. */
  close(): void {
    this.#ended = true
    this.#wake()
    if ('destroy' in this.#stream && typeof this.#stream.destroy === 'function') {
      this.#stream.destroy()
    }
  }

  async #more(patienceMs: number | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    const timer = patienceMs === undefined ? undefined : setTimeout(resolve, patienceMs)
    await promise
    clearTimeout(timer)
  }
}
