/** Why a run ends before its program does: told once, by whatever comes first. */
export interface Stop {
  readonly kind: 'timeout' | 'abort'
  readonly message: string
}

export class StopError extends Error {
  override readonly name = 'StopError'
  readonly stop: Stop

  constructor(stop: Stop) {
    super(stop.message)
    this.stop = stop
  }
}

export type Phase = 'type checking' | 'starting' | 'running'

export class Stopping {
  readonly #controller = new AbortController()
  readonly #release: () => void
  phase: Phase = 'type checking'

  constructor(maxWallMs: number, signal: AbortSignal | undefined) {
    const timer = setTimeout(() => {
      const message = `the wall budget of ${maxWallMs} ms ended while ${PHRASES[this.phase]}`
      this.stop({ kind: 'timeout', message })
    }, maxWallMs)
    const abort = () => this.stop({ kind: 'abort', message: messageOf(signal?.reason) })
    if (signal?.aborted === true) abort()
    signal?.addEventListener('abort', abort)
    this.#release = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  stop(stop: Stop): void {
    if (!this.signal.aborted) this.#controller.abort(new StopError(stop))
  }

  release(): void {
    this.#release()
  }
}

const PHRASES: Readonly<Record<Phase, string>> = {
  'type checking': 'type checking the program',
  starting: 'waiting for a place to run the program',
  running: 'the program ran',
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
