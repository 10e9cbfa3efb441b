/** Ends a transaction or a savepoint whose work is not wanted, or is lost already. */
import type { DatabaseSync } from 'node:sqlite'

/** What failed before is what its caller tells: this never fails. */
export function rollBack(database: DatabaseSync, statement = 'ROLLBACK'): void {
  try {
    database.exec(statement)
  } catch {
    // SQLite has rolled back by itself already: a full disk and a failed write do that.
  }
}
