/** Whether one entry comes to mind, and by which of its keys. */
import { assertNever } from 'dsh-fabric-protocol'
import type { EntryKeys, LoreKey } from './keys.ts'
import type { Scan } from './scan.ts'

/** The keys that were found, empty where none was needed; undefined where the entry stays out. */
export function matchOf(keys: EntryKeys, scan: Scan): readonly string[] | undefined {
  const { entry, primary, secondary } = keys
  if (!entry.enabled) return undefined
  const order = orderOf(entry.decorators)
  if (order === 'activate') return []
  if (order === 'dont-activate') return undefined
  if (entry.constant) return []
  const found = foundIn(primary, entry.scanDepth, scan)
  if (found.length === 0) return undefined
  if (!entry.selective || secondary.length === 0) return found
  const foundToo = foundIn(secondary, entry.scanDepth, scan)
  return agrees(keys, foundToo.length) ? [...found, ...foundToo] : undefined
}

function foundIn(
  keys: readonly LoreKey[],
  depth: number | undefined,
  scan: Scan,
): readonly string[] {
  return keys.filter((key) => scan.holds(key, depth)).map((key) => key.written)
}

function agrees({ entry, secondary }: EntryKeys, found: number): boolean {
  switch (entry.logic) {
    case 'and-any':
      return found > 0
    case 'not-all':
      return found < secondary.length
    case 'not-any':
      return found === 0
    case 'and-all':
      return found === secondary.length
    default:
      return assertNever(entry.logic)
  }
}

/**
 * What the entry's `@@` lines order. Other decorators are ignored; a `@@@` line counts only in place
 * of the ignored line above it. To activate is stronger than not to.
 */
function orderOf(decorators: readonly string[]): 'activate' | 'dont-activate' | undefined {
  const known = new Set<string>()
  let ignored = false
  for (const line of decorators) {
    const fallback = line.startsWith('@@@')
    if (fallback && !ignored) continue
    const [name = ''] = line.slice(fallback ? 3 : 2).split(/\s/, 1)
    ignored = name !== 'activate' && name !== 'dont_activate'
    if (!ignored) known.add(name)
  }
  if (known.has('activate')) return 'activate'
  return known.has('dont_activate') ? 'dont-activate' : undefined
}
