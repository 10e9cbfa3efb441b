/** The one error class of the narrator; callers switch on its code. */

export type NarratorErrorCode =
  /** A narrator's tool was called outside a directing turn. */
  | 'no-request'
  /** A tool was asked for something that cannot be done in this scene. */
  | 'refused'

export class NarratorError extends Error {
  readonly code: NarratorErrorCode

  constructor(code: NarratorErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'NarratorError'
    this.code = code
  }
}
