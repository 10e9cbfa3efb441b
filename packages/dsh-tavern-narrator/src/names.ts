/** Finds which members a text names, in any script. */
import { fold } from './fold.ts'
import { nameKeys } from './name-keys.ts'
import type { Sureness } from './name-keys.ts'
import { isBoundary } from './word-boundary.ts'

export interface Named {
  readonly id: string
  /** Its name and every other name it answers to. */
  readonly names: readonly string[]
}

/**
 * Ids in order of first mention; members meant by the same words come in list order.
 * Where spellings overlap, the longest wins; of equal ones a whole name over a part of a name, and
 * one with its accents over one without. Names of several members mean all of them.
 */
export function findMentions(text: string, members: readonly Named[]): readonly string[] {
  const points = codePoints(fold(text))
  const matches = longestMatches(points, growTree(members))
  const mentioned = matches
    .toSorted((left, right) => left.start - right.start)
    .flatMap((match) => match.bearers)
  return [...new Set(mentioned)]
}

interface Bearers {
  readonly sureness: Sureness
  readonly ids: readonly string[]
}

/** A prefix tree over code points: one walk from a place finds every name that begins there. */
interface Branch {
  readonly next: Map<number, Branch>
  bearers?: Bearers
}

interface Match {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  readonly bearers: readonly string[]
}

function growTree(members: readonly Named[]): Branch {
  const root: Branch = { next: new Map() }
  for (const { id, names } of members) {
    for (const name of names) {
      for (const [key, sureness] of nameKeys(name)) {
        const branch = reach(root, key)
        branch.bearers = merged(branch.bearers, { sureness, ids: [id] })
      }
    }
  }
  return root
}

function reach(root: Branch, key: string): Branch {
  let branch = root
  for (const point of codePoints(key)) {
    const known = branch.next.get(point)
    const next: Branch = known ?? { next: new Map() }
    if (known === undefined) branch.next.set(point, next)
    branch = next
  }
  return branch
}

function merged(known: Bearers | undefined, added: Bearers): Bearers {
  if (known === undefined || added.sureness < known.sureness) return added
  if (added.sureness > known.sureness) return known
  return { sureness: known.sureness, ids: [...known.ids, ...added.ids] }
}

/** Disjoint matches: longer before shorter, then earlier before later. */
function longestMatches(points: readonly number[], tree: Branch): readonly Match[] {
  const byLength: Match[][] = []
  const put = (match: Match | undefined) => {
    if (match) (byLength[match.end - match.start] ??= []).push(match)
  }
  for (let start = 0; start < points.length; start++) {
    put(longestAt(points, tree, { start, limit: points.length }))
  }

  const taken = new Uint8Array(points.length)
  const kept: Match[] = []
  for (let length = byLength.length - 1; length > 0; length--) {
    for (const match of byLength[length] ?? []) {
      // What is taken is at least as long as this match, so it covers one of its ends.
      if (taken[match.start]) continue
      if (taken[match.end - 1]) {
        const limit = taken.indexOf(1, match.start)
        put(longestAt(points, tree, { start: match.start, limit }))
        continue
      }
      taken.fill(1, match.start, match.end)
      kept.push(match)
    }
  }
  return kept
}

/** The longest name that begins at `start` and ends at or before `limit`. */
function longestAt(
  points: readonly number[],
  tree: Branch,
  { start, limit }: { readonly start: number; readonly limit: number },
): Match | undefined {
  if (!isBoundary(points, start)) return undefined
  let longest: Match | undefined
  let branch: Branch | undefined = tree
  for (let index = start; index < limit; index++) {
    branch = branch.next.get(points[index] ?? -1)
    if (branch === undefined) break
    if (branch.bearers && isBoundary(points, index + 1)) {
      longest = { start, end: index + 1, bearers: branch.bearers.ids }
    }
  }
  return longest
}

function codePoints(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0)
}
