/** How nodes are named, so that a tool result and a mesh record speak of the same node. */

/** An edge endpoint: the session whose projection holds the edge. */
export const ownSession = '$session'

export function fabricSessionNodeId(sessionId: string): string {
  return `session:${sessionId}`
}

export function topicNodeId(topicId: string): string {
  return `topic:${topicId}`
}

export function actorNodeId(actorId: string): string {
  return `actor:${actorId}`
}

export function stateNodeId(key: string): string {
  return `state:${key}`
}

export function agentNodeId(author: string): string {
  return `agent:${author}`
}

export function isAgentNodeId(nodeId: string): boolean {
  return nodeId.startsWith('agent:')
}

/** Message ids are unique in their place only: a topic's or an actor's node id. */
export function messageNodeId(placeNodeId: string, messageId: string): string {
  return `message:${escapePlace(placeNodeId)}/${messageId}`
}

/** Groups are built here only: a node seen elsewhere under such an id is not believed. */
export function groupNodeId(group: string, path: readonly string[] = []): string {
  return ['group', group, ...(path.length === 0 ? [] : [path.join('/')])].join(':')
}

export function isGroupNodeId(nodeId: string): boolean {
  return nodeId.startsWith('group:')
}

/** What the node is called in its own kind: its id without the kind, or the label of a foreign id. */
export function nameOfNode(node: {
  readonly id: string
  readonly kind: string
  readonly label: string
}): string {
  const prefix = `${node.kind}:`
  return node.id.startsWith(prefix) ? node.id.slice(prefix.length) : node.label
}

function escapePlace(placeNodeId: string): string {
  return placeNodeId.replaceAll('%', '%25').replaceAll('/', '%2F')
}
