/** Character cards: read from JSON and PNG, converted, written, and turned into preset files. */
export type {
  BookEntry,
  Card,
  CardBook,
  CardReading,
  CardVersion,
  CardWarning,
  JsonObject,
  SecondaryLogic,
} from './card.ts'
export { CardError, type CardErrorCode, type CardErrorDetail } from './card-error.ts'
export { characterIdFor } from './character-id.ts'
export { toV2, toV3 } from './convert-card.ts'
export * from './limits.ts'
export { defaultPortrait } from './portrait.ts'
export { type PresetFile, presetFiles, type PresetRequest } from './preset-files.ts'
export { readCard } from './read-card.ts'
export { writeCardJson, writeCardPng } from './write-card.ts'
