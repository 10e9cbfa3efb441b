import {
  activityKind,
  edgeKind,
  edgeRole,
  groupKind,
  nodeKind,
  nodeStatus,
  roleOf,
} from 'dsh-fabric-protocol'
import { expect, test } from 'vitest'

test('the words are closed', () => {
  expect(nodeKind.options.join(' ')).toBe(
    'main group session agent subagent workflow phase job actor topic message state component compaction',
  )
  expect(nodeStatus.options.join(' ')).toBe('pending running idle completed failed blocked stopped')
  expect(edgeKind.options.join(' ')).toBe('parent contains member publish message state route')
  expect(edgeRole.options.join(' ')).toBe('structure traffic')
  expect(activityKind.options.join(' ')).toBe(
    'session workflow phase agent mesh topic state actor message compaction',
  )
  expect(groupKind.options.join(' ')).toBe(
    'participants sessions agents actors mesh topics topic-fabric topic-project state state-world state-schema state-project components namespace',
  )
})

test('an edge is structure or traffic by its kind', () => {
  const structure = edgeKind.options.filter((kind) => roleOf(kind) === 'structure')

  expect(structure).toEqual(['parent', 'contains', 'member'])
})
