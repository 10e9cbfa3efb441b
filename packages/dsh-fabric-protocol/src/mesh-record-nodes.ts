/** The nodes that records of the mesh stand for: topics, the actors behind mailboxes, state keys. */
import type { NodeStatus } from './graph-words.ts'
import { authorshipLabel } from './mesh-labels.ts'
import type { MailboxRecord, StateChange, StateRecord, TopicRecord } from './mesh-records.ts'
import { actorNodeId, stateNodeId, topicNodeId } from './node-ids.ts'
import type { ProjectedNode } from './projection.ts'

export function topicNode(topic: TopicRecord): ProjectedNode {
  const { id, label, updatedAt, headSequence } = topic
  const detail = `${id}, ${headSequence} published`
  return { id: topicNodeId(id), kind: 'topic', label, status: 'idle', updatedAt, detail }
}

export function mailboxNode(mailbox: MailboxRecord): ProjectedNode {
  const { id, label, updatedAt } = mailbox
  const status = mailboxStatus(mailbox)
  return { id: actorNodeId(id), kind: 'actor', label, status, updatedAt, detail: counts(mailbox) }
}

export type MailboxCounts = Pick<
  MailboxRecord,
  'queued' | 'claimed' | 'completed' | 'failed' | 'dead'
>

/** At work before waiting, waiting before failed; an actor that owes nothing is idle. */
export function mailboxStatus(mailbox: MailboxCounts): NodeStatus {
  if (mailbox.claimed > 0) return 'running'
  if (mailbox.queued > 0) return 'pending'
  return mailbox.failed + mailbox.dead > 0 ? 'failed' : 'idle'
}

export function stateNode(record: StateRecord): ProjectedNode {
  return nodeOfKey(record, record.updatedAt)
}

/** Undefined for a delete: the key is gone. */
export function stateChangeNode(change: StateChange): ProjectedNode | undefined {
  return change.kind === 'deleted' ? undefined : nodeOfKey(change, change.changedAt)
}

function nodeOfKey(record: StateRecord | StateChange, updatedAt: number): ProjectedNode {
  const { key, version } = record
  const detail = `revision ${version} ${authorshipLabel(record)}`
  return { id: stateNodeId(key), kind: 'state', label: key, status: 'idle', updatedAt, detail }
}

function counts({ queued, claimed, completed, failed }: MailboxCounts): string {
  return `${queued} queued, ${claimed} claimed, ${completed} completed, ${failed} failed`
}
