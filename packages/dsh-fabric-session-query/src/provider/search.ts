/** Finds and ranks: where all of the query stands as it was written first, then where each of its words stands. */
import type { DatabaseSync } from 'node:sqlite'
import { termsOf } from '../terms.ts'
import type { Search } from './request.ts'
import type { Part } from './schema.ts'
import { all, type Binding, eventCondition, sessionCondition } from './where.ts'

/** What may be seen: sessions that persistence lists now, and those that this process runs. */
export interface Visible {
  readonly stored: readonly string[]
}

export interface Row {
  readonly sessionId: string
  readonly header: string
  readonly live: boolean
  readonly persisted: boolean
  readonly seq: number
  readonly type: string
  readonly time: number
  readonly surface: string
  readonly text: string
}

/** At most `search.limit + 1` rows from `offset`: one more says that there are more. */
export function find(
  db: DatabaseSync,
  search: Search,
  { visible, offset }: { readonly visible: Visible; readonly offset: number },
): readonly Row[] {
  const tiers = expressionsOf(search.query)
  if (tiers.length === 0) return []
  const sources = tiers.flatMap((expression, tier) => [
    source({ part: 'stored', expression, tier, search, visible }),
    source({ part: 'live', expression, tier, search, visible }),
  ])
  const order = 'tier, matches DESC, length, time DESC, id, seq DESC'
  const rank = 'tier, matches DESC, length, time DESC, seq DESC'
  const grouped = search.sessionId === undefined
  const sql = `
    WITH hits AS (${sources.map((part) => part.sql).join('\nUNION ALL\n')}),
    strongest AS (${
      grouped
        ? `SELECT *, row_number() OVER (PARTITION BY id ORDER BY ${rank}) AS place FROM hits`
        : 'SELECT *, 1 AS place FROM hits'
    }),
    page AS (SELECT * FROM strongest WHERE place = 1 ORDER BY ${order} LIMIT ? OFFSET ?)
    SELECT id, header, live, persisted, seq, type, time, surface,
      CASE live
        WHEN 1 THEN (SELECT text FROM temp.live_documents WHERE id = document)
        ELSE (SELECT text FROM main.stored_documents WHERE id = document)
      END AS text
    FROM page ORDER BY ${order}`
  const bindings = [...sources.flatMap((part) => part.bindings), search.limit + 1, offset]
  return db
    .prepare(sql)
    .all(...bindings)
    .map((row) => ({
      sessionId: String(row['id']),
      header: String(row['header']),
      live: row['live'] === 1,
      persisted: row['persisted'] === 1,
      seq: Number(row['seq']),
      type: String(row['type']),
      time: Number(row['time']),
      surface: String(row['surface']),
      text: String(row['text']),
    }))
}

interface Source {
  readonly part: Part
  readonly expression: string
  readonly tier: number
  readonly search: Search
  readonly visible: Visible
}

/** The mark that stands before each match; no term holds it. */
const MARK = '\u0001'

function source({ part, expression, tier, search, visible }: Source) {
  const schema = part === 'live' ? 'temp' : 'main'
  const shown =
    part === 'live'
      ? { sql: '1', bindings: [] }
      : {
          sql: `s.id IN (SELECT value FROM json_each(?))
            AND s.id NOT IN (SELECT id FROM temp.live_sessions)`,
          bindings: [JSON.stringify(visible.stored)],
        }
  const { sessionId } = search
  const where = all([
    shown,
    ...(sessionId === undefined ? [] : [{ sql: 's.id = ?', bindings: [sessionId] }]),
    ...search.sessionFilters.map((filter) => sessionCondition(filter, part)),
    ...search.eventFilters.map(eventCondition),
  ])
  const bindings: readonly Binding[] = [MARK, expression, ...where.bindings]
  return {
    bindings,
    sql: `SELECT s.id, s.header, s.persisted, ${part === 'live' ? 1 : 0} AS live, ${tier} AS tier,
        length(highlight(${part}_terms, 0, ?, '')) - length(t.terms) AS matches,
        d.id AS document, d.seq, d.type, d.time, d.surface, d.length
      FROM ${schema}.${part}_terms AS t
        CROSS JOIN ${schema}.${part}_documents AS d ON d.id = t.rowid
        CROSS JOIN ${schema}.${part}_sessions AS s ON s.number = d.session
      WHERE ${part}_terms MATCH ? AND ${where.sql}`,
  }
}

/** A longer query is a passage: it is looked for as it was written only. */
const WORDS_MAX = 32

/** Terms hold letters, marks, digits and pictures only; quoted, none of them is syntax. */
function expressionsOf(query: string): readonly string[] {
  const words = query.split(' ').flatMap((word) => phrase(termsOf(word)))
  const [whole] = phrase(termsOf(query))
  if (whole === undefined) return []
  const distinct = [...new Set(words)]
  if (words.length < 2 || distinct.length > WORDS_MAX) return [whole]
  return [whole, `(${distinct.join(' AND ')}) NOT ${whole}`]
}

function phrase(terms: readonly string[]): readonly string[] {
  return terms.length === 0 ? [] : [`"${terms.join(' ')}"`]
}
