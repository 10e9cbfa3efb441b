/** The branch of those who act: sessions, subagents, actors, and agents that have no session. */
import { leafOf } from './leaf.ts'
import { fabricSessionNodeId } from './node-ids.ts'
import type { ParticipantRecord } from './participant.ts'
import { present } from './present.ts'
import type { SightedNode } from './sightings.ts'
import type { TopologyLeaf } from './topology-records.ts'
import { groupIn, plant, type Tree } from './tree.ts'

const places = {
  session: { kind: 'session', group: 'sessions' },
  agent: { kind: 'subagent', group: 'agents' },
  actor: { kind: 'actor', group: 'actors' },
} as const

/** The root is the tree's root already. */
export function plantParticipant(tree: Tree, participant: ParticipantRecord): void {
  if (participant.kind === 'root') return
  const { kind, group } = places[participant.kind]
  const { id, name, status, updatedAt, jobCount, sessionId, detail } = participant
  const parentId = participant.parentId ?? tree.root.id
  const fields = { kind, id, label: name, status, updatedAt, jobCount, sessionId, detail }
  plantMember(tree, present({ ...fields, parentId }), group)
}

/** Agents and jobs that are in no directory, below the session that owns them. */
export function plantUnlisted(tree: Tree, { node, ownerId }: SightedNode): void {
  const { kind } = node
  const parentId = fabricSessionNodeId(ownerId)
  if (kind === 'job') return plant(tree, leafOf(node, { kind, parentId }), 'contains')
  if (kind === 'session') return plantMember(tree, leafOf(node, { kind, parentId }), 'sessions')
  if (kind !== 'agent' && kind !== 'subagent') return
  plantMember(tree, leafOf(node, { kind, parentId }), 'agents')
}

/** Below its real parent, or in its group when that is the root. */
function plantMember(tree: Tree, leaf: TopologyLeaf, group: 'sessions' | 'agents' | 'actors') {
  if (leaf.parentId !== tree.root.id) return plant(tree, leaf, 'parent')
  plant(tree, { ...leaf, parentId: groupIn(tree, group) }, 'member')
}
