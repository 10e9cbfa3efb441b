/** Which entries of a character's own lore come to mind, given what was said lately. */
import type { BookEntry } from 'dsh-tavern-cards'
import type { Draw } from 'dsh-tavern-protocol'
import { matchOf } from './activation.ts'
import { type EntryKeys, keysOf } from './keys.ts'
import { Scan } from './scan.ts'

export interface LoreRequest {
  readonly entries: readonly BookEntry[]
  /** What was said, newest first. */
  readonly texts: readonly string[]
  /** UTF-8 bytes that the contents may have together. */
  readonly budgetBytes: number
  /** A number in [0, 1) for what is named; the same seed must give the same numbers. */
  readonly draw: (what: string) => number
}

export interface ActiveEntry {
  readonly entryId: string
  /** Without decorator lines; macros unexpanded. */
  readonly content: string
  /** As the card has them; none for an entry that is always active. */
  readonly matchedKeys: readonly string[]
}

export interface LoreActivation {
  /** In the order they are to be read. */
  readonly active: readonly ActiveEntry[]
  /** Entries that came to mind but did not fit the budget. */
  readonly leftOut: number
  /** Every draw that was made, in order. */
  readonly draws: readonly Draw[]
}

interface Candidate extends ActiveEntry {
  readonly place: number
  readonly insertionOrder: number
  /** Lower is left out first. */
  readonly rank: number
  readonly bytes: number
}

/** Pure: the same request gives the same activation. */
export function activateLore({ entries, texts, budgetBytes, draw }: LoreRequest): LoreActivation {
  const scan = new Scan(texts)
  const draws: Draw[] = []
  const candidates = keysOf(entries).flatMap((keys, place): readonly Candidate[] => {
    if (keys.entry.content.trim() === '') return []
    const matchedKeys = matchOf(keys, scan)
    if (matchedKeys === undefined || !passes(keys.entry, draw, draws)) return []
    return [candidate(keys, matchedKeys, place)]
  })
  const distinct = withoutRepeats(candidates)
  const kept = fitting(distinct, budgetBytes)
  return {
    active: kept
      .toSorted((a, b) => a.insertionOrder - b.insertionOrder || a.place - b.place)
      .map(({ entryId, content, matchedKeys }) => ({ entryId, content, matchedKeys })),
    leftOut: distinct.length - kept.length,
    draws,
  }
}

function candidate({ entry }: EntryKeys, matchedKeys: readonly string[], place: number): Candidate {
  const { id, content, insertionOrder, priority } = entry
  return {
    entryId: id,
    content,
    matchedKeys,
    place,
    insertionOrder,
    rank: priority ?? insertionOrder,
    bytes: new TextEncoder().encode(content).length,
  }
}

/** Certain outcomes need no draw: 0 never passes, 100 always does. */
function passes(entry: BookEntry, draw: LoreRequest['draw'], draws: Draw[]): boolean {
  if (entry.probability <= 0) return false
  if (entry.probability >= 100) return true
  const what = `lore ${entry.id}`
  const value = draw(what)
  const passed = value * 100 < entry.probability
  draws.push({ what, value, outcome: passed ? 'active' : 'passed over' })
  return passed
}

/** Two entries with the same content are one; the more important of them stands. */
function withoutRepeats(candidates: readonly Candidate[]): readonly Candidate[] {
  const seen = new Set<string>()
  return byRank(candidates).filter(({ content }) => {
    if (seen.has(content)) return false
    seen.add(content)
    return true
  })
}

/** Fills the budget from the highest rank down; what does not fit makes room for smaller ones. */
function fitting(ranked: readonly Candidate[], budgetBytes: number): readonly Candidate[] {
  let left = budgetBytes
  return ranked.filter(({ bytes }) => {
    if (bytes > left) return false
    left -= bytes
    return true
  })
}

function byRank(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted((a, b) => b.rank - a.rank || a.place - b.place)
}
