/** A grammar of stock phrases as a readable text: moves, manners, and phrases with slots. */
import type { Draws } from './seeded.ts'

/** How a character carries itself; `any` suits everyone. */
export const manners = [
  'any',
  'warm',
  'rough',
  'formal',
  'mechanical',
  'playful',
  'somber',
  'timid',
] as const
export type Manner = (typeof manners)[number]

export type Slots = Readonly<Record<string, string | undefined>>

export interface Grammar {
  /** Phrases of a move by manner. */
  readonly moves: ReadonlyMap<string, ReadonlyMap<Manner, readonly string[]>>
}

/** A line without indent names a move; `  manner phrase | phrase` lines follow, longer ones go on with four spaces. */
export function grammarOf(text: string): Grammar {
  const moves = new Map<string, Map<Manner, readonly string[]>>()
  let current = new Map<Manner, readonly string[]>()
  for (const line of text.replaceAll(/\n {4}\s*/g, ' ').split('\n')) {
    if (line.trim() === '') continue
    const [, word, phrases = ''] = /^ {2}(\S+)\s+(.+)$/.exec(line) ?? []
    const manner = manners.find((one) => one === word)
    if (manner === undefined) {
      if (moves.has(line.trim())) throw new Error(`the grammar has '${line.trim()}' twice`)
      current = new Map()
      moves.set(line.trim(), current)
    } else {
      const list = phrases.split('|').map((phrase) => phrase.trim())
      current.set(
        manner,
        list.filter((phrase) => phrase !== ''),
      )
    }
  }
  return { moves }
}

/** The phrases of a move that every slot of theirs can be filled for, with how readily each is taken. */
function phrasesOf(
  grammar: Grammar,
  move: string,
  { manners: own, slots }: { readonly manners: readonly Manner[]; readonly slots: Slots },
): readonly (readonly [string, number])[] {
  const byManner = grammar.moves.get(move)
  if (!byManner) return []
  const anyones = own[0] === 'mechanical' ? 0.1 : 0.7
  const pools = [
    ...own.map((manner, index) => [manner, 4 - 2 * index] as const),
    ['any', anyones] as const,
  ]
  return pools.flatMap(([manner, weight]) =>
    (byManner.get(manner) ?? [])
      .filter((phrase) => slotsIn(phrase).every((slot) => slots[slot.toLowerCase()] !== undefined))
      .map((phrase) => [phrase, weight] as const),
  )
}

/** `{topic}` becomes the slot's text, `{Topic}` the same with a capital. */
function filled(phrase: string, slots: Slots): string {
  return phrase.replaceAll(/\{(\w+)\}/g, (whole, slot: string) => {
    const text = slots[slot.toLowerCase()]
    if (text === undefined) return whole
    return /^\p{Lu}/u.test(slot) ? text.charAt(0).toUpperCase() + text.slice(1) : text
  })
}

/** One phrase of a move, filled; undefined when none can be. */
export function drawPhrase(
  grammar: Grammar,
  move: string,
  choice: {
    readonly manners: readonly Manner[]
    readonly slots: Slots
    readonly draws: Draws
    /** Which of the phrases are this character's own habit. */
    readonly accepts: (phrase: string) => boolean
  },
): string | undefined {
  const all = phrasesOf(grammar, move, choice)
  const own = all.filter(([phrase]) => choice.accepts(phrase))
  const phrase = choice.draws.weighted(own.length >= 4 ? own : all)
  return phrase === undefined ? undefined : filled(phrase, choice.slots)
}

function slotsIn(phrase: string): readonly string[] {
  return Array.from(phrase.matchAll(/\{(\w+)\}/g), ([, slot = '']) => slot)
}
