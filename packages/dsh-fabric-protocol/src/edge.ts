/** An edge of a built graph: unique by kind, source and target, never from a node to itself. */
import { z } from 'zod'
import { edgeKind, edgeRole, roleOf, type EdgeKind } from './graph-words.ts'
import { compareText, newestByKey } from './order.ts'
import type { ProjectedEdge } from './projection.ts'
import { timestamp } from './timestamp.ts'

export const fabricEdge = z
  .object({
    id: z.string(),
    source: z.string(),
    target: z.string(),
    kind: edgeKind,
    role: edgeRole,
    updatedAt: timestamp.optional(),
  })
  .readonly()
export type FabricEdge = z.infer<typeof fabricEdge>

/** The two ends and when something last passed between them. */
export interface EdgeEnds {
  readonly source: string
  readonly target: string
  readonly updatedAt?: number | undefined
}

/** JSON, because ids may hold any separator. */
export function edgeId(kind: EdgeKind, ends: EdgeEnds): string {
  return JSON.stringify([kind, ends.source, ends.target])
}

export function fabricEdgeOf(kind: EdgeKind, ends: EdgeEnds): FabricEdge {
  return { ...projectedEdgeOf(kind, ends), role: roleOf(kind) }
}

export function projectedEdgeOf(kind: EdgeKind, ends: EdgeEnds): ProjectedEdge {
  const { source, target, updatedAt } = ends
  const undated = { id: edgeId(kind, ends), source, target, kind }
  return updatedAt === undefined ? undated : { ...undated, updatedAt }
}

/** The newest of each (kind, source, target), without self loops, in the order of their ids. */
export function distinctEdges<Edge extends ProjectedEdge>(edges: Iterable<Edge>): readonly Edge[] {
  const between = [...edges].filter((edge) => edge.source !== edge.target)
  return [...newestByKey(between, (edge) => edgeId(edge.kind, edge))]
    .toSorted(([left], [right]) => compareText(left, right))
    .map(([, edge]) => edge)
}
