/** A refused program's faults as one text to repair it from: where, what, the line, and where in the line. */
import type { CodeDiagnostic } from '../outcome.ts'

export interface Describing {
  readonly program: string
  readonly diagnostics: readonly CodeDiagnostic[]
  /** Stands before line and column. */
  readonly file?: string
}

const MAX_SHOWN = 5
const MAX_BYTES = 4_096
/** Of the author's line, around the fault. */
const MAX_COLUMNS = 120

const WRITES = /\.\s*(?:edit|write)\w*\s*\(|\[\s*(['"`])(?:edit|write)\w*\1\s*\]\s*\(/

const PAYLOAD_HINT =
  'A text given to edit or write may have ended its own quotes: inside a template literal escape ` as \\` and ' +
  '${ as \\${, inside quotes escape the quote and line ends; or build the text from an array of lines with join.'

export function describeDiagnostics(describing: Describing): string {
  const { program, diagnostics, file = 'program' } = describing
  const parts: string[] = []
  let bytes = 0
  for (const diagnostic of diagnostics.slice(0, MAX_SHOWN)) {
    const part = describe(file, diagnostic)
    bytes += Buffer.byteLength(part)
    if (bytes > MAX_BYTES && parts.length > 0) break
    parts.push(part)
  }
  const left = diagnostics.length - parts.length
  if (left > 0) parts.push(`${left} more`)
  if (diagnostics.some(isSyntax) && WRITES.test(program)) parts.push(PAYLOAD_HINT)
  return parts.join('\n')
}

function describe(file: string, diagnostic: CodeDiagnostic): string {
  const { line, column, code, message, source } = diagnostic
  const head = `${file}:${line}:${column} ${message} (TS${code})`
  if (source.trim() === '') return head
  const from = Math.max(0, Math.min(column - 1 - MAX_COLUMNS / 2, source.length - MAX_COLUMNS))
  const shown = source.slice(from, from + MAX_COLUMNS).replaceAll(/\p{Cc}/gu, ' ')
  const before = [from > 0 ? '…' : '', shown.slice(0, column - 1 - from)].join('')
  const gutter = `${line} | `
  const rest = `${shown.slice(column - 1 - from)}${from + MAX_COLUMNS < source.length ? '…' : ''}`
  return `${head}\n${gutter}${before}${rest}\n${' '.repeat(gutter.length)}${underlay(before)}^`
}

/** As wide as what stands above it: ideographs take two columns. */
function underlay(text: string): string {
  return Array.from(text, (letter) => (WIDE.test(letter) ? '  ' : ' ')).join('')
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uFF01-\uFF60]/u

/** The ones are the parser's, but for the last hundreds, which name what is refused. */
function isSyntax({ code }: CodeDiagnostic): boolean {
  return code >= 1000 && code < 1200
}
