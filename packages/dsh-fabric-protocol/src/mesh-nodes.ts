/** Every node that a part of the mesh is about, also where only messages or edges tell of it. */
import type {
  MailboxMessage,
  MailboxRecord,
  StateChange,
  StateRecord,
  TopicMessage,
  TopicRecord,
} from './mesh-records.ts'
import { mailboxMessageActivity } from './mesh-record-activity.ts'
import {
  mailboxNode,
  mailboxStatus,
  stateChangeNode,
  stateNode,
  topicNode,
} from './mesh-record-nodes.ts'
import { actorNodeId, isAgentNodeId, nameOfNode, topicNodeId } from './node-ids.ts'
import { newestByKey } from './order.ts'
import type { ProjectedEdge, ProjectedNode } from './projection.ts'

/** A topic whose record is not at hand is known by its messages. */
export function topicNodes(
  topics: readonly TopicRecord[],
  messages: readonly TopicMessage[],
): readonly ProjectedNode[] {
  const known = newestByKey(topics, (topic) => topic.id)
  const bare = messages
    .filter((message) => !known.has(message.topicId))
    .map(({ topicId, publishedAt }): ProjectedNode => {
      const id = topicNodeId(topicId)
      return { id, kind: 'topic', label: topicId, status: 'idle', updatedAt: publishedAt }
    })
  return [...[...known.values()].map(topicNode), ...newestByKey(bare, (node) => node.id).values()]
}

/** A mailbox whose record is not at hand has the status that its messages add up to. */
export function actorNodes(
  mailboxes: readonly MailboxRecord[],
  messages: readonly MailboxMessage[],
): readonly ProjectedNode[] {
  const known = newestByKey(mailboxes, (mailbox) => mailbox.id)
  const others = messages.filter((message) => !known.has(message.mailboxId))
  const byMailbox = Map.groupBy(others, (message) => message.mailboxId)
  return [...[...known.values()].map(mailboxNode), ...[...byMailbox].map(bareActor)]
}

function bareActor([mailboxId, messages]: [string, readonly MailboxMessage[]]): ProjectedNode {
  const counts = { queued: 0, claimed: 0, completed: 0, failed: 0, dead: 0 }
  let updatedAt = 0
  for (const message of messages) {
    counts[message.status] += 1
    updatedAt = Math.max(updatedAt, mailboxMessageActivity(message).updatedAt)
  }
  const status = mailboxStatus(counts)
  return { id: actorNodeId(mailboxId), kind: 'actor', label: mailboxId, status, updatedAt }
}

/** A key as its highest version says, never as a clock says; a deleted key has no node. */
export function stateNodes(
  records: readonly StateRecord[],
  changes: readonly StateChange[],
): readonly ProjectedNode[] {
  const newest = new Map<string, StateRecord | StateChange>()
  for (const record of [...changes, ...records]) {
    const known = newest.get(record.key)
    if (known === undefined || record.version >= known.version) newest.set(record.key, record)
  }
  return [...newest.values()].flatMap((record) =>
    'changedAt' in record ? (stateChangeNode(record) ?? []) : stateNode(record),
  )
}

/** Authors, addressees and workers without a mailbox of their name: as new as their newest edge. */
export function agentNodes(edges: readonly ProjectedEdge[]): readonly ProjectedNode[] {
  const ends = edges.flatMap(({ source, target, updatedAt = 0 }) =>
    [source, target].filter(isAgentNodeId).map((id) => ({ id, updatedAt })),
  )
  return [...newestByKey(ends, (end) => end.id).values()].map(({ id, updatedAt }) => {
    const label = nameOfNode({ id, kind: 'agent', label: id })
    return { id, kind: 'agent', label, status: 'idle', updatedAt }
  })
}
