/** Who a person means: the character that a command's words begin with. */
import { displayName, type RunCast } from 'dsh-tavern-cast'
import type { CharacterId } from 'dsh-tavern-protocol'
import { SceneError } from './error.ts'

export interface FoundCharacter {
  readonly character: CharacterId
  /** What follows the name. */
  readonly rest: string
}

interface Candidate extends FoundCharacter {
  readonly length: number
}

/**
 * The longest id or name that the text begins with; else the one character that its first word
 * begins or is part of. Fails with `unknown-character`, or `ambiguous-character` naming all of them.
 */
export function findCharacter(cast: RunCast, text: string): FoundCharacter {
  const typed = text.trim().normalize('NFC')
  const labels = cast.run.scene.cast.map(({ character }) => {
    const card = cast.cardOf(character)
    return { character, labels: [character, displayName(card), card.name].map(folded) }
  })
  const whole = labels.flatMap((member) => wholeMatch(member, typed))
  const longest = Math.max(0, ...whole.map(({ length }) => length))
  const found = whole.filter(({ length }) => length === longest)
  const [first, ...more] =
    found.length > 0 ? found : labels.flatMap((member) => partMatch(member, typed))
  if (!first) {
    const known = labels.map(({ character }) => character).join(', ')
    throw new SceneError('unknown-character', `no character '${firstWord(typed)}' (cast: ${known})`)
  }
  if (more.length > 0) {
    const names = [first, ...more].map(({ character }) => character).join(' or ')
    throw new SceneError('ambiguous-character', `'${firstWord(typed)}' may be ${names}: say which`)
  }
  return first
}

interface Labelled {
  readonly character: CharacterId
  readonly labels: readonly string[]
}

function wholeMatch({ character, labels }: Labelled, typed: string): readonly Candidate[] {
  const fitting = labels.filter((label) => {
    const after = typed.slice(label.length, label.length + 1)
    return folded(typed).startsWith(label) && (after === '' || /\s/.test(after))
  })
  const length = Math.max(0, ...fitting.map((label) => label.length))
  return length > 0 ? [{ character, rest: typed.slice(length).trim(), length }] : []
}

function partMatch({ character, labels }: Labelled, typed: string): readonly Candidate[] {
  const word = folded(firstWord(typed))
  if (word === '') return []
  const fits = labels.some(
    (label) => label.startsWith(word) || label.split(/[\s-]+/).includes(word),
  )
  return fits ? [{ character, rest: typed.slice(word.length).trim(), length: word.length }] : []
}

function firstWord(text: string): string {
  return text.split(/\s+/, 1)[0] ?? ''
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
