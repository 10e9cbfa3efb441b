/** The texts that keys are looked for in: the newest ones, in the forms that keys need. */
import type { LoreKey } from './keys.ts'
import { maxPatternScanLength, maxScanLength } from './limits.ts'
import { containsWord, type WordEdges, wordEdges } from './word.ts'

/** A text with the edges of its words. */
interface Searchable {
  readonly text: string
  readonly edges: WordEdges
}

/** One scan depth's text, with its own letter case and in lower case. */
interface Haystack {
  readonly written: Searchable
  readonly lowered: Searchable
}

export class Scan {
  readonly #texts: readonly string[]
  readonly #haystacks = new Map<number, Haystack>()

  /** Newest first. */
  constructor(texts: readonly string[]) {
    this.#texts = texts
  }

  /** `depth` is how many of the newest texts count; undefined: all of them. */
  holds(key: LoreKey, depth: number | undefined): boolean {
    const { written, lowered } = this.#haystack(depth)
    if (key.kind === 'dead') return false
    if (key.kind === 'pattern') return key.pattern.test(written.text.slice(0, maxPatternScanLength))
    const { text, edges } = key.caseSensitive ? written : lowered
    return key.wholeWords ? containsWord(text, edges, key.sought) : text.includes(key.sought)
  }

  #haystack(depth = this.#texts.length): Haystack {
    const count = Math.min(depth, this.#texts.length)
    const kept = this.#haystacks.get(count)
    if (kept !== undefined) return kept
    const written = newest(this.#texts.slice(0, count)).normalize('NFC')
    const haystack = { written: searchable(written), lowered: searchable(written.toLowerCase()) }
    this.#haystacks.set(count, haystack)
    return haystack
  }
}

function searchable(text: string): Searchable {
  return { text, edges: wordEdges(text) }
}

/** Joined by newlines, so that no key reaches over two texts; cut where a scan ends. */
function newest(texts: readonly string[]): string {
  let joined = ''
  for (const text of texts) {
    if (joined.length >= maxScanLength) break
    joined += `${text.slice(0, maxScanLength)}\n`
  }
  return joined.slice(0, maxScanLength)
}
