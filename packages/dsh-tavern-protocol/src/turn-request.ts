/** "The scene owes an answer to this", in the narrator's mailbox; self-contained. */
import { z } from 'zod'
import { audience } from './audience.ts'
import { characterId, participantId, runId } from './ids.ts'
import { line } from './line.ts'
import { ruleName } from './rule.ts'

const common = { id: z.string(), runId }

/** A model other than the actor's own, for one turn. */
export const route = z
  .object({ provider: z.string().optional(), model: z.string().optional() })
  .readonly()
export type Route = z.infer<typeof route>

export const turnRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('line'), ...common, line }).readonly(),
  /** Nobody said anything: the scene goes on by itself. */
  z
    .object({
      kind: z.literal('auto'),
      ...common,
      /** What was said last, and by whom. */
      trigger: z.object({ author: participantId, text: z.string() }).readonly().optional(),
    })
    .readonly(),
  /** A person hands the turn to one character, muted or silent too. */
  z
    .object({
      kind: z.literal('delegate'),
      ...common,
      actor: characterId,
      by: participantId,
      audience,
      route,
      instruction: z.string().optional(),
    })
    .readonly(),
  /** Somebody has one of the scene's rules run. */
  z
    .object({
      kind: z.literal('rule'),
      ...common,
      rule: ruleName,
      by: participantId,
      note: z.string().optional(),
    })
    .readonly(),
])
export type TurnRequest = z.infer<typeof turnRequest>
