/** Filters as conditions over `sessions s` and `documents d`; every value is bound, a list as one JSON text. */
import type { Part } from './schema.ts'
import { assertNever } from 'dsh-fabric-protocol'
import type {
  SessionEventMetadataFilter,
  SessionResultFilter,
} from '@deepseek-ai/dsh-session-query'

export type Binding = string | number

export interface Condition {
  readonly sql: string
  readonly bindings: readonly Binding[]
}

export function sessionCondition(filter: SessionResultFilter, part: Part): Condition {
  switch (filter.kind) {
    case 'id':
      return listed('s.id', filter.values)
    case 'cwd':
      return listed('s.cwd', filter.values)
    case 'parent':
      return listed('s.parent', filter.values)
    case 'created-at':
      return within('s.created_at', filter)
    case 'availability':
      return any(
        filter.values.map((value) => {
          if (value === 'persisted') return 's.persisted = 1'
          return part === 'live' ? '1' : '0'
        }),
      )
    default:
      return assertNever(filter)
  }
}

export function eventCondition(filter: SessionEventMetadataFilter): Condition {
  switch (filter.kind) {
    case 'seq':
      return within('d.seq', filter)
    case 'time':
      return within('d.time', filter)
    case 'type':
      return listed('d.type', filter.values)
    case 'surface':
      return listed('d.surface', filter.values)
    default:
      return assertNever(filter)
  }
}

export function all(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' AND ') || '1',
    bindings: conditions.flatMap(({ bindings }) => bindings),
  }
}

function any(conditions: readonly string[]): Condition {
  return { sql: conditions.join(' OR ') || '0', bindings: [] }
}

/** Null among the values means that there is none. */
function listed(column: string, values: readonly (string | null)[]): Condition {
  const concrete = values.filter((value) => value !== null)
  const { sql } = any([
    ...(concrete.length > 0 ? [`${column} IN (SELECT value FROM json_each(?))`] : []),
    ...(concrete.length < values.length ? [`${column} IS NULL`] : []),
  ])
  return { sql, bindings: concrete.length > 0 ? [JSON.stringify(concrete)] : [] }
}

function within(column: string, { from, to }: { readonly from?: number; readonly to?: number }) {
  return all([
    ...(from === undefined ? [] : [{ sql: `${column} >= ?`, bindings: [from] }]),
    ...(to === undefined ? [] : [{ sql: `${column} <= ?`, bindings: [to] }]),
  ])
}
