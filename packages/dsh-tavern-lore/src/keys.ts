/** An entry's keys made ready to match, within the limits that a card's lore has as a whole. */
import type { BookEntry } from 'dsh-tavern-cards'
import type { RE2JS } from 're2js'
import { maxKeyLength, maxKeys, maxPatternSize, maxPatternsSize } from './limits.ts'
import {
  compilePattern,
  hasPatternSigns,
  type PatternCompilation,
  type PatternSource,
  slashPattern,
} from './pattern.ts'

interface PlainKey {
  readonly kind: 'plain'
  /** As the card has it. */
  readonly written: string
  /** Composed, and in lower case unless case counts. */
  readonly sought: string
  readonly caseSensitive: boolean
  readonly wholeWords: boolean
}

interface PatternKey {
  readonly kind: 'pattern'
  readonly written: string
  readonly pattern: RE2JS
  /** In instructions. */
  readonly size: number
}

/** Matches nothing, for the reason given. */
interface DeadKey {
  readonly kind: 'dead'
  readonly written: string
  readonly reason: string
  readonly size: number
}

export type LoreKey = PlainKey | PatternKey | DeadKey

export interface EntryKeys {
  readonly entry: BookEntry
  readonly primary: readonly LoreKey[]
  readonly secondary: readonly LoreKey[]
}

/** The keys of every entry, in the entries' order; what goes over the limits is dead. */
export function keysOf(entries: readonly BookEntry[]): readonly EntryKeys[] {
  const spent = { keys: 0, patterns: 0 }
  const ready = (entry: BookEntry, written: string): readonly LoreKey[] => {
    const key = written.trim()
    if (key === '') return []
    if (++spent.keys > maxKeys) return [dead(written, `past the first ${maxKeys} keys`)]
    if (key.length > maxKeyLength) return [dead(written, `over ${maxKeyLength} characters`)]
    const source = patternOf(entry, key)
    if (source === undefined) return [plainKey(entry, written, key)]
    if (spent.patterns >= maxPatternsSize) return [dead(written, 'past what patterns may cost')]
    const compiled = patternKey(written, source)
    spent.patterns += Math.min(compiled.size, maxPatternSize)
    return [compiled]
  }
  return entries.map((entry) => ({
    entry,
    primary: entry.keys.flatMap((key) => ready(entry, key)),
    secondary: entry.secondaryKeys.flatMap((key) => ready(entry, key)),
  }))
}

/** Applications set `use_regex` on plain words too; without a sign, a word stays a plain key. */
function patternOf(entry: BookEntry, key: string): PatternSource | undefined {
  const slashed = slashPattern(key)
  if (slashed !== undefined) return slashed
  if (!entry.useRegex || !hasPatternSigns(key)) return undefined
  return { body: key, flags: entry.caseSensitive ? '' : 'i' }
}

function plainKey(entry: BookEntry, written: string, key: string): LoreKey {
  const { caseSensitive, wholeWords } = entry
  const composed = key.normalize('NFC')
  const sought = caseSensitive ? composed : composed.toLowerCase()
  return { kind: 'plain', written, sought, caseSensitive, wholeWords }
}

/** Compiled patterns, kept: the same card is asked at every cue. Bounded, oldest out first. */
const compiledPatterns = new Map<string, PatternKey | DeadKey>()
const keptPatterns = 1000

function patternKey(written: string, source: PatternSource): PatternKey | DeadKey {
  const name = `${source.flags}/${source.body}`
  const kept = compiledPatterns.get(name)
  if (kept !== undefined) return { ...kept, written }
  const compilation = compilePattern(source)
  const key = asKey(written, compilation)
  compiledPatterns.set(name, key)
  const [oldest] = compiledPatterns.keys()
  if (compiledPatterns.size > keptPatterns && oldest !== undefined) compiledPatterns.delete(oldest)
  return key
}

function asKey(written: string, compilation: PatternCompilation): PatternKey | DeadKey {
  if (!compilation.ok) return dead(written, compilation.reason)
  const { pattern, size } = compilation
  if (size > maxPatternSize) return dead(written, `compiles to ${size} instructions`, size)
  return { kind: 'pattern', written, pattern, size }
}

function dead(written: string, reason: string, size = 0): DeadKey {
  return { kind: 'dead', written, reason, size }
}
