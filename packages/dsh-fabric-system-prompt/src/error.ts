/** What this row refuses when it is mounted. */

/** `no-scope`: mounted in the host itself, where it would change the prompt of every preset. */
export type SystemPromptErrorCode = 'no-scope'

export class SystemPromptError extends Error {
  readonly code: SystemPromptErrorCode

  constructor(code: SystemPromptErrorCode, message: string) {
    super(message)
    this.name = 'SystemPromptError'
    this.code = code
  }
}
