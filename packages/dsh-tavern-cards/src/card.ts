/** A character card as the play uses it, and what reading one gives. */
import type { JsonValue } from 'dsh-fabric-protocol'

export type JsonObject = { readonly [key: string]: JsonValue }

export type CardVersion = 'v1' | 'v2' | 'v3'

/** Every field of every version, absent ones empty. Text is the author's own, macros unexpanded. */
export interface Card {
  readonly name: string
  /** What others call it; stands for `{{char}}` where present. */
  readonly nickname?: string
  readonly description: string
  readonly personality: string
  readonly scenario: string
  readonly firstMessage: string
  readonly alternateGreetings: readonly string[]
  readonly groupOnlyGreetings: readonly string[]
  readonly exampleDialogue: string
  readonly systemPrompt: string
  readonly postHistoryInstructions: string
  /** For people; never part of a prompt. */
  readonly creatorNotes: string
  readonly tags: readonly string[]
  readonly creator: string
  readonly characterVersion: string
  /** 0 to 1: how readily it speaks up; 0.5 where the card does not say. */
  readonly talkativeness: number
  readonly book?: CardBook
  readonly extensions: JsonObject
}

/** The character's own small lore. */
export interface CardBook {
  readonly name: string
  /** How many of the latest messages are searched; absent: the reader decides. */
  readonly scanDepth?: number
  readonly tokenBudget?: number
  readonly entries: readonly BookEntry[]
  readonly extensions: JsonObject
}

/** How secondary keys join: any of them, not all, none, or all of them must be there too. */
export type SecondaryLogic = 'and-any' | 'not-all' | 'not-any' | 'and-all'

export interface BookEntry {
  /** Unique in its book: the entry's own id, or its place from 0. */
  readonly id: string
  readonly name: string
  readonly keys: readonly string[]
  readonly secondaryKeys: readonly string[]
  readonly logic: SecondaryLogic
  /** Secondary keys count only where this is set. */
  readonly selective: boolean
  /** Without the decorator lines that led it. */
  readonly content: string
  /** The leading `@@` lines as written, in order. */
  readonly decorators: readonly string[]
  readonly enabled: boolean
  readonly constant: boolean
  /** Lower stands higher up. */
  readonly insertionOrder: number
  /** Lower is left out first. */
  readonly priority?: number
  /** 0 to 100. */
  readonly probability: number
  readonly caseSensitive: boolean
  readonly wholeWords: boolean
  readonly useRegex: boolean
  /** Its own, else the book's. */
  readonly scanDepth?: number
  readonly extensions: JsonObject
}

/** Something the reader put right by itself. */
export interface CardWarning {
  /** Path of the field, as in `data.tags`. */
  readonly field: string
  readonly found: string
  readonly message: string
}

export interface CardReading {
  /** Decided by the object's `spec`, not by what carried it. */
  readonly version: CardVersion
  readonly carrier: 'json' | 'png'
  readonly card: Card
  /** The card's JSON untouched, unknown fields included: what exports are made from. */
  readonly source: JsonObject
  readonly warnings: readonly CardWarning[]
}
