/** TypeScript's complaints as findings: those that tell of a fault, in few words. */
import type TypeScript from 'typescript'
import type { Finding } from './finding.ts'
import { ts } from './typescript.ts'
import type { Wrapped } from './wrapper.ts'

/** "Used before being assigned": it runs, with `undefined`. */
const UNASSIGNED = 2454

export function explain(
  diagnostics: readonly TypeScript.Diagnostic[],
  wrapped: Wrapped,
): readonly Finding[] {
  return diagnostics.filter(isFault).map((diagnostic) => ({
    position: within(diagnostic.start ?? 0, wrapped),
    code: diagnostic.code,
    message: flattened(diagnostic.messageText),
  }))
}

/** The sevens are the complaints of `noImplicitAny`, which is on for what it infers. */
function isFault({ code, category }: TypeScript.Diagnostic): boolean {
  if (category !== ts.DiagnosticCategory.Error) return false
  return !(code >= 7000 && code < 8000) && code !== UNASSIGNED
}

/** What is missing at the end is found in the wrapper behind it. */
function within(position: number, { start, end }: Wrapped): number {
  return Math.min(Math.max(position, start), end) - start
}

function flattened(message: string | TypeScript.DiagnosticMessageChain): string {
  return ts.flattenDiagnosticMessageText(message, '\n')
}
