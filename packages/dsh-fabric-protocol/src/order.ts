/** Orders that depend on neither locale nor input order, so equal inputs give equal graphs. */

/** By UTF-16 code unit. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

interface Dated {
  readonly updatedAt?: number | undefined
}

/** Negative when `left` is the newer; undated is oldest, and equal times are told apart by content. */
export function compareNewest(left: Dated, right: Dated): number {
  const leftTime = left.updatedAt ?? -1
  const rightTime = right.updatedAt ?? -1
  if (leftTime !== rightTime) return rightTime - leftTime
  return compareText(JSON.stringify(left), JSON.stringify(right))
}

/** The newest of each key, in the order in which the keys were first met. */
export function newestByKey<Value extends Dated>(
  values: Iterable<Value>,
  keyOf: (value: Value) => string,
): Map<string, Value> {
  const newest = new Map<string, Value>()
  for (const value of values) {
    const key = keyOf(value)
    const known = newest.get(key)
    if (known === undefined || compareNewest(value, known) < 0) newest.set(key, value)
  }
  return newest
}
