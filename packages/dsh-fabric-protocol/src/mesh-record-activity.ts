/** What a record of the mesh says happened: one activity row each, without payload, result or error. */
import { activityId, type ActivityRecord } from './activity.ts'
import { assertNever } from './assert-never.ts'
import { authorshipLabel, messageLabel } from './mesh-labels.ts'
import type {
  MailboxMessage,
  MailboxRecord,
  StateChange,
  TopicMessage,
  TopicRecord,
} from './mesh-records.ts'
import { actorNodeId, stateNodeId, topicNodeId } from './node-ids.ts'

export function topicActivity(topic: TopicRecord): ActivityRecord {
  return createdActivity('topic', topicNodeId(topic.id), topic)
}

export function mailboxActivity(mailbox: MailboxRecord): ActivityRecord {
  return createdActivity('actor', actorNodeId(mailbox.id), mailbox)
}

function createdActivity(
  kind: 'topic' | 'actor',
  nodeId: string,
  record: TopicRecord | MailboxRecord,
): ActivityRecord {
  return {
    id: activityId(nodeId, 'created'),
    kind,
    action: 'created',
    label: record.label,
    status: 'completed',
    updatedAt: record.createdAt,
    nodeId,
    detail: authorshipLabel(record),
  }
}

export function topicMessageActivity(message: TopicMessage): ActivityRecord {
  const nodeId = topicNodeId(message.topicId)
  return {
    id: activityId(nodeId, message.sequence),
    kind: 'message',
    action: 'published',
    label: messageLabel(message.id),
    status: 'completed',
    updatedAt: message.publishedAt,
    nodeId,
    detail: `${message.topicId} ${authorshipLabel(message)}`,
  }
}

/** One row for the message's life; its status is where the message stands now. */
export function mailboxMessageActivity(message: MailboxMessage): ActivityRecord {
  const nodeId = actorNodeId(message.mailboxId)
  return {
    id: activityId(nodeId, message.sequence),
    kind: 'message',
    label: messageLabel(message.id),
    nodeId,
    detail: `${message.mailboxId} ${authorshipLabel(message)}`,
    ...stageOf(message),
  }
}

function stageOf(message: MailboxMessage): Pick<ActivityRecord, 'action' | 'status' | 'updatedAt'> {
  switch (message.status) {
    case 'queued': {
      const action = message.attempts === 0 ? 'sent' : 'released'
      return { action, status: 'pending', updatedAt: message.sentAt }
    }
    case 'claimed':
      return { action: 'claimed', status: 'running', updatedAt: message.claimedAt }
    case 'completed':
    case 'failed':
      return { action: message.status, status: message.status, updatedAt: message.settledAt }
    case 'dead':
      return { action: 'given-up', status: 'failed', updatedAt: message.diedAt }
    default:
      return assertNever(message)
  }
}

export function stateChangeActivity(change: StateChange): ActivityRecord {
  const nodeId = stateNodeId(change.key)
  return {
    id: activityId(nodeId, change.version),
    kind: 'state',
    action: change.kind === 'deleted' ? 'deleted' : 'compare-and-swap',
    label: change.key,
    status: 'completed',
    updatedAt: change.changedAt,
    nodeId,
    detail: `revision ${change.version} ${authorshipLabel(change)}`,
  }
}
