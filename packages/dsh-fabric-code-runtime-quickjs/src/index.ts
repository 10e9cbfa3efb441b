/** Checked programs: the service, what it takes and what it answers. */
export { CheckedCode } from './checked-code.ts'
export { CodeError, type CodeErrorCode } from './error.ts'
export type { JsonSchema, JsonValue } from './json.ts'
export { type CodeLimits, DEFAULT_LIMITS } from './limits.ts'
export type {
  CodeCompletion,
  CodeDiagnostic,
  CodeFailure,
  CodeFailureKind,
  CodeOutcome,
  CodePosition,
  FailedCode,
} from './outcome.ts'
export type {
  CodeConstant,
  CodeErrorClass,
  CodeMember,
  CodeNamespace,
  CodePrelude,
  CodeRequest,
  MemberContract,
} from './request.ts'
