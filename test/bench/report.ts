/** One measured figure: a ratio where it has a target. */
export interface Figure {
  readonly area: string
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What it must be, as in `at most 1.5`. */
  readonly target?: string
  readonly ok?: boolean
}

export type Report = (figure: Figure) => void

/** The figures of one area. */
export function figuresOf(area: string) {
  return (name: string, value: number, unit: string): Figure => ({ area, name, value, unit })
}

/** A figure with an upper bound. */
export function atMost(figure: Omit<Figure, 'target' | 'ok'>, bound: number): Figure {
  return { ...figure, target: `at most ${bound}`, ok: figure.value <= bound }
}

export function atLeast(figure: Omit<Figure, 'target' | 'ok'>, bound: number): Figure {
  return { ...figure, target: `at least ${bound}`, ok: figure.value >= bound }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
