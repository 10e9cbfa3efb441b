/** A watch: pages from a cursor, then whatever is committed, until aborted. */
import type { Store } from './store.ts'

export interface Followed<Item> {
  /** The place whose commits may bring more. */
  readonly place: () => Promise<number>
  /** The next page, empty when there is none yet. */
  readonly next: () => Promise<readonly Item[]>
  readonly signal: AbortSignal
}

export async function* follow<Item>(
  store: Store,
  followed: Followed<Item>,
): AsyncGenerator<Item, void, void> {
  const { place, next, signal } = followed
  if (signal.aborted) return
  const ear = store.listen(await place(), signal)
  try {
    while (!signal.aborted) {
      const page = await next()
      for (const item of page) {
        if (signal.aborted) return
        yield item
      }
      if (page.length === 0) await ear.wait()
    }
  } finally {
    ear.close()
  }
}
