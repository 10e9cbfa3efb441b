/** Authors and workers are few and written often: records hold a number, this table the text. */
import { MeshError } from '../error.ts'
import { BoundedMap } from './bounded-map.ts'
import type { Sql } from './sql.ts'

const REMEMBERED = 4096

const FIND_ID = 'SELECT id FROM name WHERE text = ?'
const FIND_TEXT = 'SELECT text FROM name WHERE id = ?'
const ADD = 'INSERT INTO name (text) VALUES (?)'

export class Names {
  private readonly sql: Sql
  private readonly ids = new BoundedMap<string, number>(REMEMBERED)
  private readonly texts = new BoundedMap<number, string>(REMEMBERED)

  constructor(sql: Sql) {
    this.sql = sql
  }

  find(text: string): number | undefined {
    const known = this.ids.get(text)
    if (known !== undefined) return known
    const row = this.sql<{ id: number }>(FIND_ID).get(text)
    return row === undefined ? undefined : this.ids.set(text, row.id)
  }

  /** Only inside a write. */
  intern(text: string): number {
    const known = this.find(text)
    if (known !== undefined) return known
    return this.ids.set(text, Number(this.sql(ADD).run(text).lastInsertRowid))
  }

  text(id: number): string {
    const known = this.texts.get(id)
    if (known !== undefined) return known
    const row = this.sql<{ text: string }>(FIND_TEXT).get(id)
    if (row === undefined) {
      const detail = { table: 'name', row: id }
      throw new MeshError('store-invalid', `row ${id} of table name is missing`, { detail })
    }
    return this.texts.set(id, row.text)
  }

  forget(): void {
    this.ids.clear()
    this.texts.clear()
  }
}
