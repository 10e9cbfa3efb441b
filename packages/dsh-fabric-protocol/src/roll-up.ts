/** What a group shows of everything below it. */
import type { NodeStatus } from './graph-words.ts'
import type { TopologyNode } from './topology-records.ts'

const precedence = ['failed', 'blocked', 'running', 'pending'] as const

/** The first of failed, blocked, running, pending that occurs; completed if all are; else idle. */
export function rollUpStatus(statuses: Iterable<NodeStatus>): NodeStatus {
  const present = new Set(statuses)
  const leading = precedence.find((status) => present.has(status))
  if (leading !== undefined) return leading
  return present.size === 1 && present.has('completed') ? 'completed' : 'idle'
}

interface Tally {
  readonly statuses: Set<NodeStatus>
  updatedAt: number
  jobCount: number
}

/** Groups with the status, the newest time and the sum of jobs below them; a parent comes before its children. */
export function rollUp(nodes: readonly TopologyNode[]): readonly TopologyNode[] {
  const tallies = new Map(nodes.map((node) => [node.id, tallyOf(node)]))
  for (const node of nodes.toReversed()) {
    if (node.kind === 'main') continue
    const own = tallies.get(node.id)
    const parent = tallies.get(node.parentId)
    if (own !== undefined && parent !== undefined && own !== parent) add(parent, own)
  }
  return nodes.map((node) => (node.kind === 'group' ? summed(node, tallies.get(node.id)) : node))
}

function tallyOf(node: TopologyNode): Tally {
  if (node.kind === 'group') return { statuses: new Set(), updatedAt: 0, jobCount: 0 }
  const { status, updatedAt, jobCount } = node
  return { statuses: new Set([status]), updatedAt, jobCount }
}

function add(parent: Tally, child: Tally): void {
  for (const status of child.statuses) parent.statuses.add(status)
  parent.updatedAt = Math.max(parent.updatedAt, child.updatedAt)
  parent.jobCount += child.jobCount
}

function summed(node: TopologyNode, tally: Tally | undefined): TopologyNode {
  if (tally === undefined) return node
  const { statuses, updatedAt, jobCount } = tally
  return { ...node, status: rollUpStatus(statuses), updatedAt, jobCount }
}
