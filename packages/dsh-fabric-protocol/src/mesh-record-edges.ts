/** Who wrote where and who received from there, by node ids: the traffic that records of the mesh hold. */
import { projectedEdgeOf } from './edge.ts'
import type {
  MailboxMessage,
  MailboxRecord,
  StateChange,
  StateRecord,
  TopicMessage,
  TopicRecord,
} from './mesh-records.ts'
import { actorNodeId, stateNodeId, topicNodeId } from './node-ids.ts'
import type { ProjectedEdge } from './projection.ts'

/** The node of an author, addressee or worker. */
export type NodeOf = (name: string) => string

/** Whoever made a topic or a mailbox contains it. */
export function topicEdges(topic: TopicRecord, nodeOf: NodeOf): readonly ProjectedEdge[] {
  return [contains(nodeOf(topic.by), topicNodeId(topic.id), topic.createdAt)]
}

export function mailboxEdges(mailbox: MailboxRecord, nodeOf: NodeOf): readonly ProjectedEdge[] {
  return [contains(nodeOf(mailbox.by), actorNodeId(mailbox.id), mailbox.createdAt)]
}

function contains(source: string, target: string, updatedAt: number): ProjectedEdge {
  return projectedEdgeOf('contains', { source, target, updatedAt })
}

/** From the author to the topic, and from the topic to each addressee. */
export function topicMessageEdges(message: TopicMessage, nodeOf: NodeOf): readonly ProjectedEdge[] {
  const topic = topicNodeId(message.topicId)
  const updatedAt = message.publishedAt
  const received = (message.to ?? []).map((name) =>
    projectedEdgeOf('route', { source: topic, target: nodeOf(name), updatedAt }),
  )
  return [
    projectedEdgeOf('publish', { source: nodeOf(message.by), target: topic, updatedAt }),
    ...received,
  ]
}

/** From the author to the actor, and from the actor to the worker that claimed. */
export function mailboxMessageEdges(
  message: MailboxMessage,
  nodeOf: NodeOf,
): readonly ProjectedEdge[] {
  const actor = actorNodeId(message.mailboxId)
  const source = nodeOf(message.by)
  const sent = projectedEdgeOf('message', { source, target: actor, updatedAt: message.sentAt })
  if (message.status === 'queued') return [sent]
  const { claimedBy, claimedAt } = message
  const route = { source: actor, target: nodeOf(claimedBy), updatedAt: claimedAt }
  return [sent, projectedEdgeOf('route', route)]
}

export function stateEdges(
  record: StateRecord | StateChange,
  nodeOf: NodeOf,
): readonly ProjectedEdge[] {
  const updatedAt = 'changedAt' in record ? record.changedAt : record.updatedAt
  const target = stateNodeId(record.key)
  return [projectedEdgeOf('state', { source: nodeOf(record.by), target, updatedAt })]
}
