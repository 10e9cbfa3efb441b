/** What was seen of Fabric from one place: a session's log, or the mesh itself. */
import { z } from 'zod'
import { activityRecord } from './activity.ts'
import { edgeKind, nodeKind, nodeStatus } from './graph-words.ts'
import { timestamp } from './timestamp.ts'

export const projectedNode = z
  .object({
    id: z.string().min(1),
    kind: nodeKind,
    label: z.string(),
    status: nodeStatus,
    updatedAt: timestamp,
    /** The session that this node is, where it is one. */
    sessionId: z.string().optional(),
    detail: z.string().optional(),
  })
  .readonly()
export type ProjectedNode = z.infer<typeof projectedNode>

export const projectedEdge = z
  .object({
    id: z.string().min(1),
    /** A node id, or `$session`: the session whose projection this is. */
    source: z.string().min(1),
    target: z.string().min(1),
    kind: edgeKind,
    updatedAt: timestamp.optional(),
  })
  .readonly()
export type ProjectedEdge = z.infer<typeof projectedEdge>

export const activityProjection = z
  .object({
    activities: z.array(activityRecord).readonly(),
    nodes: z.array(projectedNode).readonly(),
    edges: z.array(projectedEdge).readonly(),
  })
  .readonly()
export type ActivityProjection = z.infer<typeof activityProjection>
