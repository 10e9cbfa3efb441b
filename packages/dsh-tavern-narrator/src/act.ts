/** What the narrator's own session decides in one directing turn, in the order of its tool calls. */
import { characterId, ruleName } from 'dsh-tavern-protocol'
import { z } from 'zod'

export const act = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cue'), character: characterId, why: z.string() }).readonly(),
  z.object({ kind: z.literal('narrate'), text: z.string() }).readonly(),
  z
    .object({
      kind: z.literal('scene'),
      place: z.string().optional(),
      time: z.string().optional(),
      mood: z.string().optional(),
    })
    .readonly(),
  z.object({ kind: z.literal('rule'), rule: ruleName, note: z.string() }).readonly(),
  z.object({ kind: z.literal('end') }).readonly(),
])
export type Act = z.infer<typeof act>
