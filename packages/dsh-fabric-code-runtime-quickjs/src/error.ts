/** A request that cannot be taken, or a check given up: never a program's own failure. */
export type CodeErrorCode = 'invalid-request' | 'disposed' | 'check-stopped'

export class CodeError extends Error {
  override readonly name = 'CodeError'
  readonly code: CodeErrorCode

  constructor(code: CodeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
