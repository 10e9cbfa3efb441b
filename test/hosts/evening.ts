/** Three people at an inn, each with a card that is on one machine alone, full of marks that nobody else may be sent. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { giveCharacter, giveScene, type Machine } from './machines.ts'

export const evening = {
  title: 'An evening',
  premise: 'An inn by a ferry; {{user}} has come in.',
  persona: { name: 'Ellis' },
  direction: 'rota',
  greeting: 'vera',
  cast: ['vera', 'otto', 'lena'].map((character) => ({
    character,
    secrets: [`A secret. ${markOf('secret', character)}`],
  })),
  world: Object.fromEntries(
    ['vera', 'otto', 'lena'].map((character) => [
      `hidden.${character}`,
      { value: markOf('world', character), knownTo: [character] },
    ]),
  ),
}

/** A mark that no model makes up. */
export function markOf(kind: string, owner: string): string {
  return `zq${kind}${owner}qz`
}

export function giveEvening(on: Machine, id = 'evening'): void {
  giveScene(on, id, evening)
}

/** Its card, with a mark in each part that is nobody else's to read. */
export function giveGuest(on: Machine, id: string): void {
  const name = id.replace(/^./, (letter) => letter.toUpperCase())
  giveCharacter(on, id, {
    name,
    description: `${name} waits for the ferry. ${markOf('card', id)}`,
    personality: `Calm. ${markOf('self', id)}`,
    first_mes: `I am ${name}. Come in, {{user}}.`,
    mes_example: `<START>\n{{char}}: The ferry is late tonight.\n{{char}}: Who are you, then?`,
    character_book: {
      entries: [
        {
          keys: ['x'],
          content: `It is known: ${markOf('lore', id)}`,
          constant: true,
          enabled: true,
          extensions: {},
          insertion_order: 1,
          use_regex: false,
        },
      ],
      extensions: {},
    },
  })
}

/** Marks of this character's own. */
export function marksOf(id: string): readonly string[] {
  return ['secret', 'world', 'card', 'self', 'lore'].map((kind) => markOf(kind, id))
}

/** Of its card: they stay on its machine. */
export function cardMarksOf(id: string): readonly string[] {
  return ['card', 'self', 'lore'].map((kind) => markOf(kind, id))
}

/** Those of the marks that any file of this machine holds. */
export function foundOn({ home }: Machine, marks: readonly string[]): readonly string[] {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const bytes = files.map(({ parentPath, name }) =>
    readFileSync(join(parentPath, name)).toString('latin1'),
  )
  return marks.filter((mark) => bytes.some((text) => text.includes(mark)))
}

/** `who was sent what`, for each mark that its owner alone may know, in a file of `--trace`. */
export function leaksIn(trace: string, marks: ReadonlyMap<string, readonly string[]>) {
  const hits: string[] = []
  let known = 0
  for (const line of readFileSync(trace, 'utf8').split('\n')) {
    if (line === '') continue
    const { character }: { character: string } = JSON.parse(line)
    for (const [mark, knownTo] of marks) {
      if (!line.includes(mark)) continue
      if (knownTo.includes(character)) known += 1
      else hits.push(`${character} was sent ${mark}`)
    }
  }
  return { hits, known }
}
