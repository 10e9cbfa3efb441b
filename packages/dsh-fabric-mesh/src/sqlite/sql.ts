/** Prepared statements by their text, with the type of their rows. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

export interface Statement<Row> {
  get(...values: readonly SQLInputValue[]): Row | undefined
  all(...values: readonly SQLInputValue[]): Row[]
  run(...values: readonly SQLInputValue[]): { readonly lastInsertRowid: number | bigint }
}

/** `Row` is the caller's word for what the text selects. */
export type Prepare = <Row>(text: string) => Statement<Row>

/** A batch puts off what it writes to `part`; a statement about that table finds it written. */
export interface Sql extends Prepare {
  /** The same without that care: for a statement that knows what was put off. */
  readonly late: Prepare
}

const PUT_OFF = /\bpart\b/

/** Prepares each text once. */
export function prepareOnce(database: DatabaseSync, flush: () => void): Sql {
  const prepared = new Map<string, { readonly statement: unknown; readonly needsAll: boolean }>()
  const find = (text: string) => {
    let known = prepared.get(text)
    if (known === undefined) {
      known = { statement: database.prepare(text), needsAll: PUT_OFF.test(text) }
      prepared.set(text, known)
    }
    return known
  }
  const late = <Row>(text: string): Statement<Row> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where rows get their type
    return find(text).statement as Statement<Row>
  }
  const careful = <Row>(text: string): Statement<Row> => {
    if (find(text).needsAll) flush()
    return late(text)
  }
  return Object.assign(careful, { late })
}
