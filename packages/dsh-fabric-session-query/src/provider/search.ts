/** Finds and ranks: where all of the query stands as it was written first, then where each of its words stands. */
import type { DatabaseSync } from 'node:sqlite'
import { termsOf } from '../terms.ts'
import { indexText } from './documents.ts'
import type { Search } from './request.ts'
import type { Part } from './schema.ts'
import { all, type Binding, type Condition, eventCondition, sessionCondition } from './where.ts'

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
  const sources = tiersOf(search.query).flatMap((tier, rank) =>
    PARTS.map((part) => source({ part, rank, tier, search, visible })),
  )
  if (sources.length === 0) return []
  const order = 'tier, matches DESC, length, time DESC, id, seq DESC'
  const place = `row_number() OVER (PARTITION BY id ORDER BY ${order})`
  const sql = `
    WITH hits AS (${sources.map((part) => part.sql).join('\nUNION ALL\n')}),
    strongest AS (SELECT *, ${search.sessionId === undefined ? place : '1'} AS place FROM hits),
    page AS (
      SELECT *, row_number() OVER (ORDER BY ${order}) AS nth FROM strongest
      WHERE place = 1 ORDER BY nth LIMIT ? OFFSET ?
    )
    SELECT p.id, p.live, p.seq, p.time,
      coalesce(l.header, s.header) AS header,
      coalesce(l.persisted, s.persisted) AS persisted,
      coalesce(ld.type, sd.type) AS type,
      coalesce(ld.surface, sd.surface) AS surface,
      coalesce(ld.text, sd.text) AS text
    FROM page AS p
      LEFT JOIN temp.live_sessions AS l ON p.live = 1 AND l.id = p.id
      LEFT JOIN main.stored_sessions AS s ON p.live = 0 AND s.id = p.id
      LEFT JOIN temp.live_documents AS ld ON p.live = 1 AND ld.id = p.document
      LEFT JOIN main.stored_documents AS sd ON p.live = 0 AND sd.id = p.document
    ORDER BY p.nth`
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
  readonly rank: number
  readonly tier: Tier
  readonly search: Search
  readonly visible: Visible
}

const PARTS: readonly Part[] = ['stored', 'live']

function source({ part, rank, tier, search, visible }: Source) {
  const schema = part === 'live' ? 'temp' : 'main'
  const { sessionId } = search
  const where = all([
    part === 'live' ? { sql: '1', bindings: [] } : storedVisible(visible),
    ...(sessionId === undefined ? [] : [{ sql: 's.id = ?', bindings: [sessionId] }]),
    ...search.sessionFilters.map((filter) => sessionCondition(filter, part)),
    ...search.eventFilters.map(eventCondition),
  ])
  const counted = tier.phrases.map(occurrences)
  const bindings: readonly Binding[] = [
    ...counted.flatMap((count) => count.bindings),
    expressionOf(tier),
    ...where.bindings,
  ]
  return {
    bindings,
    sql: `SELECT s.id, ${part === 'live' ? 1 : 0} AS live, ${rank} AS tier,
        ${counted.map(({ sql }) => sql).join(' + ')} AS matches,
        d.id AS document, d.seq, d.time, d.length
      FROM ${schema}.${part}_terms AS t
        CROSS JOIN ${schema}.${part}_documents AS d ON d.id = t.rowid
        CROSS JOIN ${schema}.${part}_sessions AS s ON s.number = d.session
      WHERE ${part}_terms MATCH ? AND ${where.sql}`,
  }
}

function storedVisible({ stored }: Visible): Condition {
  return {
    sql: `s.id IN (SELECT value FROM json_each(?))
      AND s.id NOT IN (SELECT id FROM temp.live_sessions)`,
    bindings: [JSON.stringify(stored)],
  }
}

type Phrase = readonly string[]

/** Counted in the terms' own text: the search engine's way to count reads every match again, ten times slower. */
function occurrences(phrase: Phrase): Condition {
  const text = indexText(phrase)
  return {
    sql: `(octet_length(t.terms) - octet_length(replace(t.terms, ?, ''))) / ${Buffer.byteLength(text)}`,
    bindings: [text],
  }
}

/** A longer query is a passage: it is looked for as it was written only. */
const WORDS_MAX = 32

interface Tier {
  /** Each must be there. */
  readonly phrases: readonly Phrase[]
  /** Found by an earlier tier. */
  readonly without?: Phrase
}

/** All of the query as it was written; then each of its words, wherever they stand. */
function tiersOf(query: string): readonly Tier[] {
  const whole = termsOf(query)
  if (whole.length === 0) return []
  const words = query
    .split(' ')
    .map(termsOf)
    .filter(({ length }) => length > 0)
  const distinct = new Map(words.map((word) => [word.join(' '), word]))
  if (words.length < 2 || distinct.size > WORDS_MAX) return [{ phrases: [whole] }]
  return [{ phrases: [whole] }, { phrases: [...distinct.values()], without: whole }]
}

function expressionOf({ phrases, without }: Tier): string {
  const each = phrases.map(quoted).join(' AND ')
  return without === undefined ? each : `(${each}) NOT ${quoted(without)}`
}

/** Terms hold letters, marks, digits and pictures only; quoted, none of them is syntax. */
function quoted(phrase: Phrase): string {
  return `"${phrase.join(' ')}"`
}
