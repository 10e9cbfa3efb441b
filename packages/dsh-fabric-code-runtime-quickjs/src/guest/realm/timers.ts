/** The program's timers, in its own heap: however many there are, the thread holds one. Self-contained: runs in the realm. */
export interface Timers {
  readonly setTimeout: (callback: unknown, delay?: unknown, ...values: unknown[]) => number
  readonly setInterval: (callback: unknown, delay?: unknown, ...values: unknown[]) => number
  readonly clear: (id?: unknown) => void
  /** Runs one that is due; whether another is. */
  readonly tick: () => boolean
}

interface Timer {
  readonly id: number
  readonly callback: Function
  readonly values: readonly unknown[]
  /** Below zero: once. */
  readonly every: number
  due: number
  cancelled: boolean
}

export function createTimers(wake: (milliseconds: number) => void): Timers {
  const { apply } = Reflect
  const { setPrototypeOf } = Object
  const asNumber = Number
  const WrongType = TypeError
  const clock = performance
  const readClock: () => number = Reflect.get(clock, 'now')
  /** A binary heap by due time, then by id. */
  const heap: Record<number, Timer> = setPrototypeOf({}, null)
  const byId: Record<number, Timer> = setPrototypeOf({}, null)
  let size = 0
  let active = 0
  let lastId = 0
  let wokenAt = -1

  return {
    setTimeout: (callback, delay, ...values) => add(callback, delay, false, values),
    setInterval: (callback, delay, ...values) => add(callback, delay, true, values),
    clear(id) {
      if (typeof id !== 'number') return
      const timer = byId[id]
      if (timer === undefined) return
      forget(timer)
      if (active === 0) schedule()
    },
    tick() {
      wokenAt = -1
      dropCancelled()
      const timer = heap[0]
      if (timer === undefined || timer.due > now()) {
        schedule()
        return false
      }
      pop()
      if (timer.every < 0) forget(timer)
      else {
        timer.due = now() + timer.every
        push(timer)
      }
      apply(timer.callback, undefined, timer.values)
      schedule()
      return size > 0 && heap[0] !== undefined && heap[0].due <= now()
    },
  }

  function now(): number {
    return apply(readClock, clock, [])
  }

  function add(callback: unknown, delay: unknown, repeats: boolean, values: unknown[]): number {
    if (typeof callback !== 'function') throw new WrongType('a timer takes a function')
    const asked = delay === undefined ? 0 : asNumber(delay)
    const wait = asked >= 1 ? (asked > 2_147_483_647 ? 1 : asked) : 1
    lastId += 1
    const timer: Timer = {
      id: lastId,
      callback,
      values,
      every: repeats ? wait : -1,
      due: now() + wait,
      cancelled: false,
    }
    byId[timer.id] = timer
    active += 1
    push(timer)
    schedule()
    return timer.id
  }

  function forget(timer: Timer): void {
    timer.cancelled = true
    delete byId[timer.id]
    active -= 1
  }

  function dropCancelled(): void {
    while (size > 0 && heap[0]?.cancelled === true) pop()
  }

  function schedule(): void {
    dropCancelled()
    const next = active === 0 ? undefined : heap[0]
    if (next === undefined) {
      if (wokenAt !== -1) wake(-1)
      wokenAt = -1
      return
    }
    if (next.due === wokenAt) return
    wokenAt = next.due
    const left = next.due - now()
    wake(left > 0 ? left : 0)
  }

  function isBefore(left: Timer, right: Timer): boolean {
    return left.due === right.due ? left.id < right.id : left.due < right.due
  }

  function push(timer: Timer): void {
    let at = size
    size += 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !isBefore(timer, parent)) break
      heap[at] = parent
      at = above
    }
    heap[at] = timer
  }

  function pop(): void {
    size -= 1
    const last = heap[size]
    delete heap[size]
    if (size === 0 || last === undefined) return
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= size) break
      const left = heap[below]
      const right = below + 1 < size ? heap[below + 1] : undefined
      let child = left
      if (left !== undefined && right !== undefined && isBefore(right, left)) {
        below += 1
        child = right
      }
      if (child === undefined || !isBefore(child, last)) break
      heap[at] = child
      at = below
    }
    heap[at] = last
  }
}
