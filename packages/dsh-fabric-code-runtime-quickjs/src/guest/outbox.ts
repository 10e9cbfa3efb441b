/** What a run has to tell its host: sent at once when nothing was for a moment, else with what follows. */
import type { GuestCall } from './messages.ts'

type Send = (logs: readonly string[], calls: readonly GuestCall[]) => void

const MOMENT = 4

export class Outbox {
  readonly #maxBytes: number
  readonly #send: Send
  #logs: string[] = []
  #calls: GuestCall[] = []
  #bytes = 0
  #sentAt = -MOMENT

  constructor(maxBytes: number, send: Send) {
    this.#maxBytes = maxBytes
    this.#send = send
  }

  /** False, and nothing kept, when the run's output would grow beyond its budget. */
  log(line: string): boolean {
    if (!this.take(JSON.stringify(line))) return false
    this.#logs.push(line)
    this.tick()
    return true
  }

  /** Counts JSON text into the run's output; false when it does not fit. */
  take(text: string): boolean {
    const bytes = Buffer.byteLength(text) + 1
    if (this.#bytes + bytes > this.#maxBytes) return false
    this.#bytes += bytes
    return true
  }

  call(call: GuestCall): void {
    this.#calls.push(call)
  }

  /** Of a program that runs on. */
  tick(): void {
    if (performance.now() - this.#sentAt >= MOMENT) this.flush()
  }

  flush(): void {
    if (this.#logs.length === 0 && this.#calls.length === 0) return
    this.#send(this.takeLogs(), this.takeCalls())
    this.#sentAt = performance.now()
  }

  /** For the message that ends the run; the calls likewise. */
  takeLogs(): string[] {
    const logs = this.#logs
    this.#logs = []
    return logs
  }

  takeCalls(): GuestCall[] {
    const calls = this.#calls
    this.#calls = []
    return calls
  }
}
