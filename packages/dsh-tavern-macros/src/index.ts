/** Macros in card text: `{{char}}`, `{{user}}`, `<BOT>`, `<USER>`. */
import { replaceMacros } from './replace-macros.ts'

/** What the macros of a card stand for, at the moment its text is used. */
export interface MacroValues {
  /** The character's display name: its nickname where it has one. */
  readonly char: string
  /** The name of the person's persona. */
  readonly user: string
}

const meanings: ReadonlyMap<string, keyof MacroValues> = new Map([
  ['char', 'char'],
  ['bot', 'char'],
  ['user', 'user'],
])

/**
 * Text with the known macros replaced, in any letter case and with spaces inside. One pass: a value
 * that holds a macro is not expanded again, and whatever is not a known macro stays as it was.
 */
export function expandMacros(text: string, values: MacroValues): string {
  return replaceMacros(text, ({ name, form }) => {
    if (form === 'braces' && name === 'bot') return undefined
    const meaning = meanings.get(name)
    return meaning === undefined ? undefined : values[meaning]
  })
}
