/**
 * Writes issued one after another in one event-loop turn take effect in that order. Those to one stream follow each
 * other on the connection without waiting; one to another stream waits for them.
 */

interface Lane {
  /** Undefined once the last write is on its way. */
  tail: Promise<void> | undefined
  readonly pending: Set<Promise<unknown>>
}

interface Turn {
  readonly stream: string
  /** What all writes of this run wait for. */
  readonly gate: Promise<unknown> | undefined
  readonly run: Promise<unknown>[]
}

export class Order {
  private readonly lanes = new Map<string, Lane>()
  private turn: Turn | undefined

  /** `run` calls `sent` once its write is on its way; without, the next write waits until it is done. */
  write<T>(stream: string, run: (sent: () => void) => Promise<T>): Promise<T> {
    const lane = this.lane(stream)
    const gate = this.gate(stream)
    const earlier = lane.tail
    const { promise: tail, resolve } = Promise.withResolvers<void>()
    lane.tail = tail
    const sent = (): void => {
      if (lane.tail === tail) lane.tail = undefined
      resolve()
    }
    const done =
      gate === undefined && earlier === undefined
        ? run(sent)
        : Promise.all([gate, earlier]).then(() => run(sent))
    const finished = done.then(sent, sent)
    lane.pending.add(finished)
    this.turn?.run.push(finished)
    void finished.then(() => {
      lane.pending.delete(finished)
      if (lane.pending.size === 0 && lane.tail === undefined) this.lanes.delete(stream)
    })
    return done
  }

  /** Everything issued to the stream so far but `self` and later: call it before the first await. */
  earlier(stream: string): Promise<unknown> {
    return Promise.all(Array.from(this.lanes.get(stream)?.pending ?? []))
  }

  private lane(stream: string): Lane {
    const known = this.lanes.get(stream)
    if (known !== undefined) return known
    const lane: Lane = { tail: undefined, pending: new Set() }
    this.lanes.set(stream, lane)
    return lane
  }

  private gate(stream: string): Promise<unknown> | undefined {
    if (this.turn === undefined) setImmediate(() => (this.turn = undefined))
    if (this.turn?.stream !== stream) {
      const gate =
        this.turn === undefined ? undefined : Promise.all([this.turn.gate, ...this.turn.run])
      this.turn = { stream, gate, run: [] }
    }
    return this.turn.gate
  }
}
