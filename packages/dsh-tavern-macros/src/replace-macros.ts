/** Finds macros in a text, left to right, in one pass whose time grows with the text's length only. */

/** One macro as it stands in a text. */
export interface MacroCall {
  /** Lower case, without the spaces around it. */
  readonly name: string
  readonly form: 'braces' | 'angles'
}

/**
 * Braces hold anything but braces, so no attempt runs past the next brace; angles hold two names only.
 * That is what keeps the scan linear.
 */
const macro = /\{\{([^{}]*)\}\}|<\s*(bot|user)\s*>/gi

/** Asks `meaningOf` for each macro's value; undefined leaves the macro as it stands. */
export function replaceMacros(
  text: string,
  meaningOf: (call: MacroCall) => string | undefined,
): string {
  return text.replace(macro, (found: string, inBraces?: string, inAngles?: string) => {
    const call: MacroCall =
      inBraces === undefined
        ? { name: (inAngles ?? '').toLowerCase(), form: 'angles' }
        : { name: inBraces.trim().toLowerCase(), form: 'braces' }
    return meaningOf(call) ?? found
  })
}
