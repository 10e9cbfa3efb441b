/** A character's id from its name, in whatever script the name is written. */
import { transliterate } from 'transliteration'
import { shortHash } from './checksum.ts'
import { maxIdLength } from './limits.ts'

/** Code units of a name that are looked at: more than any id can hold. */
const nameLength = 256

/** Folder names that some systems keep for devices. */
const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/

/**
 * `[a-z0-9][a-z0-9-]*`, at most `maxIdLength` characters, not in `taken`: namesakes get -2, -3 and so
 * on. A name with nothing to spell becomes `character-` and a short hash of it.
 */
export function characterIdFor(name: string, taken: ReadonlySet<string>): string {
  const stem = spelled(name) || `character-${shortHash(name)}`
  if (!taken.has(stem) && !reserved.test(stem)) return stem
  for (let count = 2; ; count++) {
    const suffix = `-${count}`
    const id = withoutEdgeDashes(stem.slice(0, maxIdLength - suffix.length)) + suffix
    if (!taken.has(id)) return id
  }
}

/** Compatibility forms first, so that full-width and decorated letters count as their plain ones. */
function spelled(name: string): string {
  const plain = name.slice(0, nameLength).toWellFormed().normalize('NFKC')
  const words = transliterate(plain)
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
  return withoutEdgeDashes(withoutEdgeDashes(words).slice(0, maxIdLength))
}

function withoutEdgeDashes(text: string): string {
  return text.replaceAll(/^-+|-+$/g, '')
}
