/** What the crash spec asks of a child that plays. */
import { z } from 'zod'

export const killPoints = [
  'cue/queued',
  'cue/claimed',
  'performance/delta',
  'performance/finished',
  'beat/published',
  'cue/settling',
  'cue/settled',
] as const
/** Where a rule leaves traces. */
export const ruleKillPoints = ['rule/decided', 'beat/published', 'cue/settled'] as const
export type KillPoint = (typeof killPoints)[number] | (typeof ruleKillPoints)[number]

export const childRequest = z.object({
  home: z.string(),
  scene: z.string(),
  beats: z.int(),
  seed: z.int(),
  trace: z.string(),
  /** Dies at the `count`-th time this point is passed. */
  kill: z.object({ point: z.enum([...killPoints, 'rule/decided']), count: z.int() }).optional(),
  /** Plays as on a mesh that other homes share, under this host's id. */
  hostId: z.string().optional(),
  /** Milliseconds between the pieces of an answer, so that a kill can fall in between. */
  pace: z.number(),
})
export type ChildRequest = z.infer<typeof childRequest>
