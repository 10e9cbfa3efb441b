/** Text that others wrote, made harmless to a terminal: no control character passes, so no escape sequence does. */

/** All of them but tab and line end, C1 too: some terminals obey those. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu

export function printable(text: string): string {
  return text.replaceAll(CONTROLS, '')
}

/** One line of JSON of the same value, without the controls that JSON lets pass. */
export function json(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f]/g,
    (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
  )
}
