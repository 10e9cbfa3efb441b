/** What one call of the mesh tool shows of the mesh, from its arguments and its result alone. */
import { activityId } from './activity.ts'
import { projectedEdgeOf } from './edge.ts'
import type { EdgeKind, NodeStatus } from './graph-words.ts'
import { readMeshCall, type MeshCall, type MeshCallFields } from './mesh-call.ts'
import { messageLabel } from './mesh-labels.ts'
import type { MeshResultProjection } from './mesh-result-meta.ts'
import { actorNodeId, messageNodeId, ownSession, stateNodeId, topicNodeId } from './node-ids.ts'
import type { ProjectedNode } from './projection.ts'

/** Undefined for reads, unknown actions, refusals, and results without the ids they should have. */
export function projectFabricMeshActivity(call: MeshCall): MeshResultProjection | undefined {
  const fields = readMeshCall(call)
  if (fields === undefined) return undefined
  switch (call.action) {
    case 'create_topic':
      return createdPlace(fields, 'topic')
    case 'create_actor':
      return createdPlace(fields, 'actor')
    case 'publish':
      return publishedMessage(fields)
    case 'cas_state':
      return changedState(fields, { action: 'compare-and-swap', status: 'idle' })
    case 'delete_state':
      return changedState(fields, { action: 'deleted', status: 'stopped' })
    case 'send_actor':
      return actorMessage(fields, { action: 'sent', status: 'pending', actor: 'pending' })
    case 'claim_actor_message':
      return actorMessage(fields, { action: 'claimed', status: 'running', actor: 'running' })
    case 'wait':
      return waitedFor(fields)
    case 'extend_claim':
      return actorMessage(fields, { action: 'extended', status: 'running', actor: 'running' })
    case 'release_actor_message':
      return releasedMessage(fields)
    case 'settle_actor_message':
      return settledMessage(fields)
    case 'prune_topic':
      return prunedPlace(fields, 'topic')
    case 'prune_mailbox':
      return prunedPlace(fields, 'actor')
    default:
      return undefined
  }
}

type PlaceKind = 'topic' | 'actor'

function createdPlace(fields: MeshCallFields, kind: PlaceKind): MeshResultProjection | undefined {
  const { id, label = id, at } = fields
  if (id === undefined || label === undefined) return undefined
  const node = nodeOf(kind, { id, label, status: 'idle', at })
  return {
    activity: {
      id: activityId(node.id, 'created'),
      kind,
      action: 'created',
      label,
      status: 'completed',
      updatedAt: at,
      nodeId: node.id,
    },
    nodes: [node],
    edges: [edgeOf('contains', ownSession, node.id, at)],
  }
}

function publishedMessage(fields: MeshCallFields): MeshResultProjection | undefined {
  const { id, topicId, at } = fields
  if (id === undefined || topicId === undefined) return undefined
  const topic = nodeOf('topic', { id: topicId, label: topicId, status: 'idle', at })
  const seen = messageIn(topic, { ...fields, id, action: 'published', status: 'completed' })
  return { ...seen, edges: [...seen.edges, edgeOf('publish', ownSession, topic.id, at)] }
}

interface Handling {
  readonly action: string
  readonly status: NodeStatus
  readonly actor: NodeStatus
}

function actorMessage(fields: MeshCallFields, handling: Handling) {
  const { id, actorId, at } = fields
  if (id === undefined || actorId === undefined) return undefined
  const actor = nodeOf('actor', { id: actorId, label: actorId, status: handling.actor, at })
  const seen = messageIn(actor, { ...fields, ...handling, id })
  return { ...seen, edges: [...seen.edges, ...handlingEdges(handling, actor)] }
}

/** Sending goes to the actor; whoever claims receives from it. */
function handlingEdges({ action }: Handling, actor: ProjectedNode) {
  if (action === 'sent') return [edgeOf('message', ownSession, actor.id, actor.updatedAt)]
  if (action === 'claimed') return [edgeOf('route', actor.id, ownSession, actor.updatedAt)]
  return []
}

