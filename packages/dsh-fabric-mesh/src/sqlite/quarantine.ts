/** Records that cannot be read: pages pass over them, a check names them, and whoever asks for one by name is told. */
import { MeshError } from '../error.ts'
import { BoundedMap } from './bounded-map.ts'
import type { Sql } from './sql.ts'
import type { Write } from './batch.ts'

const REMEMBERED = 1024

const ADD = 'INSERT OR IGNORE INTO quarantine (n, found, at) VALUES (?, ?, ?)'
const ALL = 'SELECT n, found FROM quarantine ORDER BY n LIMIT ?'

export interface QuarantineHost {
  readonly sql: Sql
  readonly now: () => number
  write(run: Write<void>): Promise<void>
}

export class Quarantine {
  private readonly host: QuarantineHost
  private readonly known = new BoundedMap<number, string>(REMEMBERED)

  constructor(host: QuarantineHost) {
    this.host = host
  }

  /** All rows that can be shown. */
  readable<Row extends { readonly n: number }, Shown>(
    rows: readonly Row[],
    show: (row: Row) => Shown,
  ): readonly Shown[] {
    return rows.flatMap((row) => {
      const shown = this.attempt(row.n, () => show(row))
      return shown === undefined ? [] : [shown.value]
    })
  }

  /** Undefined when the record is damaged; other failures pass. */
  attempt<Shown>(n: number, show: () => Shown): { readonly value: Shown } | undefined {
    try {
      return { value: show() }
    } catch (error) {
      if (!(error instanceof MeshError) || error.code !== 'store-invalid') throw error
      this.note(n, error.message)
      return undefined
    }
  }

  list(limit: number): readonly { readonly n: number; readonly found: string }[] {
    return this.host.sql<{ n: number; found: string }>(ALL).all(limit)
  }

  private note(n: number, found: string): void {
    if (this.known.get(n) !== undefined) return
    this.known.set(n, found)
    const { sql, now } = this.host
    const noted = this.host.write(() => void sql(ADD).run(n, found, now()))
    noted.catch(() => undefined) // whoever reads the record next finds the same
  }
}
