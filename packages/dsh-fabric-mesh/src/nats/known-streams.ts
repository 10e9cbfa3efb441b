/**
 * Streams that this process knows to be there. While a stream is being made some servers say that it exists and others
 * that it does not, and so may a new leader: that one is gone is believed once it has been said for a while.
 */

const DOUBTED_MS = 5000

export class KnownStreams {
  private readonly known = new Set<string>()
  /** Since when a known stream is said not to be there. */
  private readonly missedSince = new Map<string, number>()

  see(stream: string): void {
    this.known.add(stream)
    this.missedSince.delete(stream)
  }

  /** To be told that a server knows no such stream; false when that is to be believed. */
  doubts(stream: string): boolean {
    if (!this.known.has(stream)) return false
    const now = performance.now()
    const since = this.missedSince.get(stream) ?? now
    this.missedSince.set(stream, since)
    if (now - since < DOUBTED_MS) return true
    this.known.delete(stream)
    this.missedSince.delete(stream)
    return false
  }
}
