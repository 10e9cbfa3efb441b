/** Everything in a scene that only some may ever be told, as runs of words, and a search for them in whole requests. */
import { type CharacterId, isSeat, type PlacedBeat } from 'dsh-tavern-protocol'
import type { OpenScene } from 'dsh-tavern-scene'
import type { WireRequest } from './chat.ts'

/** A run of words that stands in private text and in no text that everyone has. */
export interface Needle {
  readonly words: string
  readonly owners: ReadonlySet<CharacterId>
  readonly from: string
}

export interface PrivateText {
  readonly from: string
  readonly owners: readonly CharacterId[]
  readonly text: string
}

/** So many words in a row are no accident of the language. */
const RUN = 5

/** Cards, secrets, and the values and names of variables that not everyone knows. */
export function privateTexts({ run, cast }: OpenScene): readonly PrivateText[] {
  const members = run.scene.cast.flatMap(({ character, secrets }): PrivateText[] => {
    const card = cast.cardOf(character)
    const book = (card.book?.entries ?? []).map(({ content }) => content)
    const texts = [card.description, card.personality, card.scenario, card.exampleDialogue]
    const instructions = [card.systemPrompt, card.postHistoryInstructions]
    const owners = [character]
    return [
      ...secrets.map((text) => ({ from: `secret of ${character}`, owners, text })),
      ...[...texts, ...instructions, ...book].map((text) => ({
        from: `card of ${character}`,
        owners,
        text,
      })),
    ]
  })
  const variables = Object.entries(run.scene.world).flatMap(([key, { value, knownTo }]) => {
    const known = { from: `variable ${key}`, owners: knownTo ?? [] }
    return knownTo ? [key, JSON.stringify(value)].map((text) => ({ ...known, text })) : []
  })
  return [...members, ...variables]
}

/** What was not said for all to hear. */
export function whisperedTexts(beats: readonly PlacedBeat[]): readonly PrivateText[] {
  return beats
    .filter(({ beat }) => beat.kind === 'whisper')
    .map(({ id, beat }) => ({
      from: `whisper ${id}`,
      owners: beat.heardBy
        .filter((hearer) => !isSeat(hearer))
        .map((hearer) => hearer.replace('character:', '')),
      text: beat.text,
    }))
}

/** Runs of words of each private text; what the public texts hold too is left out. */
export function needlesOf(
  texts: readonly PrivateText[],
  publicTexts: readonly string[],
): readonly Needle[] {
  const shared = publicTexts.map(flat).join('')
  const found = new Map<string, { owners: Set<CharacterId>; from: string }>()
  for (const { from, owners, text } of texts) {
    for (const words of runsOf(text)) {
      if (shared.includes(words)) continue
      const known = found.get(words) ?? { owners: new Set<CharacterId>(), from }
      for (const owner of owners) known.owners.add(owner)
      found.set(words, known)
    }
  }
  return [...found].map(([words, rest]) => ({ words, ...rest }))
}

/** Every string of a request, its keys and headers among them, as one run of words. */
export function wordsOf(request: WireRequest): string {
  return [...stringsIn(request.body), ...stringsIn(request.headers)].map(flat).join('|')
}

/** A short text is one run; macros stand for other words in a prompt, so no run goes over one. */
function runsOf(text: string): readonly string[] {
  const whole = flat(text)
  if (whole.trim().split(' ').length < RUN) return whole.trim() === '' ? [] : [whole]
  return text.split(/\{\{[^}]*\}\}/).flatMap((part) => {
    const words = flat(part).trim().split(' ')
    const count = Math.max(0, words.length - RUN + 1)
    return Array.from({ length: count }, (_, at) => ` ${words.slice(at, at + RUN).join(' ')} `)
  })
}

/** Words alone, so that wrapping, markup and case hide nothing. */
function flat(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)])
}
