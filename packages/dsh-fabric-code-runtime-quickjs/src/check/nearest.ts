/** Names like one that does not exist, the likest first. */
const MAX_NAMES = 8

/** All when they are few. */
export function nearest(wanted: string, names: readonly string[]): readonly string[] {
  return names
    .map((name) => ({ name, distance: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(({ name }) => name)
}

/** How many letters must change; less where one name holds the other. */
function distance(wanted: string, name: string): number {
  if (wanted.length > 64 || name.length > 64) return Math.abs(wanted.length - name.length)
  const holds = wanted.length > 2 && (name.includes(wanted) || wanted.includes(name))
  return edits(wanted, name) / (holds ? 3 : 1)
}

function edits(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [row, letter] of Array.from(a).entries()) {
    const current = [row + 1]
    for (const [column, other] of Array.from(b).entries()) {
      const change = (previous[column] ?? 0) + (letter === other ? 0 : 1)
      current.push(Math.min(change, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
