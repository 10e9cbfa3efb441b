/** Lore entries for the specs, and activating them. */
import type { BookEntry } from 'dsh-tavern-cards'
import { activateLore, type LoreActivation, type LoreRequest } from 'dsh-tavern-lore'

export function entryOf(changes: Partial<BookEntry> = {}): BookEntry {
  return {
    id: '0',
    name: '',
    keys: ['storm'],
    secondaryKeys: [],
    logic: 'and-any',
    selective: false,
    content: 'The storm came from the north.',
    decorators: [],
    enabled: true,
    constant: false,
    insertionOrder: 100,
    probability: 100,
    caseSensitive: false,
    wholeWords: true,
    useRegex: false,
    extensions: {},
    ...changes,
  }
}

/** Fails the test that should not have drawn. */
export function noDraw(what: string): number {
  throw new Error(`unexpected draw of ${what}`)
}

/** Entries are named by their place where they have no id of their own. */
export function activate(
  entries: readonly Partial<BookEntry>[],
  texts: readonly string[],
  request: Partial<LoreRequest> = {},
): LoreActivation {
  const named = entries.map((changes, place) =>
    entryOf({ id: String(place), content: `content ${place}`, ...changes }),
  )
  return activateLore({ entries: named, texts, budgetBytes: 10_000, draw: noDraw, ...request })
}

export function idsOf(
  entries: readonly Partial<BookEntry>[],
  texts: readonly string[],
  request: Partial<LoreRequest> = {},
): readonly string[] {
  return activate(entries, texts, request).active.map(({ entryId }) => entryId)
}

/** Whether an entry with these keys comes to mind by this one text. */
export function matches(text: string, ...keys: readonly string[]): boolean {
  return idsOf([{ keys }], [text]).length === 1
}
