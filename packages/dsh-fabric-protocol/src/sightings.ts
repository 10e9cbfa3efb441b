/** One node out of everything that was seen of it, and the session it belongs to. */
import type { Family } from './family.ts'
import { fabricSessionNodeId, isGroupNodeId, nameOfNode, ownSession } from './node-ids.ts'
import { compareNewest, compareText } from './order.ts'
import type { ActivityProjection, ProjectedEdge, ProjectedNode } from './projection.ts'

/** A projection and the session it was made from; the mesh's own has none. */
export interface View {
  readonly sessionId?: string
  readonly projection: ActivityProjection
}

export interface SightedNode {
  readonly node: ProjectedNode
  /** A session of the family: who contains it, else who saw it last, else the root. */
  readonly ownerId: string
}

interface Sighting {
  readonly node: ProjectedNode
  readonly sessionId: string | undefined
}

interface Claim {
  readonly sessionId: string
  readonly at: number
}

/** Every node of the views by id, in the order of ids. What the mesh says outranks what logs showed. */
export function collectNodes(family: Family, views: readonly View[]) {
  const containers = containersByNode(family, views)
  const sightings = sightingsByNode(views)
  const ids = [...sightings.keys()].toSorted(compareText)
  const nodes = new Map<string, SightedNode>()
  for (const id of ids) {
    const seen = sightings.get(id) ?? []
    const owner = containers.get(id) ?? lastWitness(seen)
    nodes.set(id, { node: mergeSightings(seen), ownerId: owner?.sessionId ?? family.root.id })
  }
  return nodes
}

/** The family's session that an endpoint names, if it names one. */
export function sessionAt(endpoint: string, view: View, family: Family): string | undefined {
  return endpoint === ownSession ? view.sessionId : sessionAtNode(endpoint, family)
}

/** The family's session whose node this is. */
export function sessionAtNode(nodeId: string, family: Family): string | undefined {
  const prefix = fabricSessionNodeId('')
  if (!nodeId.startsWith(prefix)) return undefined
  const sessionId = nodeId.slice(prefix.length)
  return family.members.has(sessionId) ? sessionId : undefined
}

function sightingsByNode(views: readonly View[]): Map<string, Sighting[]> {
  const sightings = new Map<string, Sighting[]>()
  for (const view of views) {
    for (const node of view.projection.nodes) {
      if (isGroupNodeId(node.id) || node.kind === 'group' || node.kind === 'main') continue
      const sighting = { node, sessionId: view.sessionId }
      const known = sightings.get(node.id)
      if (known === undefined) sightings.set(node.id, [sighting])
      else known.push(sighting)
    }
  }
  return sightings
}

/** The most trusted sighting, under the newest label that says more than the id does. */
function mergeSightings(sightings: readonly Sighting[]): ProjectedNode {
  const [best, ...others] = sightings.toSorted(compareSightings).map(({ node }) => node)
  if (best === undefined) throw new Error('a sighted node has a sighting')
  if (hasOwnLabel(best)) return best
  const named = others.find((node) => node.kind === best.kind && hasOwnLabel(node))
  return named === undefined ? best : { ...best, label: named.label }
}

function compareSightings(left: Sighting, right: Sighting): number {
  const leftRank = left.sessionId === undefined ? 0 : 1
  const rightRank = right.sessionId === undefined ? 0 : 1
  return leftRank - rightRank || compareNewest(left.node, right.node)
}

function hasOwnLabel(node: ProjectedNode): boolean {
  return node.label !== node.id && node.label !== nameOfNode(node)
}

function lastWitness(sightings: readonly Sighting[]): Claim | undefined {
  let last: Claim | undefined
  for (const { node, sessionId } of sightings) {
    if (sessionId !== undefined) last = preferred(last, { sessionId, at: node.updatedAt })
  }
  return last
}

function containersByNode(family: Family, views: readonly View[]): Map<string, Claim> {
  const containers = new Map<string, Claim>()
  for (const view of views) {
    for (const edge of view.projection.edges) {
      const claim = containment(edge, view, family)
      if (claim) containers.set(edge.target, preferred(containers.get(edge.target), claim))
    }
  }
  return containers
}

function containment(edge: ProjectedEdge, view: View, family: Family): Claim | undefined {
  if (edge.kind !== 'contains') return undefined
  const sessionId = sessionAt(edge.source, view, family)
  return sessionId === undefined ? undefined : { sessionId, at: edge.updatedAt ?? -1 }
}

/** The newer claim; at one time the smaller session id. */
function preferred(known: Claim | undefined, claim: Claim): Claim {
  if (known === undefined || claim.at > known.at) return claim
  if (claim.at < known.at) return known
  return compareText(claim.sessionId, known.sessionId) < 0 ? claim : known
}
