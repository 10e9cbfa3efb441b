/** The part of a text that shows a match: the original words, spaces made single, bounded in code points. */
import { placesOf, termsOf } from './terms.ts'

export interface ExcerptRequest {
  readonly text: string
  /** What was looked for; its first occurrence is shown, or that of its first word that is there. */
  readonly query: string
  /** In code points, both ellipses counted. */
  readonly limit: number
}

const ELLIPSIS = '…'
/** How far around the match is looked, in excerpts. */
const REACH = 8
/** The beginning of a long query says where it is. */
const TERMS_MAX = 32

export function excerptOf({ text, query, limit }: ExcerptRequest): string {
  const start = text.length > limit ? matchStart(text, query) : 0
  const near = around(text, start, limit * REACH)
  const whole = Array.from(singleSpaced(near.text))
  if (whole.length <= limit) return whole.join('')
  if (limit === 1) return ELLIPSIS
  const before = Array.from(singleSpaced(near.text.slice(0, near.start), 'open')).length
  return cut(whole, Math.min(before, whole.length - 1), limit)
}

/** Enough of a long text for any excerpt of it, unless it is all space there. */
function around(text: string, start: number, reach: number) {
  const from = Math.max(0, start - reach)
  return { text: text.slice(from, start + reach).toWellFormed(), start: start - from }
}

/** A third of what is shown stands before the match; what has room to spare at the end is given to the front. */
function cut(whole: readonly string[], match: number, limit: number): string {
  let start = Math.max(0, match - Math.floor(limit / 3))
  const room = limit - (start > 0 ? 1 : 0)
  if (start + room >= whole.length) {
    start = Math.max(0, whole.length - (limit - 1))
    return `${ELLIPSIS}${whole.slice(start).join('')}`
  }
  if (room < 2 || match >= start + room - 1) start = match
  const leading = start > 0 && limit > 2 ? ELLIPSIS : ''
  const length = limit - leading.length - 1
  return `${leading}${whole.slice(start, start + length).join('')}${ELLIPSIS}`
}

function matchStart(text: string, query: string): number {
  const words = query.split(/\s+/u).map(termsOf)
  return (
    firstOf(text, termsOf(query)) ??
    words.map((terms) => firstOf(text, terms)).find((start) => start !== undefined) ??
    0
  )
}

/** Where the terms first stand one after the other. */
function firstOf(text: string, query: readonly string[]): number | undefined {
  const wanted = query.slice(0, TERMS_MAX)
  if (wanted.length === 0) return undefined
  const recent: { readonly term: string; readonly start: number }[] = []
  for (const place of placesOf(text)) {
    recent.push(place)
    if (recent.length > wanted.length) recent.shift()
    if (recent.length < wanted.length) continue
    if (recent.every(({ term }, index) => term === wanted[index])) return recent[0]?.start
  }
  return undefined
}

/** `open`: text goes on after it, so its last space counts. */
function singleSpaced(text: string, end: 'closed' | 'open' = 'closed'): string {
  const single = text.replace(/\s+/gu, ' ')
  return end === 'open' ? single.trimStart() : single.trim()
}
