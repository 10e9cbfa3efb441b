/** From a card's `character_book` to the lore entries the play uses. */
import type { BookEntry, CardBook, SecondaryLogic } from './card.ts'
import { splitDecorators } from './decorators.ts'
import type { Fields } from './fields.ts'

/** Where an entry says nothing about its place. */
const defaultInsertionOrder = 100
const maxDepth = 1000

/** How secondary keys join, by the number that applications store. */
const logics: readonly SecondaryLogic[] = ['and-any', 'not-all', 'not-any', 'and-all']

/** Undefined where the card has no book; a book that is null is no book, with a warning. */
export function readBook(card: Fields): CardBook | undefined {
  const value = card.raw('character_book')
  if (value === undefined) return undefined
  if (value === null) {
    card.warn('character_book', value, 'taken as no book')
    return undefined
  }
  const book = card.within('character_book')
  const scanDepth = book.hintedNumber('scan_depth', { from: 0, to: maxDepth })
  const tokenBudget = book.hintedNumber('token_budget', { from: 0, to: Number.MAX_SAFE_INTEGER })
  const seen = new Set<string>()
  return {
    name: book.text('name'),
    ...(scanDepth === undefined ? {} : { scanDepth }),
    ...(tokenBudget === undefined ? {} : { tokenBudget }),
    entries: book
      .objects('entries', 'required')
      .map((entry, index) => readEntry(entry, { index, seen, scanDepth })),
    extensions: book.within('extensions').whole(),
  }
}

interface EntryPlace {
  readonly index: number
  /** Ids of the entries before it. */
  readonly seen: Set<string>
  /** The book's. */
  readonly scanDepth: number | undefined
}

/** Applications keep their own settings in an entry's extensions; where present, these win. */
function readEntry(entry: Fields, place: EntryPlace): BookEntry {
  const hints = entry.within('extensions')
  const { decorators, content } = splitDecorators(entry.text('content', 'required'))
  const priority = entry.number('priority')
  const ownDepth = hints.hintedNumber('scan_depth', { from: 0, to: maxDepth })
  const scanDepth = ownDepth ?? place.scanDepth
  return {
    id: entryId(entry, place),
    name: entry.text('name') || entry.text('comment'),
    keys: entry.textList('keys', 'required', 'commas'),
    secondaryKeys: entry.textList('secondary_keys', 'optional', 'commas'),
    logic: logicOf(hints),
    selective: entry.flag('selective') ?? false,
    content,
    decorators,
    enabled: entry.flag('enabled', 'required') ?? true,
    constant: entry.flag('constant') ?? false,
    insertionOrder: entry.number('insertion_order', 'required') ?? defaultInsertionOrder,
    ...(priority === undefined ? {} : { priority }),
    probability: probabilityOf(hints),
    caseSensitive: hints.hintedFlag('case_sensitive') ?? entry.flag('case_sensitive') ?? false,
    wholeWords: hints.hintedFlag('match_whole_words') ?? true,
    useRegex: entry.flag('use_regex') ?? false,
    ...(scanDepth === undefined ? {} : { scanDepth }),
    extensions: hints.whole(),
  }
}

/** An id that another entry has already is made unique by the entry's place. */
function entryId(entry: Fields, { index, seen }: EntryPlace): string {
  const stated = entry.raw('id')
  const usable = typeof stated === 'number' || (typeof stated === 'string' && stated !== '')
  let id = String(usable ? stated : index)
  while (seen.has(id)) id = `${id}#${index}`
  seen.add(id)
  return id
}

function logicOf(hints: Fields): SecondaryLogic {
  const stored = hints.hintedNumber('selectiveLogic', { from: 0, to: logics.length - 1 }) ?? 0
  return logics[Math.round(stored)] ?? 'and-any'
}

function probabilityOf(hints: Fields): number {
  if (hints.hintedFlag('useProbability') === false) return 100
  return hints.hintedNumber('probability', { from: 0, to: 100 }) ?? 100
}
