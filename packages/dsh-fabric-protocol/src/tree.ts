/** A tree that grows from its root: each node once, below a node that is already there. */
import { fabricEdgeOf, type FabricEdge } from './edge.ts'
import type { EdgeKind, GroupKind } from './graph-words.ts'
import type { Namespace } from './grouping.ts'
import { groupNodeId } from './node-ids.ts'
import type { TopologyNode } from './topology-records.ts'

type Root = Extract<TopologyNode, { kind: 'main' }>
type Child = Exclude<TopologyNode, Root>

export interface Tree {
  readonly root: Root
  /** By id, a parent before its children. */
  readonly nodes: Map<string, TopologyNode>
  readonly edges: FabricEdge[]
}

export function plantRoot(root: Root): Tree {
  return { root, nodes: new Map([[root.id, root]]), edges: [] }
}

/** Does nothing for an id that is there, or a parent that is not. */
export function plant(tree: Tree, node: Child, kind: EdgeKind): void {
  if (tree.nodes.has(node.id) || !tree.nodes.has(node.parentId)) return
  tree.nodes.set(node.id, node)
  tree.edges.push(fabricEdgeOf(kind, { source: node.parentId, target: node.id }))
}

const groups: Readonly<
  Record<Exclude<GroupKind, 'namespace'>, { label: string; parent?: GroupKind }>
> = {
  participants: { label: 'Participants' },
  sessions: { label: 'Sessions', parent: 'participants' },
  agents: { label: 'Agents', parent: 'participants' },
  actors: { label: 'Actors', parent: 'participants' },
  mesh: { label: 'Mesh' },
  topics: { label: 'Topics', parent: 'mesh' },
  'topic-fabric': { label: 'Fabric', parent: 'topics' },
  'topic-project': { label: 'Project', parent: 'topics' },
  state: { label: 'State', parent: 'mesh' },
  'state-world': { label: 'World state', parent: 'state' },
  'state-schema': { label: 'Schema', parent: 'state' },
  'state-project': { label: 'Project state', parent: 'state' },
  components: { label: 'Components' },
}

/** The group's id; it and the groups above it are planted unless they are there. */
export function groupIn(tree: Tree, group: GroupKind): string {
  if (group === 'namespace') throw new Error('a namespace is planted with namespaceIn')
  const id = groupNodeId(group)
  const { label, parent } = groups[group]
  const parentId = parent === undefined ? tree.root.id : groupIn(tree, parent)
  plantGroup(tree, { id, label, group, parentId })
  return id
}

/** The id of the innermost namespace of a path below a group; the group's own for an empty path. */
export function namespaceIn(tree: Tree, group: GroupKind, path: readonly Namespace[]): string {
  let parentId = groupIn(tree, group)
  const segments: string[] = []
  for (const { segment, label } of path) {
    segments.push(segment)
    const id = groupNodeId(group, segments)
    plantGroup(tree, { id, label, group: 'namespace', parentId })
    parentId = id
  }
  return parentId
}

interface GroupFields {
  readonly id: string
  readonly label: string
  readonly group: GroupKind
  readonly parentId: string
}

/** Its status, time and jobs are empty until they are rolled up. */
function plantGroup(tree: Tree, fields: GroupFields): void {
  plant(tree, { kind: 'group', ...fields, status: 'idle', updatedAt: 0, jobCount: 0 }, 'contains')
}
