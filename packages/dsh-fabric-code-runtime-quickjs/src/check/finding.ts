/** Something wrong with a program, where it stands in its text. */
export interface Finding {
  /** From 0, in UTF-16 units of the author's text. */
  readonly position: number
  /** TypeScript's number, or the one it has for the same complaint. */
  readonly code: number
  readonly message: string
}
