/** The closed words of Fabric's graphs: what a node, an edge, an activity and a group can be. */
import { z } from 'zod'

export const nodeKind = z.enum([
  'main',
  'group',
  'session',
  /** Who acts without a session that we know: a workflow's member, an author without a mailbox. */
  'agent',
  /** A session that another session started for itself. */
  'subagent',
  'workflow',
  'phase',
  'job',
  /** The owner of a mailbox. */
  'actor',
  'topic',
  'message',
  'state',
  'component',
  'compaction',
])
export type NodeKind = z.infer<typeof nodeKind>

export const nodeStatus = z.enum([
  'pending',
  'running',
  'idle',
  'completed',
  'failed',
  'blocked',
  'stopped',
])
export type NodeStatus = z.infer<typeof nodeStatus>

export const edgeKind = z.enum([
  /** From a session to a participant it brought about. */
  'parent',
  'contains',
  /** From a group to a participant. */
  'member',
  /** From an author to a topic. */
  'publish',
  /** From an author to an actor. */
  'message',
  /** From an author to a state key. */
  'state',
  /** From a topic or an actor to who received from it. */
  'route',
])
export type EdgeKind = z.infer<typeof edgeKind>

export const edgeRole = z.enum(['structure', 'traffic'])
export type EdgeRole = z.infer<typeof edgeRole>

const structureKinds: ReadonlySet<EdgeKind> = new Set(['parent', 'contains', 'member'])

export function roleOf(kind: EdgeKind): EdgeRole {
  return structureKinds.has(kind) ? 'structure' : 'traffic'
}

export const activityKind = z.enum([
  'session',
  'workflow',
  'phase',
  'agent',
  'mesh',
  'topic',
  'state',
  'actor',
  'message',
  'compaction',
])
export type ActivityKind = z.infer<typeof activityKind>

export const groupKind = z.enum([
  'participants',
  'sessions',
  'agents',
  'actors',
  'mesh',
  'topics',
  'topic-fabric',
  'topic-project',
  'state',
  'state-world',
  'state-schema',
  'state-project',
  'components',
  'namespace',
])
export type GroupKind = z.infer<typeof groupKind>
