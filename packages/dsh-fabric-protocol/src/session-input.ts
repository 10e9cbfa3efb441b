/** A session as a host knows it: what the graph builders read. */
import { z } from 'zod'
import type { NodeKind, NodeStatus } from './graph-words.ts'
import { activityProjection } from './projection.ts'
import { timestamp } from './timestamp.ts'

export const sessionInput = z
  .object({
    id: z.string().min(1),
    label: z.string(),
    parentId: z.string().optional(),
    origin: z.literal('subagent').optional(),
    running: z.boolean(),
    /** Waits for a person. */
    blocked: z.boolean().optional(),
    completed: z.boolean().optional(),
    updatedAt: timestamp,
    cwd: z.string().optional(),
    preset: z.string().optional(),
    jobCount: z.int().nonnegative().optional(),
    tokens: z.int().nonnegative().optional(),
    durationMs: z.number().nonnegative().optional(),
    /** What this session's log showed of Fabric. */
    activity: activityProjection.optional(),
  })
  .readonly()
export type SessionInput = z.infer<typeof sessionInput>

/** The first that holds: blocked, running, completed; else idle. */
export function sessionStatus(session: SessionInput): NodeStatus {
  if (session.blocked === true) return 'blocked'
  if (session.running) return 'running'
  return session.completed === true ? 'completed' : 'idle'
}

/** What a session is in a graph whose root is `rootId`. */
export function sessionNodeKind(session: SessionInput, rootId: string): NodeKind {
  if (session.id === rootId) return 'main'
  return session.origin === 'subagent' ? 'subagent' : 'session'
}
