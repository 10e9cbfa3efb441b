/** A binary heap: the least item first. */
export class Heap<Item> {
  private readonly items: Item[]
  private readonly compare: (a: Item, b: Item) => number

  constructor(compare: (a: Item, b: Item) => number, items: readonly Item[] = []) {
    this.compare = compare
    this.items = items.toSorted(compare)
  }

  get first(): Item | undefined {
    return this.items[0]
  }

  get size(): number {
    return this.items.length
  }

  push(item: Item): void {
    const { items } = this
    let index = items.length
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = items[parent]
      if (above === undefined || this.compare(above, item) <= 0) break
      items[index] = above
      index = parent
    }
    items[index] = item
  }

  pop(): Item | undefined {
    const { items } = this
    const first = items[0]
    const last = items.pop()
    if (last !== undefined && items.length > 0) this.sink(last)
    return first
  }

  private sink(item: Item): void {
    const { items } = this
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      const left = items[child]
      if (left === undefined) break
      const right = items[child + 1]
      if (right !== undefined && this.compare(right, left) < 0) child += 1
      const least = items[child]
      if (least === undefined || this.compare(item, least) <= 0) break
      items[index] = least
      index = child
    }
    items[index] = item
  }
}
