/** Prepared statements by their text, with the type of their rows. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

export interface Statement<Row> {
  get(...values: readonly SQLInputValue[]): Row | undefined
  all(...values: readonly SQLInputValue[]): Row[]
  run(...values: readonly SQLInputValue[]): { readonly lastInsertRowid: number | bigint }
}

/** Prepares each text once. `Row` is the caller's word for what the text selects. */
export type Sql = <Row>(text: string) => Statement<Row>

export function prepareOnce(database: DatabaseSync): Sql {
  const prepared = new Map<string, unknown>()
  return <Row>(text: string) => {
    let statement = prepared.get(text)
    if (statement === undefined) {
      statement = database.prepare(text)
      prepared.set(text, statement)
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where rows get their type
    return statement as Statement<Row>
  }
}
