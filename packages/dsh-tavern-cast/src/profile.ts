/** What others than its host need of a character: how it is called and what direction asks. Its card stays with its host. */
import type { Card } from 'dsh-tavern-cards'
import type { CharacterId } from 'dsh-tavern-protocol'
import { z } from 'zod'
import { displayName } from './persona.ts'
import { oneLine } from './quoting.ts'

/** Of the description, for a narrator that directs. */
const ABOUT_CHARACTERS = 400

export const profile = z
  .object({
    /** What others call it. */
    name: z.string(),
    /** All that it is called by. */
    names: z.array(z.string()).readonly(),
    talkativeness: z.number().min(0).max(1),
    about: z.string(),
  })
  .readonly()
export type Profile = z.infer<typeof profile>

export function profileOf(card: Card): Profile {
  const name = displayName(card)
  return {
    name,
    names: [...new Set([name, card.name])],
    talkativeness: card.talkativeness,
    about: oneLine(card.description).slice(0, ABOUT_CHARACTERS),
  }
}

/** Until its host says more. */
export function unknownProfile(character: CharacterId): Profile {
  return { name: character, names: [character], talkativeness: 0.5, about: '' }
}
