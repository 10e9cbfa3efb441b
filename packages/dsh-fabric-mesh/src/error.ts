/** The one error class of the mesh; callers switch on its code. */

export type MeshErrorCode =
  /** An id or key is empty or over 256 bytes, a label over 512, a payload over its limit, a limit out of range. */
  | 'invalid-argument'
  | 'payload-too-large'
  | 'already-exists'
  | 'not-found'
  /** The token is not the token of this message's claim: never was, or the claim was released since. */
  | 'claim-lost'
  /** A message that nobody has claimed cannot be settled. */
  | 'not-claimed'
  /** The place is not the caller's to read or to change. */
  | 'forbidden'
  /** The file of the home's key does not hold one. */
  | 'damaged-key'
  | 'closed'
  /** The store is busy beyond its patience, full, or failing; nothing was written. */
  | 'store-unavailable'
  /** The store's file is not a mesh of a version that this build can read. */
  | 'store-invalid'
  /** The server is too old, or does not keep what the mesh promises. */
  | 'store-unfit'

export class MeshError extends Error {
  readonly code: MeshErrorCode
  readonly detail: Readonly<Record<string, unknown>>

  constructor(
    code: MeshErrorCode,
    message: string,
    options: { detail?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'MeshError'
    this.code = code
    this.detail = options.detail ?? {}
  }
}

/** Of the class, or of that of another copy of this module: a host may load one of its own. */
export function isMeshError(error: unknown): error is MeshError {
  return error instanceof MeshError || (error instanceof Error && error.name === 'MeshError')
}
