/** The branches of what is shared: topics and state by their names, and the components. */
import { statePlace, topicPlace } from './grouping.ts'
import { leafOf } from './leaf.ts'
import { nameOfNode } from './node-ids.ts'
import type { ProjectedNode } from './projection.ts'
import { groupIn, namespaceIn, plant, type Tree } from './tree.ts'

/** Its own label stays; a topic without one shows the last part of its name, and all of it in the detail. */
export function plantTopic(tree: Tree, node: ProjectedNode): void {
  const name = nameOfNode(node)
  const { group, namespaces, leaf } = topicPlace(name)
  const parentId = namespaceIn(tree, group, namespaces)
  const own = node.label !== name && node.label !== node.id
  const shown = own ? {} : { label: leaf, detail: node.detail ?? name }
  plant(tree, leafOf(node, { kind: 'topic', parentId, ...shown }), 'contains')
}

/** The last part of the key is the label, the full key the detail. */
export function plantState(tree: Tree, node: ProjectedNode): void {
  const key = nameOfNode(node)
  const { group, namespaces, leaf } = statePlace(key)
  const parentId = namespaceIn(tree, group, namespaces)
  plant(tree, leafOf(node, { kind: 'state', parentId, label: leaf, detail: key }), 'contains')
}

export function plantComponent(tree: Tree, node: ProjectedNode): void {
  const parentId = groupIn(tree, 'components')
  plant(tree, leafOf(node, { kind: 'component', parentId }), 'contains')
}
