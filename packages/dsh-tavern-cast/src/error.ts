/** The one error class of the cast; callers switch on its code. */

import { MeshError, type MeshErrorCode } from 'dsh-fabric-mesh'

export type CastErrorCode =
  /** No preset of that id, or its card cannot be read. */
  | 'unknown-character'
  /** Another living process hosts this run. */
  | 'hosted-elsewhere'
  /** A tavern tool was called outside a cue. */
  | 'no-cue'
  /** The run was closed here meanwhile. */
  | 'closed'
  /** A tool was asked for something this character cannot do. */
  | 'refused'
  /** What a character said and changed is more than a beat may hold. */
  | 'too-large'
  /** What the store or a log holds is not what this build writes. */
  | 'invalid-record'

/** True for a fault of the store, false for something that was to be written and is at fault itself. */
export function storeFailed(error: unknown): boolean {
  return error instanceof MeshError && !unwritable.has(error.code)
}

const unwritable: ReadonlySet<MeshErrorCode> = new Set(['invalid-argument', 'payload-too-large'])

export class CastError extends Error {
  readonly code: CastErrorCode
  readonly detail: Readonly<Record<string, unknown>>

  constructor(
    code: CastErrorCode,
    message: string,
    options: { detail?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'CastError'
    this.code = code
    this.detail = options.detail ?? {}
  }
}
