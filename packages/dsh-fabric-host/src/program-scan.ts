/** What a program's text shows without being run or parsed: its leading comment, and the tools it calls with their literals. */

export interface ScannedCall {
  readonly tool: string
  /** String literals of its arguments, by key, in order; none for what is computed. */
  readonly literals: ReadonlyMap<string, string>
}

export interface ScannedProgram {
  /** The first line of the comment before any code; empty when there is none. */
  readonly comment: string
  readonly calls: readonly ScannedCall[]
}

/** More of a program than this says nothing more about what it does. */
const READ = 65_536
const CALLS = 50
/** Tokens of a call's argument that are looked at. */
const ARGUMENT = 500

type Token =
  | { readonly kind: 'word' | 'string'; readonly text: string }
  /** One character of syntax; `computed` stands for a template with values in it, or a number. */
  | { readonly kind: 'mark' | 'computed' | 'comment'; readonly text: string }

export function scanProgram(program: string): ScannedProgram {
  const all = tokens(program.slice(0, READ))
  const code = all.filter(({ kind }) => kind !== 'comment')
  const first = all[0]
  return { comment: first?.kind === 'comment' ? firstLine(first.text) : '', calls: callsIn(code) }
}

function callsIn(code: readonly Token[]): readonly ScannedCall[] {
  const found = code.flatMap((token, index) => {
    if (token.kind !== 'word' || token.text !== 'tools' || code[index - 1]?.text === '.') return []
    const called = calledName(code, index + 1)
    if (called === undefined) return []
    return [{ tool: called.tool, open: called.open }]
  })
  return found
    .slice(0, CALLS)
    .map(({ tool, open }) => ({ tool, literals: literalsAt(code, open + 1) }))
}

/** `.name(` or `["name"](` from here on. */
function calledName(code: readonly Token[], at: number) {
  const dotted = code[at]?.text === '.' && code[at + 1]?.kind === 'word'
  const quoted = code[at]?.text === '[' && code[at + 1]?.kind === 'string'
  const open = at + (dotted ? 2 : 3)
  const tool = code[at + 1]?.text
  const isCall = code[open]?.kind === 'mark' && code[open]?.text === '('
  return (dotted || quoted) && isCall && tool !== undefined ? { tool, open } : undefined
}

/** Of the object that is the call's argument: `key: "literal"` at its own level. */
function literalsAt(code: readonly Token[], start: number): ReadonlyMap<string, string> {
  const literals = new Map<string, string>()
  if (code[start]?.kind === 'string') return new Map([['', code[start].text]])
  let depth = 0
  for (let at = start; at < Math.min(code.length, start + ARGUMENT); at += 1) {
    const { kind, text } = code[at] ?? { kind: 'mark', text: ')' }
    if (kind === 'mark' && '({['.includes(text)) depth += 1
    if (kind === 'mark' && ')}]'.includes(text)) depth -= 1
    if (depth <= 0) break
    const value = code[at + 2]
    const ends = code[at + 3]
    const isPair =
      depth === 1 && (kind === 'word' || kind === 'string') && code[at + 1]?.text === ':'
    if (isPair && value?.kind === 'string' && (ends === undefined || ',}'.includes(ends.text))) {
      literals.set(text, value.text)
    }
  }
  return literals
}

function firstLine(comment: string): string {
  const lines = comment.split('\n').map((line) => withoutStars(line.trim()))
  return lines.find((line) => line !== '') ?? ''
}

function withoutStars(line: string): string {
  let from = 0
  while (line[from] === '*' || line[from] === '/') from += 1
  return line.slice(from).trim()
}

/** One pass, each character looked at a bounded number of times; text that is no program gives some tokens too. */
function tokens(text: string): readonly Token[] {
  const found: Token[] = []
  let at = 0
  while (at < text.length) {
    const char = text[at] ?? ''
    const pair = text.slice(at, at + 2)
    let end = at + 1
    if (pair === '//' || pair === '/*') {
      end = commentEnd(text, at, pair)
      found.push({ kind: 'comment', text: commentText(text.slice(at, end), pair) })
    } else if (char === '"' || char === "'" || char === '`') {
      end = stringEnd(text, at)
      found.push(stringToken(text.slice(at, end)))
    } else if (isWordPart(char)) {
      while (end < text.length && isWordPart(text[end] ?? '')) end += 1
      found.push({ kind: 'word', text: text.slice(at, end) })
    } else if (char.trim() !== '') {
      found.push({ kind: 'mark', text: char })
    }
    at = end
  }
  return found
}

function commentEnd(text: string, at: number, opener: string): number {
  const end = text.indexOf(opener === '//' ? '\n' : '*/', at + 2)
  if (end === -1) return text.length
  return opener === '//' ? end : end + 2
}

function commentText(comment: string, opener: string): string {
  const isClosed = opener === '/*' && comment.endsWith('*/') && comment.length >= 4
  return comment.slice(2, isClosed ? -2 : undefined)
}

/** A quote that is never closed ends with its line, so that one in a regular expression costs one line only. */
function stringEnd(text: string, at: number): number {
  const quote = text[at]
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1
    else if (text[end] === quote) return end + 1
    else if (text[end] === '\n' && quote !== '`') return end
  }
  return text.length
}

function stringToken(quoted: string): Token {
  const isTemplate = quoted.startsWith('`') && quoted.includes('${')
  if (isTemplate) return { kind: 'computed', text: '' }
  const isClosed = quoted.length > 1 && quoted.at(-1) === quoted[0]
  return { kind: 'string', text: unescaped(quoted.slice(1, isClosed ? -1 : undefined)) }
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, char: string) => (char === 'n' || char === 't' ? ' ' : char))
}

function isWordPart(char: string): boolean {
  return /[\p{L}\p{N}_$]/u.test(char)
}
