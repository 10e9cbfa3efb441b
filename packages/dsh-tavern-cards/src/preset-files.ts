/** The files of a character's preset folder. */
import type { Card, JsonObject } from './card.ts'
import { CardError } from './card-error.ts'
import { contentHash } from './checksum.ts'
import { jsonText } from './json-text.ts'

export interface PresetRequest {
  /** The preset's id and folder: `[a-z0-9][a-z0-9-]*`. */
  readonly id: string
  readonly card: Card
  readonly source: JsonObject
}

export interface PresetFile {
  /** Below the presets' root, with forward slashes: `<id>/<file>`. */
  readonly path: string
  readonly content: string
}

/** Characters of a preset's description in a list of presets. */
const descriptionLength = 200

/**
 * The composition's first line changes with the card: the host sees an edited character by the
 * composition file alone. Nothing but the id reaches a path.
 */
export function presetFiles({ id, card, source }: PresetRequest): readonly PresetFile[] {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(id)) {
    const found = JSON.stringify(id)
    const problem = `an id must be lower-case letters, digits and dashes, found ${found}`
    throw new CardError('wrong-type', problem, { file: 'preset', field: 'id', found })
  }
  const cardJson = jsonText(source, id)
  return [
    { path: `${id}/agent.cordis.yml`, content: composition(contentHash(cardJson)) },
    { path: `${id}/preset.yml`, content: metadata(card) },
    { path: `${id}/card.json`, content: cardJson },
  ]
}

function composition(hash: string): string {
  return `# card ${hash}
- id: character
  name: dsh-tavern-cast/character
  config:
    card: ./card.json
`
}

function metadata(card: Card): string {
  const name = `name: ${yamlString(card.name)}\n`
  const description = summaryOf(card)
  return description === '' ? name : `${name}description: ${yamlString(description)}\n`
}

/** The author's note to people where there is one, else the character's description; one line. */
function summaryOf(card: Card): string {
  const text = card.creatorNotes.trim() || card.description.trim()
  const line = text.replaceAll(/\s+/g, ' ')
  const letters = Array.from(line.slice(0, descriptionLength * 2))
  if (letters.length <= descriptionLength && line.length <= descriptionLength * 2) return line
  return `${letters.slice(0, descriptionLength - 1).join('')}…`
}

/** JSON's strings are YAML's double-quoted ones, but for characters that YAML has no place for. */
function yamlString(text: string): string {
  const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
  return JSON.stringify(text.toWellFormed()).replaceAll(
    unprintable,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
