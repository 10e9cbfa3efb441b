/** Who waits for which place, and how they hear of a commit to it. */

export class Wake {
  private readonly listeners = new Map<number, Set<() => void>>()
  private readonly watched: (watched: boolean) => void

  /** `watched` is called with the first listener and after the last. */
  constructor(watched: (watched: boolean) => void = () => undefined) {
    this.watched = watched
  }

  listen(place: number, hear: () => void): () => void {
    if (this.listeners.size === 0) this.watched(true)
    const known = this.listeners.get(place) ?? new Set()
    this.listeners.set(place, known.add(hear))
    return () => {
      if (!known.delete(hear) || known.size > 0) return
      this.listeners.delete(place)
      if (this.listeners.size === 0) this.watched(false)
    }
  }

  ring(places: ReadonlySet<number>): void {
    for (const place of places) for (const hear of this.listeners.get(place) ?? []) hear()
  }

  ringAll(): void {
    for (const known of this.listeners.values()) for (const hear of known) hear()
  }
}

/**
 * One watcher's ear on one place. It listens from its making on, so a commit between a read that found nothing and the
 * wait that follows is not missed: that wait ends at once.
 */
export class Ear {
  private heard = false
  private resume: (() => void) | undefined
  private readonly stop: () => void
  private readonly signal: AbortSignal
  private readonly hear = (): void => {
    this.heard = true
    this.resume?.()
  }

  constructor(wake: Wake, place: number, signal: AbortSignal) {
    this.signal = signal
    this.stop = wake.listen(place, this.hear)
    signal.addEventListener('abort', this.hear)
  }

  /** Resolves once something was committed to the place since the last wait, the time is over, or the signal aborted. */
  async wait(atMostMs?: number): Promise<void> {
    if (!this.heard && !this.signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.resume = resolve
      const timer = atMostMs === undefined ? undefined : setTimeout(resolve, timerMs(atMostMs))
      await promise
      clearTimeout(timer)
    }
    this.resume = undefined
    this.heard = false
  }

  close(): void {
    this.stop()
    this.signal.removeEventListener('abort', this.hear)
  }
}

/** What a timer can hold: a longer wait ends early, and its owner waits again. */
function timerMs(ms: number): number {
  return Math.min(Math.max(ms, 1), 2 ** 31 - 1)
}
