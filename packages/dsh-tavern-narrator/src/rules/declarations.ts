/** What a rule may name, as TypeScript: the scene's own keys with the types of their values. Pure. */
import type { JsonValue } from 'dsh-fabric-protocol'
import type { Scene } from 'dsh-tavern-protocol'

/** What a value of a key must stay: of a list, an object or null, nothing is asked. */
export type ValueKind = 'string' | 'number' | 'boolean' | 'json'

export function kindOf(value: JsonValue): ValueKind {
  const kind = typeof value
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'json'
}

export function ruleDeclarations(scene: Scene): string {
  const world = Object.entries(scene.world).map(([key, { value }]) => [key, value] as const)
  const characters = scene.cast.map(({ character }) => JSON.stringify(character)).join(' | ')
  return `type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Character = ${characters}
interface World {
${keys(world)}}
interface Variables {
${keys(Object.entries(scene.variables))}}
${API}`
}

function keys(values: readonly (readonly [string, JsonValue])[]): string {
  return values.map(([key, value]) => `  ${JSON.stringify(key)}: ${typeOf(value)}\n`).join('')
}

function typeOf(value: JsonValue): string {
  const kind = kindOf(value)
  return kind === 'json' ? 'Json' : kind
}

const API = `interface Values<Keys> {
  /** Throws when it is not there, or is no longer of its kind. */
  get<Key extends keyof Keys>(key: Key): Keys[Key]
  set<Key extends keyof Keys>(key: Key, value: Keys[Key]): void
}
declare const world: Values<World> & {
  /** Any key, those that came in play too. */
  find(key: string): Json | undefined
  has(key: string): boolean
  keys(): readonly string[]
}
declare const variables: Values<Variables>
type Dice =
  | \`d\${number}\`
  | \`\${number}d\${number}\`
  | \`d\${number}+\${number}\`
  | \`d\${number}-\${number}\`
  | \`\${number}d\${number}+\${number}\`
  | \`\${number}d\${number}-\${number}\`
interface Roll {
  /** What it is for, before the dice. */
  readonly label?: string
  /** Nobody but whoever directs hears of it. */
  readonly hidden?: boolean
}
/** The total. */
declare function roll(dice: Dice, about?: Roll): number
/** Everyone on stage perceives it. */
declare function narrate(text: string): void
/** One character perceives it, or the persons in their seats. */
declare function tell(to: Character | 'seats', text: string): void
interface Being {
  readonly id: string
  readonly name: string
}
declare const scene: {
  readonly id: string
  readonly title: string
  readonly language: 'en' | 'zh'
  /** Beats so far. */
  readonly beats: number
  readonly onStage: readonly Character[]
  readonly seats: readonly string[]
  readonly cast: readonly { readonly id: Character; readonly name: string; readonly onStage: boolean }[]
}
/** The beat that it answers, or who asked for it and with which words. */
declare const cause: {
  readonly kind: 'line' | 'whisper' | 'narration' | 'entrance' | 'exit' | 'world' | 'asked'
  readonly author: Being
  readonly text: string
}
`
