/** The topology: who takes part and what they share, as one tree with the traffic laid over it. */
import { directoryOf } from './directory.ts'
import { distinctEdges, fabricEdgeOf, type FabricEdge } from './edge.ts'
import { resolveEdges } from './endpoints.ts'
import { fabricSessionNodeId } from './node-ids.ts'
import { plantParticipant, plantUnlisted } from './participants-branch.ts'
import { rollUp } from './roll-up.ts'
import { sessionStatus, type SessionInput } from './session-input.ts'
import { plantComponent, plantState, plantTopic } from './shared-branch.ts'
import { surveyOf, type FabricSources, type Survey } from './survey.ts'
import type { FabricTopology, TopologyNode } from './topology-records.ts'
import { plantRoot, type Tree } from './tree.ts'

/** Null when the selected session is unknown. Groups that would be empty are left out. */
export function buildFabricTopology(sources: FabricSources): FabricTopology | null {
  const survey = surveyOf(sources)
  if (survey === undefined) return null
  const tree = plantRoot(mainNode(survey.family.root))
  const seen = [...survey.nodes.values()]
  for (const participant of directoryOf(survey).participants) plantParticipant(tree, participant)
  for (const sighted of seen) plantUnlisted(tree, sighted)
  for (const { node } of seen) if (node.kind === 'topic') plantTopic(tree, node)
  for (const { node } of seen) if (node.kind === 'state') plantState(tree, node)
  for (const { node } of seen) if (node.kind === 'component') plantComponent(tree, node)
  return {
    rootId: tree.root.id,
    nodes: rollUp([...tree.nodes.values()]),
    edges: [...tree.edges, ...trafficEdges(survey, tree)],
  }
}

function mainNode(root: SessionInput): Extract<TopologyNode, { kind: 'main' }> {
  return {
    kind: 'main',
    id: fabricSessionNodeId(root.id),
    label: root.label,
    status: sessionStatus(root),
    updatedAt: root.updatedAt,
    jobCount: root.jobCount ?? 0,
    sessionId: root.id,
  }
}

function trafficEdges(survey: Survey, tree: Tree): readonly FabricEdge[] {
  const resolved = resolveEdges({ survey, nodes: tree.nodes })
  const traffic = resolved.filter((edge) => edge.role === 'traffic')
  return distinctEdges(traffic.map((edge) => towardsTopic(edge, tree)))
}

/** A publish is drawn from its author to the topic, whichever way it was written down. */
function towardsTopic(edge: FabricEdge, tree: Tree): FabricEdge {
  const backwards = edge.kind === 'publish' && tree.nodes.get(edge.source)?.kind === 'topic'
  if (!backwards) return edge
  const { source, target, updatedAt } = edge
  return fabricEdgeOf(edge.kind, { source: target, target: source, updatedAt })
}
