/** Findings as the author reads them: line and column from 1, with the line itself. */
import type { CodeDiagnostic } from '../outcome.ts'
import type { Finding } from './finding.ts'

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/g

export function place(program: string, findings: readonly Finding[]): readonly CodeDiagnostic[] {
  if (findings.length === 0) return []
  const starts = [0, ...[...program.matchAll(LINE_BREAK)].map((at) => at.index + at[0].length)]
  return findings
    .toSorted((a, b) => a.position - b.position)
    .map(({ position, code, message }) => {
      const index = starts.findLastIndex((start) => start <= position)
      const start = starts[index] ?? 0
      const source = program.slice(start, starts[index + 1]).replace(/[\n\r\u2028\u2029]+$/, '')
      return { line: index + 1, column: position - start + 1, code, message, source }
    })
}
