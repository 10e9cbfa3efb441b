/** What a card's lore may cost at one activation; its keys are untrusted. */

/** Code units of the newest texts that plain keys are looked for in. */
export const maxScanLength = 16_384

/** Code units of the newest texts that patterns are run over. */
export const maxPatternScanLength = 4096

/** Code units of one key or pattern. */
export const maxKeyLength = 500

/** Keys of all entries together; those past it never match. */
export const maxKeys = 5000

/** Instructions that one compiled pattern may have; matching costs at most its size times the text. */
export const maxPatternSize = 1000

/** Instructions of all compiled patterns together; those past it never match. */
export const maxPatternsSize = 5000
