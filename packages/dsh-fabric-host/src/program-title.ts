/** What a program does in a few words, when its author did not say: the same words for the same program. */
import { type ScannedCall, scanProgram } from './program-scan.ts'

const MAX_WORDS = 10
const MAX_CHARACTERS = 80
const MAX_LITERAL = 40
const NO_WORDS = 'Run a program'

/** By tool: what to say before its telling literal, and instead of one that is computed. */
const phrases: Readonly<Record<string, readonly [before: string, without: string]>> = {
  bash: ['run', 'run a command'],
  pwsh: ['run', 'run a command'],
  read: ['read', 'read files'],
  write: ['write', 'write files'],
  edit: ['edit', 'edit files'],
  grep: ['grep', 'search in files'],
  glob: ['list', 'list files'],
  web_search: ['search the web for', 'search the web'],
  describe: ['look up', 'look up tools'],
  call: ['call', 'call tools'],
}

/** The argument that tells most about a call, the first that is there. */
const telling = [
  'command',
  'file_path',
  'filePath',
  'path',
  'pattern',
  'query',
  'url',
  'action',
  'name',
  'id',
  'description',
  '',
]

export function programTitle(program: string): string {
  const { comment, calls } = scanProgram(program)
  const said = plain(comment)
  if (isProse(said)) return bounded(said)
  const parts = mentioned(calls)
  return parts.length === 0 ? NO_WORDS : bounded(capitalised(joined(parts)))
}

/** A hint to a tool (`@ts-check`, `eslint-disable`, `#!`) is no sentence. */
function isProse(comment: string): boolean {
  return /^[\p{L}\p{N}]/u.test(comment) && !/^(eslint|prettier|biome|oxlint|region)\b/.test(comment)
}

/** Each call in its own words, once; those that begin alike share their beginning. */
function mentioned(calls: readonly ScannedCall[]): readonly string[] {
  const groups = new Map<string, Set<string>>()
  for (const call of calls) {
    const { before, literal } = worded(call)
    const literals = groups.get(before) ?? new Set()
    if (literal !== '') literals.add(literal)
    groups.set(before, literals)
  }
  return [...groups].map(([before, literals]) =>
    literals.size === 0 ? before : `${before} ${[...literals].join(', ')}`,
  )
}

function worded({ tool, literals }: ScannedCall): {
  readonly before: string
  readonly literal: string
} {
  const known = Object.hasOwn(phrases, tool) ? phrases[tool] : undefined
  const key = telling.find((each) => literals.has(each))
  const literal = shortened(plain(literals.get(key ?? '') ?? ''))
  const name = plain(tool.replaceAll('_', ' ').replaceAll('-', ' '))
  if (literal === '') return { before: known?.[1] ?? `use ${name}`, literal }
  return { before: known?.[0] ?? name, literal }
}

function joined(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** One line without control characters, and without the full stop at its end. */
function plain(text: string): string {
  const line = text
    .slice(0, 1024)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return '.。:：;；'.includes(line.at(-1) ?? ' ') ? line.slice(0, -1).trimEnd() : line
}

function shortened(literal: string): string {
  const words = literal.split(' ').slice(0, 5).join(' ')
  const kept = cut(words, MAX_LITERAL)
  return kept === literal ? literal : `${kept}…`
}

function bounded(title: string): string {
  const words = title.split(' ')
  const some = words.slice(0, MAX_WORDS).join(' ')
  const kept = cut(some, MAX_CHARACTERS - 1).trimEnd()
  return kept === title ? title : `${kept.replace(/[,\s]$/u, '')}…`
}

/** No half of a surrogate pair stays. */
function cut(text: string, length: number): string {
  return text
    .slice(0, length)
    .toWellFormed()
    .replace(/\ufffd$/u, '')
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
