/** What a card may cost before it is refused; cards are untrusted files. */

/** Bytes of a card file, read or written. */
export const maxFileBytes = 32 * 1024 * 1024

/** Bytes that one compressed text chunk may inflate to. */
export const maxInflatedBytes = 16 * 1024 * 1024

/** Objects and lists inside one another in a card's JSON. */
export const maxJsonDepth = 64

export const maxPngChunks = 10_000

/** Warnings a reading lists; one more says how many were left out. */
export const maxWarnings = 100

/** Characters of a character's id. */
export const maxIdLength = 48
