/** The topology as a view reads it: one structural tree, and the traffic between its nodes. */
import { z } from 'zod'
import { fabricEdge } from './edge.ts'
import { groupKind, nodeKind, nodeStatus } from './graph-words.ts'
import { timestamp } from './timestamp.ts'

const common = {
  id: z.string(),
  label: z.string(),
  /** A group's is rolled up from all that hangs below it. */
  status: nodeStatus,
  updatedAt: timestamp,
  jobCount: z.int().nonnegative(),
}

export const topologyNode = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('main'), ...common, sessionId: z.string() }).readonly(),
  z
    .object({ kind: z.literal('group'), ...common, group: groupKind, parentId: z.string() })
    .readonly(),
  z
    .object({
      kind: nodeKind.exclude(['main', 'group', 'workflow', 'phase', 'message', 'compaction']),
      ...common,
      parentId: z.string(),
      sessionId: z.string().optional(),
      detail: z.string().optional(),
    })
    .readonly(),
])
export type TopologyNode = z.infer<typeof topologyNode>
export type TopologyGroup = Extract<TopologyNode, { kind: 'group' }>
export type TopologyLeaf = Exclude<TopologyNode, { kind: 'main' | 'group' }>
export type TopologyLeafKind = TopologyLeaf['kind']

export const fabricTopology = z
  .object({
    rootId: z.string(),
    /** A parent before its children; the root first. */
    nodes: z.array(topologyNode).readonly(),
    /** One structure edge for each node but the root; then the traffic. */
    edges: z.array(fabricEdge).readonly(),
  })
  .readonly()
export type FabricTopology = z.infer<typeof fabricTopology>
