import { buildLineageGraph, fabricSessionNodeId, lineageGraph } from 'dsh-fabric-protocol'
import { expect, test } from 'vitest'
import { edge, lineage, node, seen, session } from './seen.ts'

function drawn(...args: Parameters<typeof buildLineageGraph>) {
  const { nodes, edges } = lineageGraph.parse(buildLineageGraph(...args))
  return {
    nodes: nodes.map(({ id, kind }) => `${kind} ${id}`),
    edges: edges.map(({ kind, source, target }) => `${kind} ${source} ${target}`),
  }
}

test('a session node is named after its session', () => {
  expect(fabricSessionNodeId('a:b')).toBe('session:a:b')
})

test('an unknown session has no lineage', () => {
  expect(buildLineageGraph({ sessions: [], selectedSessionId: 'a' })).toBeNull()
})

test('sessions are main, session or subagent, each an edge below its parent', () => {
  const sessions = [
    session('root'),
    session('branch', { parentId: 'root' }),
    session('helper', { parentId: 'branch', origin: 'subagent' }),
  ]

  expect(drawn({ sessions, selectedSessionId: 'helper' })).toEqual({
    nodes: ['main session:root', 'session session:branch', 'subagent session:helper'],
    edges: ['parent session:branch session:helper', 'parent session:root session:branch'],
  })
})

test('what sessions saw hangs on them, messages and workflows too', () => {
  const activity = seen(
    [node('topic', 'inn'), node('message', 'm'), node('workflow', 'w')],
    [
      edge('publish', '$session', 'topic:inn', 1),
      edge('contains', 'topic:inn', 'message:m', 1),
      edge('contains', '$session', 'workflow:w', 1),
      edge('contains', '$session', 'workflow:gone', 1),
    ],
  )

  expect(drawn({ sessions: [session('a', { activity })], selectedSessionId: 'a' })).toEqual({
    nodes: ['main session:a', 'message message:m', 'topic topic:inn', 'workflow workflow:w'],
    edges: [
      'contains session:a workflow:w',
      'contains topic:inn message:m',
      'publish session:a topic:inn',
    ],
  })
})

test('a node that says it is a group, the root or a known session is not believed', () => {
  const fakes = [
    { ...node('group', 'x'), id: 'foreign' },
    node('main', 'x'),
    { ...node('job', 'x'), id: 'group:x' },
    { ...node('topic', 'x'), id: 'session:a' },
  ]
  const sessions = [session('a', { activity: seen(fakes) })]

  expect(drawn({ sessions, selectedSessionId: 'a' }).nodes).toEqual(['main session:a'])
})

test('an agent that runs in a session of the family is that session', () => {
  const activity = seen(
    [node('workflow', 'w'), node('agent', 'worker', { sessionId: 'b' })],
    [edge('member', 'workflow:w', 'agent:worker')],
  )
  const sessions = [session('a', { activity }), session('b', { parentId: 'a' })]

  expect(drawn({ sessions, selectedSessionId: 'a' })).toEqual({
    nodes: ['main session:a', 'session session:b', 'workflow workflow:w'],
    edges: ['member workflow:w session:b', 'parent session:a session:b'],
  })
})

test('a cycle of parents has one edge less than it has sessions', () => {
  const sessions = [session('b', { parentId: 'a' }), session('a', { parentId: 'b' })]

  expect(drawn({ sessions, selectedSessionId: 'b' }).edges).toEqual(['parent session:a session:b'])
})

test('the newest of several equal edges stays, and none from a node to itself', () => {
  const activity = seen(
    [node('topic', 'inn')],
    [
      edge('publish', '$session', 'topic:inn', 3),
      edge('publish', 'session:a', 'topic:inn', 5),
      edge('publish', '$session', 'topic:inn'),
      edge('message', '$session', 'session:a', 9),
    ],
  )
  const graph = buildLineageGraph({
    sessions: [session('a', { activity })],
    selectedSessionId: 'a',
  })

  expect(graph?.edges.map(({ kind, updatedAt }) => [kind, updatedAt])).toEqual([['publish', 5]])
})

test('ten thousand generations do not overflow', () => {
  const graph = buildLineageGraph({ sessions: lineage(10_000), selectedSessionId: '5000' })

  expect(graph?.nodes).toHaveLength(10_000)
  expect(graph?.edges).toHaveLength(9_999)
})
