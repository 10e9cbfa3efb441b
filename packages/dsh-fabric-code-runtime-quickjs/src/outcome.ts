/** How a run ended. A failing program is an outcome, never a rejection. */
import type { JsonValue } from './json.ts'

export type CodeOutcome = CodeCompletion | FailedCode

export interface CodeCompletion {
  readonly status: 'completed'
  /** Absent when the program returned nothing. */
  readonly value?: JsonValue
  readonly logs: readonly string[]
}

export interface FailedCode {
  readonly status: 'failed'
  readonly failure: CodeFailure
  readonly logs: readonly string[]
}

export type CodeFailure =
  | {
      readonly kind: 'check'
      /** Fit for a model to repair from. */
      readonly message: string
      readonly diagnostics: readonly CodeDiagnostic[]
    }
  | {
      readonly kind: Exclude<CodeFailureKind, 'check'>
      readonly message: string
      /** Where in the program, when known. */
      readonly at?: CodePosition
    }

/** The host's kinds, and two it has no word for: `check` before anything ran, `memory` beyond the heap's limit. */
export type CodeFailureKind =
  | 'check'
  | 'exception'
  | 'timeout'
  | 'abort'
  | 'memory'
  | 'worker-exit'
  | 'invalid-output'
  | 'output-limit'

/** In the author's own text: both from 1. */
export interface CodePosition {
  readonly line: number
  readonly column: number
}

export interface CodeDiagnostic extends CodePosition {
  /** TypeScript's number. */
  readonly code: number
  readonly message: string
  /** The author's line. */
  readonly source: string
}