function settledMessage(fields: MeshCallFields): MeshResultProjection | undefined {
  const { status } = fields
  if (status === 'completed') return actorMessage(fields, { action: status, status, actor: 'idle' })
  if (status === 'failed') return actorMessage(fields, { action: status, status, actor: 'failed' })
  return undefined
}

/** Waiting on a mailbox ends with a claim; whatever else was waited for, nothing changed. */
function waitedFor(fields: MeshCallFields): MeshResultProjection | undefined {
  if (fields.status !== 'claimed') return undefined
  return actorMessage(fields, { action: 'claimed', status: 'running', actor: 'running' })
}

/** Queued again, or given up for dead. */
function releasedMessage(fields: MeshCallFields): MeshResultProjection | undefined {
  const { status } = fields
  if (status === 'queued') {
    return actorMessage(fields, { action: 'released', status: 'pending', actor: 'pending' })
  }
  if (status === 'dead') {
    return actorMessage(fields, { action: 'dead', status: 'failed', actor: 'failed' })
  }
  return undefined
}

interface SeenMessage extends Pick<MeshCallFields, 'sequence' | 'at'> {
  readonly id: string
  readonly action: string
  readonly status: NodeStatus
}

/** A message keeps one activity row for life: sent, claimed and settled are its stages. */
function messageIn(place: ProjectedNode, seen: SeenMessage): MeshResultProjection {
  const { id, sequence = id, action, status, at } = seen
  const label = messageLabel(id)
  const nodeId = messageNodeId(place.id, id)
  return {
    activity: {
      id: activityId(place.id, sequence),
      kind: 'message',
      action,
      label,
      status,
      updatedAt: at,
      nodeId: place.id,
      detail: place.label,
    },
    nodes: [place, { id: nodeId, kind: 'message', label, status, updatedAt: at }],
    edges: [edgeOf('contains', place.id, nodeId, at)],
  }
}

function changedState(
  fields: MeshCallFields,
  change: { readonly action: string; readonly status: NodeStatus },
): MeshResultProjection | undefined {
  const { key, version, at } = fields
  if (key === undefined || version === undefined) return undefined
  const detail = `revision ${version}`
  const { action, status } = change
  const node = { ...nodeOf('state', { id: key, label: key, status, at }), detail }
  return {
    activity: {
      id: activityId(node.id, version),
      kind: 'state',
      action,
      label: key,
      status: 'completed',
      updatedAt: at,
      nodeId: node.id,
      detail,
    },
    nodes: [node],
    edges: [edgeOf('state', ownSession, node.id, at)],
  }
}

/** No node: what a prune leaves behind says nothing of the place's label or status. */
function prunedPlace(fields: MeshCallFields, kind: PlaceKind): MeshResultProjection | undefined {
  const { deleted, retained, at } = fields
  const id = kind === 'topic' ? fields.topicId : fields.actorId
  if (id === undefined || (deleted === undefined && retained === undefined)) return undefined
  const counts = { deleted, retained }
  const said = Object.entries(counts).flatMap(([word, n]) =>
    n === undefined ? [] : `${n} ${word}`,
  )
  const nodeId = nodeIds[kind](id)
  return {
    activity: {
      id: activityId(nodeId, `pruned-${at}`),
      kind,
      action: 'pruned',
      label: id,
      status: 'completed',
      updatedAt: at,
      nodeId,
      detail: said.join(', '),
    },
    nodes: [],
    edges: [],
  }
}

const nodeIds = { topic: topicNodeId, actor: actorNodeId, state: stateNodeId } as const

interface NodeFields {
  readonly id: string
  readonly label: string
  readonly status: NodeStatus
  readonly at: number
}

function nodeOf(kind: keyof typeof nodeIds, { id, label, status, at }: NodeFields): ProjectedNode {
  return { id: nodeIds[kind](id), kind, label, status, updatedAt: at }
}

function edgeOf(kind: EdgeKind, source: string, target: string, updatedAt: number) {
  return projectedEdgeOf(kind, { source, target, updatedAt })
}
