/** Draws that follow from a seed alone: the same seed gives the same draws on every machine. */

/** A 32-bit hash of a text (FNV-1a over UTF-16 units, then mixed). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return mixed(hash)
}

/** Sixteen hexadecimal digits of a text: for ids that must be the same in every repetition. */
export function digestOf(text: string): string {
  return [hashOf(text), hashOf(`${text}\u0001`)]
    .map((half) => half.toString(16).padStart(8, '0'))
    .join('')
}

export class Draws {
  readonly #seed: string
  #state: number

  constructor(seed: string) {
    this.#seed = seed
    this.#state = hashOf(seed)
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    return mixed(this.#state) / 0x1_0000_0000
  }

  /** An integer in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(items: readonly [T, ...T[]]): T
  pick<T>(items: readonly T[]): T | undefined
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)]
  }

  /** One of the items, each as likely as its weight; undefined when no weight is positive. */
  weighted<T>(items: readonly (readonly [T, number])[]): T | undefined {
    const open = items.filter(([, weight]) => weight > 0)
    let left = this.next() * open.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [item, weight] of open) {
      left -= weight
      if (left < 0) return item
    }
    return open.at(-1)?.[0]
  }

  shuffled<T>(items: readonly T[]): T[] {
    const order = items.map((item) => ({ item, at: this.next() }))
    return order.toSorted((left, right) => left.at - right.at).map(({ item }) => item)
  }

  /** Draws of their own for one purpose: what is drawn there moves nothing here. */
  fork(purpose: string): Draws {
    return new Draws(`${this.#seed}\u0000${purpose}`)
  }
}

function mixed(value: number): number {
  let bits = value
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}
