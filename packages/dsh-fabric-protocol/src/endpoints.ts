/** Which node of a built graph an edge's endpoint means. */
import { fabricEdgeOf, type FabricEdge } from './edge.ts'
import { fabricSessionNodeId } from './node-ids.ts'
import type { ProjectedEdge } from './projection.ts'
import { sessionAt, type View } from './sightings.ts'
import type { Survey } from './survey.ts'

export interface Endpoints {
  readonly survey: Survey
  /** The nodes that the graph has. */
  readonly nodes: { has(nodeId: string): boolean }
}

/** Undefined when either end is no node of the graph. */
export function resolveEdge(endpoints: Endpoints, view: View, edge: ProjectedEdge) {
  const source = resolveEndpoint(endpoints, view, edge.source)
  const target = resolveEndpoint(endpoints, view, edge.target)
  if (source === undefined || target === undefined) return undefined
  return fabricEdgeOf(edge.kind, { source, target, updatedAt: edge.updatedAt })
}

/** All edges of all views that lie between nodes of the graph. */
export function resolveEdges(endpoints: Endpoints): readonly FabricEdge[] {
  return endpoints.survey.views.flatMap((view) =>
    view.projection.edges.flatMap((edge) => resolveEdge(endpoints, view, edge) ?? []),
  )
}

/** A node that the graph leaves out (a message, a workflow) stands for the session that owns it. */
function resolveEndpoint(endpoints: Endpoints, view: View, endpoint: string): string | undefined {
  const { survey, nodes } = endpoints
  const sessionId = sessionAt(endpoint, view, survey.family)
  if (sessionId !== undefined) return fabricSessionNodeId(sessionId)
  const known = survey.aliases.get(endpoint) ?? endpoint
  if (nodes.has(known)) return known
  const sighted = survey.nodes.get(endpoint)
  return sighted === undefined ? undefined : fabricSessionNodeId(sighted.ownerId)
}
