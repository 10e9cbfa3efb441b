/**
 * Writes issued one after another in one event-loop turn take effect in that order. Those to one stream follow each
 * other on the connection without waiting; one to another stream waits for them.
 */

interface Lane {
  /** Undefined once the last write is on its way. */
  tail: Promise<void> | undefined
  /** Resolves once all writes so far are done. */
  done: Promise<unknown>
  writes: number
}

/** Of one write. */
export interface Place {
  /** To be called once it is on its way; without, the next write waits until it is done. */
  readonly sent: () => void
  /** All writes to the stream before it are done: one that has to be made again waits for them. */
  readonly earlier: Promise<unknown>
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

  write<T>(stream: string, run: (place: Place) => Promise<T>): Promise<T> {
    const lane = this.lane(stream)
    const gate = this.gate(stream)
    const { done: earlier, tail: before } = lane
    const { promise: tail, resolve } = Promise.withResolvers<void>()
    lane.tail = tail
    const sent = (): void => {
      if (lane.tail === tail) lane.tail = undefined
      resolve()
    }
    const done =
      gate === undefined && before === undefined
        ? run({ sent, earlier })
        : Promise.all([gate, before]).then(() => run({ sent, earlier }))
    const finished = done.then(sent, sent)
    lane.writes += 1
    lane.done = Promise.all([earlier, finished])
    this.turn?.run.push(finished)
    void finished.then(() => {
      lane.writes -= 1
      if (lane.writes === 0) this.lanes.delete(stream)
    })
    return done
  }

  private lane(stream: string): Lane {
    const known = this.lanes.get(stream)
    if (known !== undefined) return known
    const lane: Lane = { tail: undefined, done: Promise.resolve(), writes: 0 }
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
