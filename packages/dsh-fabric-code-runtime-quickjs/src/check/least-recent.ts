/** A map that forgets what was not asked for the longest. */
export class LeastRecent<K, V> {
  readonly #limit: number
  readonly #values = new Map<K, V>()

  constructor(limit: number) {
    this.#limit = limit
  }

  find(key: K): V | undefined {
    const value = this.#values.get(key)
    if (value !== undefined) this.keep(key, value)
    return value
  }

  keep(key: K, value: V): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    for (const [oldest] of this.#values) {
      if (this.#values.size <= this.#limit) return
      this.#values.delete(oldest)
    }
  }
}
