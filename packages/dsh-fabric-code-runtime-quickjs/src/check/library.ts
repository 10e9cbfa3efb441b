/**
 * The libraries as one text: the language alone, no host, no `Intl` (the guest has none), and our own.
 * One file binds its merged interfaces once, where several would be merged again for each check.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GUEST_LIBRARY } from './guest-library.ts'

const LANGUAGE = 'es2024'

/** What `LANGUAGE` refers to and the guest has not. */
const ABSENT: ReadonlySet<string> = new Set(['dom', 'scripthost', 'webworker.importscripts'])

const REFERENCE = /^\/\/\/ <reference lib="([^"]+)" \/>\s*$/gm

export function readLibrary(folder: string): string {
  const texts: string[] = []
  collect({ folder, name: LANGUAGE, seen: new Set(), texts })
  return [...texts.map(withoutComments), GUEST_LIBRARY].join('\n')
}

interface Collecting {
  readonly folder: string
  readonly name: string
  readonly seen: Set<string>
  readonly texts: string[]
}

function collect({ folder, name, seen, texts }: Collecting): void {
  if (seen.has(name) || ABSENT.has(name) || name.endsWith('.intl')) return
  seen.add(name)
  const text = readFileSync(join(folder, `lib.${name}.d.ts`), 'utf8')
  for (const [, other] of text.matchAll(REFERENCE)) {
    if (other !== undefined) collect({ folder, name: other, seen, texts })
  }
  texts.push(withoutAbsent(withoutIntlValues(text)))
}

/** Values that no realm of the guest has: threads' memory, and what Annex B lets hang on `RegExp`. */
function withoutAbsent(text: string): string {
  return text
    .replace(/^declare var Atomics: Atomics;$/m, '')
    .replaceAll(/^ {4}"(?:\$[^"]{1,2}|input|last\w+|leftContext|rightContext)": string;$/gm, '')
}

/** The types stay, `toLocaleString` names them; the values would check clean and then be missing. */
function withoutIntlValues(text: string): string {
  return text.replaceAll(/^declare namespace Intl \{[^]*?^\}/gm, (namespace) =>
    namespace.replaceAll(/^ {4}(?:var|const) \w+: (?:\w+|\{[^]*?^ {4}\});?$/gm, ''),
  )
}

/** A third of the text to scan remains. */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*\/\*[^]*?\*\/\s*$/gm, '').replaceAll(/^\s*\/\/.*$/gm, '')
}
