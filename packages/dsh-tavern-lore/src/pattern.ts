/** Keys that are patterns, run by an engine whose time is linear in the text: a card cannot hang it. */
import { RE2JS } from 're2js'

/** A key read as a pattern, not yet compiled. */
export interface PatternSource {
  readonly body: string
  readonly flags: string
}

/**
 * `/pattern/flags` with each of the flags g i m s u y at most once and no bare slash inside; anything
 * else is a plain key.
 */
export function slashPattern(key: string): PatternSource | undefined {
  const end = key.lastIndexOf('/')
  if (!key.startsWith('/') || end < 2) return undefined
  const body = key.slice(1, end)
  const flags = key.slice(end + 1)
  if (!/^[gimsuy]*$/.test(flags) || new Set(flags).size !== flags.length) return undefined
  const bareSlash = /(?:^|[^\\])(?:\\\\)*\//
  return bareSlash.test(body) ? undefined : { body, flags }
}

/** Signs that make a key mean more than its letters. */
export function hasPatternSigns(key: string): boolean {
  return /[\\^$.*+?()[\]{}|]/.test(key)
}

export type PatternCompilation =
  | { readonly ok: true; readonly pattern: RE2JS; readonly size: number }
  | { readonly ok: false; readonly reason: string }

/** Flags g, u and y change nothing about whether a text matches anywhere, and are ignored. */
export function compilePattern({ body, flags }: PatternSource): PatternCompilation {
  let options = 0
  if (flags.includes('i')) options |= RE2JS.CASE_INSENSITIVE
  if (flags.includes('m')) options |= RE2JS.MULTILINE
  if (flags.includes('s')) options |= RE2JS.DOTALL
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(body), options)
    return { ok: true, pattern, size: pattern.programSize() }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : 'unknown' }
  }
}
