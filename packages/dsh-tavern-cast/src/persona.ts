/** A character's system prompt: who it is, how it talks, what only it knows. Stable text, so a log keeps one copy. */
import type { Card } from 'dsh-tavern-cards'
import { expandMacros } from 'dsh-tavern-macros'
import { briefingHeadings, type Language, personaHeadings } from 'dsh-tavern-protocol'
import { guidance } from './guidance.ts'
import { cut, indented } from './quoting.ts'

/** UTF-8 bytes of one field of a card, or of one secret; far above what authors write. */
const FIELD_BYTES = 32 * 1024

export interface PersonaRequest {
  readonly card: Card
  /** The name the person in the seat goes by. */
  readonly user: string
  readonly language: Language
  readonly secrets: readonly string[]
}

/** Complete prompt text; it must reach the host as a value, never as a template. */
export function personaText({ card, user, language, secrets }: PersonaRequest): string {
  const name = displayName(card)
  const heading = personaHeadings[language]
  const expand = (text: string) => cut(expandFor(card, user, text), FIELD_BYTES)
  const constantLore = (card.book?.entries ?? [])
    .filter((entry) => entry.enabled && entry.constant)
    .map((entry) => `- ${indented(expand(entry.content))}`)
  const sections: readonly (readonly [string, string])[] = [
    [heading.rules, guidance[language].rules(name)],
    [heading.character, name],
    [heading.description, expand(card.description)],
    [heading.personality, expand(card.personality)],
    [heading.scenario, expand(card.scenario)],
    [heading.examples, expand(card.exampleDialogue)],
    [
      heading.instructions,
      // V2: it stands for what the card replaces, and here nothing is replaced
      [card.systemPrompt, card.postHistoryInstructions]
        .map((text) => text.replaceAll(/\{\{original\}\}/gi, ''))
        .map(expand)
        .filter(Boolean)
        .join('\n'),
    ],
    [briefingHeadings[language].lore, constantLore.join('\n')],
    [
      briefingHeadings[language].secrets,
      secrets.map((secret) => `- ${indented(expand(secret))}`).join('\n'),
    ],
  ]
  return sections
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `[${title}]\n${text}`)
    .join('\n\n')
}

/** What others call it: V3's nickname where the card has one. */
export function displayName(card: Card): string {
  return card.nickname?.trim() || card.name
}

/** Card text as the prompt has it: macros expanded, nothing else touched. */
export function expandFor(card: Card, user: string, text: string): string {
  return expandMacros(text, { char: displayName(card), user }).trim()
}
