/** The mesh as a projection of its own records: complete, whoever wrote them and wherever. */
import { newestActivities } from './activity.ts'
import { distinctEdges } from './edge.ts'
import {
  mailboxActivity,
  mailboxMessageActivity,
  stateChangeActivity,
  topicActivity,
  topicMessageActivity,
} from './mesh-record-activity.ts'
import {
  mailboxEdges,
  mailboxMessageEdges,
  stateEdges,
  topicEdges,
  topicMessageEdges,
  type NodeOf,
} from './mesh-record-edges.ts'
import type {
  MailboxMessage,
  MailboxRecord,
  StateChange,
  StateRecord,
  TopicMessage,
  TopicRecord,
} from './mesh-records.ts'
import { actorNodes, agentNodes, stateNodes, topicNodes } from './mesh-nodes.ts'
import { actorNodeId, agentNodeId } from './node-ids.ts'
import { compareText } from './order.ts'
import type { ActivityProjection, ProjectedEdge } from './projection.ts'

/** Any part of the mesh; with all its mailboxes, authors that own one are recognised as its actor. */
export interface MeshRecords {
  readonly topics?: readonly TopicRecord[]
  readonly topicMessages?: readonly TopicMessage[]
  readonly states?: readonly StateRecord[]
  readonly stateChanges?: readonly StateChange[]
  readonly mailboxes?: readonly MailboxRecord[]
  readonly mailboxMessages?: readonly MailboxMessage[]
}

/** Node ids of authors and workers that are known to be something else than their name says. */
export type Authors = ReadonlyMap<string, string>

/**
 * An author is the node that `authors` names (a session that is passed to the builders too), else
 * the actor of the mailbox with its name, else an agent of its own.
 */
export function projectMeshRecords(
  records: MeshRecords,
  authors: Authors = new Map(),
): ActivityProjection {
  const edges = distinctEdges(edgesOf(records, authorNodes(records, authors)))
  const nodes = [
    ...topicNodes(records.topics ?? [], records.topicMessages ?? []),
    ...actorNodes(records.mailboxes ?? [], records.mailboxMessages ?? []),
    ...stateNodes(records.states ?? [], records.stateChanges ?? []),
    ...agentNodes(edges),
  ]
  return {
    activities: newestActivities(activitiesOf(records)),
    nodes: nodes.toSorted((left, right) => compareText(left.id, right.id)),
    edges,
  }
}

function authorNodes(records: MeshRecords, authors: Authors): NodeOf {
  const mailboxIds = new Set([
    ...(records.mailboxes ?? []).map((mailbox) => mailbox.id),
    ...(records.mailboxMessages ?? []).map((message) => message.mailboxId),
  ])
  return (name) =>
    authors.get(name) ?? (mailboxIds.has(name) ? actorNodeId(name) : agentNodeId(name))
}

function activitiesOf(records: MeshRecords) {
  return [
    ...(records.topics ?? []).map(topicActivity),
    ...(records.topicMessages ?? []).map(topicMessageActivity),
    ...(records.stateChanges ?? []).map(stateChangeActivity),
    ...(records.mailboxes ?? []).map(mailboxActivity),
    ...(records.mailboxMessages ?? []).map(mailboxMessageActivity),
  ]
}

function edgesOf(records: MeshRecords, nodeOf: NodeOf): readonly ProjectedEdge[] {
  return [
    ...(records.topics ?? []).flatMap((topic) => topicEdges(topic, nodeOf)),
    ...(records.topicMessages ?? []).flatMap((message) => topicMessageEdges(message, nodeOf)),
    ...(records.states ?? []).flatMap((record) => stateEdges(record, nodeOf)),
    ...(records.stateChanges ?? []).flatMap((change) => stateEdges(change, nodeOf)),
    ...(records.mailboxes ?? []).flatMap((mailbox) => mailboxEdges(mailbox, nodeOf)),
    ...(records.mailboxMessages ?? []).flatMap((message) => mailboxMessageEdges(message, nodeOf)),
  ]
}
