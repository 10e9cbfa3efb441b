/** What a failure of SQLite means to a caller of the mesh. */
import { MeshError } from '../error.ts'

/** Primary result codes of SQLite, as its documentation numbers them. */
const GENERIC = 1
const BUSY = 5
const LOCKED = 6
const OUT_OF_MEMORY = 7
const INTERRUPT = 9
const INPUT_OUTPUT = 10
const CORRUPT = 11
const FULL = 13
const PROTOCOL = 15
const MISMATCH = 20
const NOT_A_DATABASE = 26

const damaged = new Set([GENERIC, CORRUPT, MISMATCH, NOT_A_DATABASE])
const waiting = new Set([BUSY, LOCKED, PROTOCOL])
const ending = new Set([...waiting, OUT_OF_MEMORY, INTERRUPT, INPUT_OUTPUT, FULL])

/** Undefined for an error that is not SQLite's. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** Another process holds a lock that it will give back. */
export function isBusy(error: unknown): boolean {
  return waiting.has(resultCode(error) ?? -1)
}

/** The whole transaction is lost, not only the statement that met the error. */
export function endsTransaction(error: unknown): boolean {
  return ending.has(resultCode(error) ?? -1)
}

/** Errors that are not SQLite's pass as they are. */
export function storeFailure(error: unknown, path: string): unknown {
  const code = resultCode(error)
  if (code === undefined || !(error instanceof Error)) return error
  const detail = { path, sqlite: code }
  if (damaged.has(code)) {
    const message = `the mesh store '${path}' cannot be read: ${error.message}`
    return new MeshError('store-invalid', message, { detail, cause: error })
  }
  const message = `the mesh store '${path}' is not available: ${error.message}`
  return new MeshError('store-unavailable', message, { detail, cause: error })
}
