/** The plain graph of one family: its sessions, everything they saw, and every edge between. */
import { z } from 'zod'
import { distinctEdges, fabricEdge, fabricEdgeOf } from './edge.ts'
import { resolveEdges } from './endpoints.ts'
import { parentInFamily, type Family } from './family.ts'
import { fabricSessionNodeId } from './node-ids.ts'
import { projectedNode, type ProjectedNode } from './projection.ts'
import { sessionNodeKind, sessionStatus } from './session-input.ts'
import { surveyOf, type FabricSources } from './survey.ts'

export const lineageGraph = z
  .object({
    rootId: z.string(),
    /** Sessions first, a parent before its children; then the others by id. */
    nodes: z.array(projectedNode).readonly(),
    edges: z.array(fabricEdge).readonly(),
  })
  .readonly()
export type LineageGraph = z.infer<typeof lineageGraph>

/** Null when the selected session is unknown. Messages, workflows and phases are nodes here. */
export function buildLineageGraph(sources: FabricSources): LineageGraph | null {
  const survey = surveyOf(sources)
  if (survey === undefined) return null
  const sessions = sessionNodes(survey.family)
  const seen = [...survey.nodes.values()].map(({ node }) => node)
  const nodes = new Map([...sessions, ...seen].map((node) => [node.id, node]))
  return {
    rootId: fabricSessionNodeId(survey.family.root.id),
    nodes: [...nodes.values()],
    edges: distinctEdges([...parentEdges(survey.family), ...resolveEdges({ survey, nodes })]),
  }
}

function sessionNodes(family: Family): readonly ProjectedNode[] {
  return [...family.members.values()].map((session) => ({
    id: fabricSessionNodeId(session.id),
    kind: sessionNodeKind(session, family.root.id),
    label: session.label,
    status: sessionStatus(session),
    updatedAt: session.updatedAt,
    sessionId: session.id,
  }))
}

function parentEdges(family: Family) {
  return [...family.members.values()].flatMap((session) => {
    const parentId = parentInFamily(family, session)
    if (parentId === undefined) return []
    const source = fabricSessionNodeId(parentId)
    const target = fabricSessionNodeId(session.id)
    return [fabricEdgeOf('parent', { source, target, updatedAt: session.updatedAt })]
  })
}
