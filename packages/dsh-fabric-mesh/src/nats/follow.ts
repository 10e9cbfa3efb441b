/** A watch as its consumer reads it: at its own pace, until aborted. */
import { Follower, type Pushed } from './follower.ts'
import type { Link } from './link.ts'

export interface Watch<Item> {
  readonly signal: AbortSignal
  /** Runs when the consumer begins. */
  readonly open: () => Promise<{ readonly stream: string; readonly from: number }>
  /** Undefined for what the consumer did not ask for. */
  readonly show: (pushed: Pushed) => Item | undefined
}

export async function* follow<Item>(
  link: Link,
  watch: Watch<Item>,
): AsyncGenerator<Item, void, void> {
  const { signal } = watch
  if (signal.aborted) return
  link.assertOpen()
  const { stream, from } = await watch.open()
  const queue: Pushed[] = []
  let failure: { readonly error: unknown } | undefined
  let wake = Promise.withResolvers<void>()
  const ring = (): void => wake.resolve()
  const follower = new Follower(link, {
    stream,
    from,
    deliver: (pushed) => {
      queue.push(pushed)
      ring()
    },
    failed: (error) => {
      failure = { error }
      ring()
    },
    waiting: () => queue.length,
  })
  const leave = link.onClose(ring)
  signal.addEventListener('abort', ring)
  try {
    for (;;) {
      if (signal.aborted) return
      link.assertOpen()
      const pushed = queue.shift()
      if (pushed !== undefined) {
        follower.drained()
        const item = watch.show(pushed)
        if (item !== undefined) yield item
        continue
      }
      if (failure !== undefined) throw link.told(failure.error)
      wake = Promise.withResolvers<void>()
      await wake.promise
    }
  } finally {
    signal.removeEventListener('abort', ring)
    leave()
    follower.stop()
  }
}
