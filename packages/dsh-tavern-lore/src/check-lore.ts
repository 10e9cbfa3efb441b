/** Says at load which keys of a character's lore can never match, and why. */
import type { BookEntry } from 'dsh-tavern-cards'
import { keysOf } from './keys.ts'

export interface LoreWarning {
  readonly entryId: string
  readonly key: string
  readonly message: string
}

/** Empty where every key can match: patterns compile, and all keys are within the limits. */
export function checkLore(entries: readonly BookEntry[]): readonly LoreWarning[] {
  return keysOf(entries).flatMap(({ entry, primary, secondary }) =>
    [...primary, ...secondary].flatMap((key) => {
      if (key.kind !== 'dead') return []
      const message = `key ${JSON.stringify(key.written)} never matches: ${key.reason}`
      return [{ entryId: entry.id, key: key.written, message }]
    }),
  )
}
