/** The narrator's door: the service that keeps one narrator for each run, and the pure rules of direction. */
export { lineBeat } from './cueing.ts'
export { direct, type DirectionInput } from './direction.ts'
export { NarratorError, type NarratorErrorCode } from './error.ts'
export { type Limits, refusedBy } from './granting.ts'
export { Narrator } from './narrator.ts'
export { default, Narrators, type NarratorOptions } from './narrators.ts'
export { findMentions } from './names.ts'
