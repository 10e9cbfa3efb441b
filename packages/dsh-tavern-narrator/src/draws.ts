/** Seeded random draws, each recorded with what it was for and what followed from it. */
import type { Draw } from 'dsh-tavern-protocol'

export interface Draws {
  /** Uniform in [0, 1); `outcomeOf` says in words what follows from the number. */
  next(what: string, outcomeOf: (value: number) => string): number
  /** Everything drawn so far, in order. */
  readonly draws: readonly Draw[]
}

/**
 * The same seed gives the same numbers on every machine and in every version: recorded scenes are
 * replayed by it. Any string is a seed; it is hashed, so near seeds give unlike numbers.
 */
export function seededDraws(seed: string): Draws {
  const draws: Draw[] = []
  const random = smallFastCounter(seedOf(seed))
  return {
    next(what, outcomeOf) {
      const value = random() / 2 ** 32
      draws.push({ what, value, outcome: outcomeOf(value) })
      return value
    },
    get draws() {
      return draws.slice()
    },
  }
}

/** True with this probability: 0 never, 1 always. */
export function chance(draws: Draws, what: string, probability: number): boolean {
  return draws.next(what, (value) => (value < probability ? 'yes' : 'no')) < probability
}

/** One of the ids, each as likely; undefined when there is none, and drawn when there is but one. */
export function pick<Id extends string>(
  draws: Draws,
  what: string,
  ids: readonly Id[],
): Id | undefined {
  if (ids.length === 0) return undefined
  const at = (value: number) => ids[Math.floor(value * ids.length)]
  return at(draws.next(what, (value) => String(at(value))))
}

/** The ids in a random order, each order as likely (Fisher-Yates); one draw a place but the last. */
export function shuffle<Id extends string>(
  draws: Draws,
  what: string,
  ids: readonly Id[],
): readonly Id[] {
  const left = ids.slice()
  const ordered: Id[] = []
  while (left.length > 1) {
    const place = `${what}: place ${ordered.length + 1} of ${ids.length}`
    const indexOf = (value: number) => Math.floor(value * left.length)
    const value = draws.next(place, (drawn) => String(left[indexOf(drawn)]))
    const [id] = left.splice(indexOf(value), 1)
    if (id !== undefined) ordered.push(id)
  }
  return [...ordered, ...left]
}

type State = readonly [number, number, number]

/** Three 32-bit words of a string: one multiply-and-xor pass each, then a full avalanche. */
export function seedOf(text: string): State {
  return [lane(text, 0x9e3779b1), lane(text, 0x85ebca77), lane(text, 0xc2b2ae3d)]
}

function lane(text: string, prime: number): number {
  let word = prime ^ text.length
  for (let index = 0; index < text.length; index++) {
    word = Math.imul(word ^ text.charCodeAt(index), prime)
    word ^= word >>> 15
  }
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35)
  return (word ^ (word >>> 16)) >>> 0
}

/** The sfc32 generator of PractRand: 96 bits of state and a counter, so no short cycles. */
function smallFastCounter(state: State): () => number {
  let [a, b, c] = state
  let counter = 1
  const step = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) step()
  return step
}
