/** A cache that starts over when it is full: what it forgets is read again. */
export class BoundedMap<Key, Value> {
  private readonly entries = new Map<Key, Value>()
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get(key: Key): Value | undefined {
    return this.entries.get(key)
  }

  set(key: Key, value: Value): Value {
    if (this.entries.size >= this.most) this.entries.clear()
    this.entries.set(key, value)
    return value
  }

  clear(): void {
    this.entries.clear()
  }
}
