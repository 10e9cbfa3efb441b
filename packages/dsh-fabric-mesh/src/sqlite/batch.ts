/** One transaction for many writes: all at once when all succeed, else one by one, so that each fails alone. */
import type { DatabaseSync } from 'node:sqlite'
import { endsTransaction, isBusy, storeFailure } from './failure.ts'
import { rollBack } from './roll-back.ts'

/** A write reads and changes the database, and names the places whose watchers must hear of it. */
export type Write<T> = (touched: Set<number>) => T

export interface Entry {
  /** Runs the write; gives what tells its caller. */
  readonly run: Write<() => void>
  readonly reject: (error: unknown) => void
  readonly since: number
}

export interface BatchHost {
  readonly database: DatabaseSync
  readonly path: string
  /** Something was rolled back: what was remembered from it may not exist. */
  rolledBack(): void
  /** What was put off must be written now: a commit or a savepoint comes. */
  flush(): void
  /** The transaction is over, whatever became of it. */
  over(): void
}

export type Outcome =
  | { readonly status: 'busy' }
  /** `tell` are to be called in their order, now. */
  | {
      readonly status: 'committed'
      readonly tell: readonly (() => void)[]
      readonly touched: ReadonlySet<number>
    }

/** An entry failed, and nothing of its batch is there any more. */
class Failed {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

export function runBatch(host: BatchHost, batch: readonly Entry[]): Outcome {
  const plain = transact(host, batch, (entry, touched) => {
    try {
      return entry.run(touched)
    } catch (error) {
      throw endsTransaction(error) ? error : new Failed(error)
    }
  })
  if (!(plain instanceof Failed)) return plain
  const [only, ...others] = batch
  if (only !== undefined && others.length === 0) {
    const reject = () => only.reject(storeFailure(plain.error, host.path))
    return { status: 'committed', tell: [reject], touched: new Set() }
  }
  const careful = transact(host, batch, (entry, touched) => runAlone(host, entry, touched))
  if (careful instanceof Failed) throw careful.error
  return careful
}

function transact(
  host: BatchHost,
  batch: readonly Entry[],
  runOne: (entry: Entry, touched: Set<number>) => () => void,
): Outcome | Failed {
  const touched = new Set<number>()
  try {
    host.database.exec('BEGIN IMMEDIATE')
    const tell = batch.map((entry) => runOne(entry, touched))
    host.flush()
    host.database.exec('COMMIT')
    return { status: 'committed', tell, touched }
  } catch (error) {
    undo(host)
    if (error instanceof Failed) return error
    if (isBusy(error)) return { status: 'busy' }
    const failure = storeFailure(error, host.path)
    const tell = batch.map((entry) => () => entry.reject(failure))
    return { status: 'committed', tell, touched: new Set() }
  } finally {
    host.over()
  }
}

/** Runs one write inside the batch; what it did is undone alone when it fails. */
function runAlone(host: BatchHost, entry: Entry, touched: Set<number>): () => void {
  const { database, path } = host
  const own = new Set<number>()
  database.exec('SAVEPOINT entry')
  try {
    const tell = entry.run(own)
    host.flush()
    database.exec('RELEASE entry')
    for (const place of own) touched.add(place)
    return tell
  } catch (error) {
    if (endsTransaction(error)) throw error
    undo(host, 'ROLLBACK TO entry; RELEASE entry')
    return () => entry.reject(storeFailure(error, path))
  }
}

function undo(host: BatchHost, statement?: string): void {
  host.rolledBack()
  rollBack(host.database, statement)
}
