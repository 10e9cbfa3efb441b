/** The checker as the provider uses it: one program against one set of declarations. */
import type { CodeDiagnostic } from './outcome.ts'

export interface Checking {
  readonly program: string
  /** Everything the program may name beyond the language: see `declare.ts`. Equal texts are parsed once. */
  readonly declarations: string
}

export type Checked =
  | {
      readonly status: 'clean'
      /** The program without its types: every character where it was. */
      readonly javascript: string
    }
  | { readonly status: 'refused'; readonly diagnostics: readonly CodeDiagnostic[] }

/** The checker itself is at fault, not the program. */
export class CheckerError extends Error {
  override readonly name = 'CheckerError'
}

export interface Checker {
  /**
   * Rejects when `signal` aborts, at once whatever the check is doing, with the signal's reason; and with
   * `CheckerError` when no check can be made.
   */
  check(checking: Checking, signal: AbortSignal): Promise<Checked>
  dispose(): Promise<void>
}
