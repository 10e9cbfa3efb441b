/** Short ways to say what was seen, for the specs of this folder. */
import type {
  ActivityProjection,
  EdgeKind,
  FabricEdge,
  FabricTopology,
  MailboxMessage,
  MailboxRecord,
  NodeKind,
  ProjectedEdge,
  ProjectedNode,
  SessionInput,
  TopicMessage,
  TopologyNode,
} from 'dsh-fabric-protocol'

export function session(id: string, fields: Partial<SessionInput> = {}): SessionInput {
  return { id, label: `Session ${id}`, running: false, updatedAt: 1, ...fields }
}

/** A chain of sessions `0` … `length - 1`, each the parent of the next. */
export function lineage(length: number): readonly SessionInput[] {
  return Array.from({ length }, (_, depth) =>
    session(String(depth), depth === 0 ? {} : { parentId: String(depth - 1) }),
  )
}

/** A node whose id starts with its kind. */
export function node(
  kind: NodeKind,
  name: string,
  fields: Partial<ProjectedNode> = {},
): ProjectedNode {
  return { id: `${kind}:${name}`, kind, label: name, status: 'idle', updatedAt: 1, ...fields }
}

export function edge(
  kind: EdgeKind,
  source: string,
  target: string,
  updatedAt?: number,
): ProjectedEdge {
  const id = `${kind} ${source} ${target} ${updatedAt}`
  return { id, kind, source, target, ...(updatedAt === undefined ? {} : { updatedAt }) }
}

export function seen(
  nodes: readonly ProjectedNode[],
  edges: readonly ProjectedEdge[] = [],
): ActivityProjection {
  return { activities: [], nodes, edges }
}

/** The tree as indented labels, in its own order. */
export function outline(topology: FabricTopology | null): readonly string[] {
  const depths = new Map<string, number>()
  return (topology?.nodes ?? []).map((each) => {
    const depth = each.kind === 'main' ? 0 : (depths.get(each.parentId) ?? Number.NaN) + 1
    depths.set(each.id, depth)
    return `${'  '.repeat(depth)}${each.label}`
  })
}

export function traffic(topology: FabricTopology | null): readonly FabricEdge[] {
  return (topology?.edges ?? []).filter(({ role }) => role === 'traffic')
}

export function find(topology: FabricTopology | null, id: string): TopologyNode | undefined {
  return topology?.nodes.find((each) => each.id === id)
}

export function topicMessage(sequence: number, fields: Partial<TopicMessage> = {}): TopicMessage {
  const id = `beat-${sequence}`
  const at = { publishedAt: 100 + sequence }
  return { topicId: 'inn.1', sequence, id, payload: 'hush', by: 'narrator', ...at, ...fields }
}

export function mailbox(id: string, fields: Partial<MailboxRecord> = {}): MailboxRecord {
  const counts = { queued: 0, claimed: 0, completed: 0, failed: 0, dead: 0 }
  const times = { createdAt: 1, updatedAt: 2, headSequence: 0 }
  return { id, label: id, by: 'host', ...times, ...counts, ...fields }
}

const stages = {
  queued: { status: 'queued' },
  claimed: { status: 'claimed', claimedBy: 'worker', claimedAt: 20 },
  completed: {
    status: 'completed',
    claimedBy: 'worker',
    claimedAt: 20,
    settledAt: 30,
    result: 'hush',
  },
  failed: { status: 'failed', claimedBy: 'worker', claimedAt: 20, settledAt: 30, error: 'hush' },
  dead: { status: 'dead', claimedBy: 'worker', claimedAt: 20, diedAt: 30, reason: 'hush' },
} as const

export function mail(
  sequence: number,
  status: MailboxMessage['status'],
  fields: { readonly mailboxId?: string; readonly by?: string; readonly attempts?: number } = {},
): MailboxMessage {
  const sent = { mailboxId: 'mara', by: 'narrator', attempts: 0, priority: 0, sentAt: 10 }
  const payload = 'hush'
  return { ...sent, payload, sequence, id: `cue-${sequence}`, ...stages[status], ...fields }
}
