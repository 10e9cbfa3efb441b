/** A node of the topology that is no group: from what was seen of it and the place it hangs. */
import { present } from './present.ts'
import type { ProjectedNode } from './projection.ts'
import type { TopologyLeaf, TopologyLeafKind } from './topology-records.ts'

export interface LeafPlace {
  readonly kind: TopologyLeafKind
  readonly parentId: string
  readonly label?: string
  readonly detail?: string | undefined
}

export function leafOf(node: ProjectedNode, place: LeafPlace): TopologyLeaf {
  const { id, label, status, updatedAt, sessionId, detail } = node
  return present({ id, label, status, updatedAt, jobCount: 0, sessionId, detail, ...place })
}
