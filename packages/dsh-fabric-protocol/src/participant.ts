/** A participant: a session or an actor that takes part, as others may list and address it. */
import { z } from 'zod'
import { nodeStatus } from './graph-words.ts'
import { timestamp } from './timestamp.ts'

export const participantFormat = 1

export const participantCapability = z.enum(['open-session', 'send-message'])
export type ParticipantCapability = z.infer<typeof participantCapability>

const common = {
  format: z.literal(participantFormat),
  /** Also the id of its node. */
  id: z.string(),
  rootId: z.string(),
  parentId: z.string().optional(),
  name: z.string(),
  status: nodeStatus,
  capabilities: z.array(participantCapability).readonly(),
  updatedAt: timestamp,
  jobCount: z.int().nonnegative(),
  detail: z.string().optional(),
}

/** `session`: gone with its session; `durable`: outlives the sessions that use it. */
export const participantRecord = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.enum(['root', 'session', 'agent']),
      source: z.literal('session-mirror'),
      residency: z.literal('session'),
      ...common,
      sessionId: z.string(),
      cwd: z.string().optional(),
      preset: z.string().optional(),
      tokens: z.int().nonnegative().optional(),
      durationMs: z.number().nonnegative().optional(),
    })
    .readonly(),
  z
    .object({
      kind: z.literal('actor'),
      source: z.literal('fabric-actor'),
      residency: z.literal('durable'),
      ...common,
      /** The session that owns it. */
      sessionId: z.string(),
    })
    .readonly(),
])
export type ParticipantRecord = z.infer<typeof participantRecord>
export type ParticipantKind = ParticipantRecord['kind']

export const participantDirectory = z
  .object({
    rootId: z.string(),
    /** Sessions, a parent before its children and siblings by id; then actors by name, then id. */
    participants: z.array(participantRecord).readonly(),
  })
  .readonly()
export type ParticipantDirectory = z.infer<typeof participantDirectory>
