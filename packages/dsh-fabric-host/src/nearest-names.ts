/** The names someone may have meant. */

const SHOWN = 3

/** At most three of them, nearest first, and none that has nothing to do with it. */
export function nearestNames(wanted: string, names: Iterable<string>): readonly string[] {
  const sought = wanted.slice(0, 64).toLowerCase()
  return [...names]
    .map((name) => ({ name, distance: distance(sought, name.slice(0, 64).toLowerCase()) }))
    .filter(({ name, distance: far }) => far <= Math.max(2, Math.ceil(name.length / 2)))
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ name }) => name)
}

/** Levenshtein; a name that contains the other is near. */
function distance(a: string, b: string): number {
  if (a !== '' && (b.includes(a) || a.includes(b))) return 1
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1
      current.push(
        Math.min(
          at(previous, column) + 1,
          at(current, column - 1) + 1,
          at(previous, column - 1) + change,
        ),
      )
    }
    previous = current
  }
  return at(previous, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
