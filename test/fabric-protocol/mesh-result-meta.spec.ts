import {
  FABRIC_MESH_RESULT_META_KIND,
  FABRIC_MESH_RESULT_META_VERSION,
  fabricMeshResultMeta,
  projectFabricMeshActivity,
  readFabricMeshResultMeta,
} from 'dsh-fabric-protocol'
import { describe, expect, test } from 'vitest'

const projection = projectFabricMeshActivity({
  action: 'publish',
  args: { topic_id: 'inn.1' },
  result: { id: 'beat-1', topicId: 'inn.1', publishedAt: 5 },
  fallbackTime: 1,
})
if (projection === undefined) throw new Error('a publish projects')
const meta = fabricMeshResultMeta(projection)

test('metadata says its kind and version', () => {
  expect(FABRIC_MESH_RESULT_META_KIND).toBe('dsh-fabric.mesh-result')
  expect(FABRIC_MESH_RESULT_META_VERSION).toBe(1)
  expect(meta).toEqual({ kind: 'dsh-fabric.mesh-result', version: 1, ...projection })
})

test('metadata reads back the same after JSON', () => {
  const [first, ...others] = meta.nodes
  const sent = { ...meta, nodes: [{ ...first, updatedAt: 3, detail: 'quiet' }, ...others] }

  expect(readFabricMeshResultMeta(JSON.parse(JSON.stringify(sent)))).toStrictEqual(sent)
})

test('a node from a log of old, without a time, has the time of its activity', () => {
  const nodes = meta.nodes.map(({ id, kind, label, status }) => ({ id, kind, label, status }))
  const legacy = { ...meta, nodes }

  expect(readFabricMeshResultMeta(legacy)).toEqual(meta)
})

describe('metadata is refused as a whole', () => {
  const { activity, nodes, edges } = meta
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['text', 'dsh-fabric.mesh-result'],
    ['another kind', { ...meta, kind: 'dsh-fabric.other' }],
    ['another version', { ...meta, version: 2 }],
    ['a version as text', { ...meta, version: '1' }],
    ['no activity', { ...meta, activity: undefined }],
    ['an unknown activity kind', { ...meta, activity: { ...activity, kind: 'rumour' } }],
    ['an unknown activity status', { ...meta, activity: { ...activity, status: 'lost' } }],
    ['an activity at NaN', { ...meta, activity: { ...activity, updatedAt: Number.NaN } }],
    ['an activity at infinity', { ...meta, activity: { ...activity, updatedAt: Infinity } }],
    ['an activity before time', { ...meta, activity: { ...activity, updatedAt: -1 } }],
    ['an unknown node kind', { ...meta, nodes: [{ ...nodes[0], kind: 'tavern' }] }],
    ['an unknown node status', { ...meta, nodes: [{ ...nodes[0], status: 'asleep' }] }],
    ['a node at NaN', { ...meta, nodes: [{ ...nodes[0], updatedAt: Number.NaN }] }],
    ['a node without an id', { ...meta, nodes: [{ ...nodes[0], id: '' }] }],
    ['an unknown edge kind', { ...meta, edges: [{ ...edges[0], kind: 'gossip' }] }],
    ['an edge at NaN', { ...meta, edges: [{ ...edges[0], updatedAt: Number.NaN }] }],
    ['edges that are no list', { ...meta, edges: {} }],
  ])('%s', (_, value) => {
    expect(readFabricMeshResultMeta(value)).toBeUndefined()
  })
})
