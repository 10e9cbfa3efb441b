/** Who a person means: the character that a command's words begin with. */
import type { RunCast } from 'dsh-tavern-cast'
import type { CastMember, CharacterId } from 'dsh-tavern-protocol'
import { SceneError } from './error.ts'

/** The cast of a run, as far as names go. */
export interface NamedCast extends Pick<RunCast, 'profileOf'> {
  readonly run: { readonly scene: { readonly cast: readonly Pick<CastMember, 'character'>[] } }
}

export interface FoundCharacter {
  readonly character: CharacterId
  /** What follows the name. */
  readonly rest: string
}

/**
 * The longest id or name that the text begins with, an id before a name of its length; else the one
 * character that its first word begins or is part of. Fails with `unknown-character`, or
 * `ambiguous-character` naming all of them.
 */
export function findCharacter(cast: NamedCast, text: string): FoundCharacter {
  const members = cast.run.scene.cast.map(({ character }) => {
    const { names } = cast.profileOf(character)
    return { character, id: folded(character), names: names.map(folded) }
  })
  const heads = headsOf(text, members)
  const [word] = heads
  const found = wholeMatch(heads, members) ?? (word ? matching(word, members, isPart) : [])
  const [first, ...more] = found
  const typed = word?.typed ?? ''
  if (!first) {
    const known = members.map(({ character }) => character).join(', ')
    throw new SceneError('unknown-character', `no character '${typed}' (cast: ${known})`)
  }
  if (more.length > 0) {
    const names = found.map(({ character }) => character).join(' or ')
    throw new SceneError('ambiguous-character', `'${typed}' may be ${names}: say which`)
  }
  return first
}

interface Member {
  readonly character: CharacterId
  readonly id: string
  readonly names: readonly string[]
}

/** The first words of a text, and what follows them. */
interface Head {
  readonly typed: string
  readonly folded: string
  readonly rest: string
}

/** One word, two words, and on to as many as the longest name has. */
function headsOf(text: string, members: readonly Member[]): readonly Head[] {
  const most = Math.max(1, ...members.flatMap(({ names }) => names.map(wordCount)))
  const heads: Head[] = []
  for (const { index, 0: word } of text.matchAll(/\S+/g)) {
    if (heads.length === most) break
    const end = index + word.length
    const typed = text.slice(0, end).trim()
    heads.push({ typed, folded: folded(typed), rest: text.slice(end).trim() })
  }
  return heads
}

function wholeMatch(
  heads: readonly Head[],
  members: readonly Member[],
): readonly FoundCharacter[] | undefined {
  return heads
    .toReversed()
    .flatMap((head) => [
      matching(head, members, ({ folded: label }, { id }) => id === label),
      matching(head, members, ({ folded: label }, { names }) => names.includes(label)),
    ])
    .find((found) => found.length > 0)
}

function matching(
  head: Head,
  members: readonly Member[],
  fits: (head: Head, member: Member) => boolean,
): readonly FoundCharacter[] {
  return members
    .filter((member) => fits(head, member))
    .map(({ character }) => ({ character, rest: head.rest }))
}

function isPart({ folded: word }: Head, { id, names }: Member): boolean {
  return [id, ...names].some(
    (label) => label.startsWith(word) || label.split(/[ -]+/).includes(word),
  )
}

function wordCount(name: string): number {
  return name.split(' ').length
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replaceAll(/\s+/g, ' ')
}
