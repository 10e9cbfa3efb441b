/** A request that cannot be taken: its caller is wrong, not its program. */
export type CodeErrorCode = 'invalid-request' | 'disposed'

export class CodeError extends Error {
  override readonly name = 'CodeError'
  readonly code: CodeErrorCode

  constructor(code: CodeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
