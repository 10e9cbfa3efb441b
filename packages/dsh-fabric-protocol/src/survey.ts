/** What all builders start from: one family of sessions and everything seen of Fabric from it. */
import { findFamily, type Family } from './family.ts'
import { fabricSessionNodeId } from './node-ids.ts'
import type { ActivityProjection, ProjectedNode } from './projection.ts'
import type { SessionInput } from './session-input.ts'
import { collectNodes, sessionAtNode, type SightedNode, type View } from './sightings.ts'

export interface FabricSources {
  readonly sessions: readonly SessionInput[]
  readonly selectedSessionId: string
  /** The mesh's own projection, of `projectMeshRecords`: it knows what no session's log shows. */
  readonly mesh?: ActivityProjection | undefined
}

export interface Survey {
  readonly family: Family
  readonly views: readonly View[]
  /** By node id, in the order of ids; none of them is a session of the family. */
  readonly nodes: ReadonlyMap<string, SightedNode>
  /** Ids of nodes that turned out to be a session of the family, with that session's node id. */
  readonly aliases: ReadonlyMap<string, string>
}

/** Undefined when the selected session is unknown. */
export function surveyOf(sources: FabricSources): Survey | undefined {
  const family = findFamily(sources.sessions, sources.selectedSessionId)
  if (family === undefined) return undefined
  const views = viewsOf(family, sources.mesh)
  const nodes = new Map<string, SightedNode>()
  const aliases = new Map<string, string>()
  for (const [id, sighted] of collectNodes(family, views)) {
    const sessionId = sessionOf(family, sighted.node)
    if (sessionId === undefined) nodes.set(id, sighted)
    else aliases.set(id, fabricSessionNodeId(sessionId))
  }
  return { family, views, nodes, aliases }
}

function viewsOf(family: Family, mesh: ActivityProjection | undefined): readonly View[] {
  const views: View[] = []
  for (const { id, activity } of family.members.values()) {
    if (activity !== undefined) views.push({ sessionId: id, projection: activity })
  }
  if (mesh !== undefined) views.push({ projection: mesh })
  return views
}

/** By the id of its node, or because an agent runs in it. */
function sessionOf(family: Family, node: ProjectedNode): string | undefined {
  const named = sessionAtNode(node.id, family)
  if (named !== undefined) return named
  const acts = node.kind === 'session' || node.kind === 'agent' || node.kind === 'subagent'
  return acts && family.members.has(node.sessionId ?? '') ? node.sessionId : undefined
}
