/** The type of a JSON value, as wide as a reader wants it: shapes are kept, literals are not. */
import type { JsonValue } from '../json.ts'

/** Beyond these a value is `any`: its type would cost more than it tells. */
const MAX_DEPTH = 4
const MAX_MEMBERS = 64
const MAX_KINDS = 6

export function typeOfValue(value: JsonValue, depth = 0): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  if (depth >= MAX_DEPTH) return 'any'
  return isList(value) ? typeOfList(value, depth) : typeOfObject(value, depth)
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function typeOfList(values: readonly JsonValue[], depth: number): string {
  const kinds = new Set<string>()
  for (const value of values) {
    kinds.add(typeOfValue(value, depth + 1))
    if (kinds.size > MAX_KINDS) return 'readonly any[]'
  }
  return kinds.size === 0 ? 'readonly any[]' : `readonly (${[...kinds].toSorted().join(' | ')})[]`
}

function typeOfObject(value: { readonly [key: string]: JsonValue }, depth: number): string {
  const entries = Object.entries(value)
  if (entries.length > MAX_MEMBERS) return '{ readonly [key: string]: any }'
  const members = entries.map(
    ([name, member]) => `readonly ${JSON.stringify(name)}: ${typeOfValue(member, depth + 1)}`,
  )
  return `{ ${members.toSorted().join('; ')} }`
}
