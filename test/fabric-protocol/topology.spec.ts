import { buildFabricTopology, fabricTopology, rollUp, type NodeStatus } from 'dsh-fabric-protocol'
import { describe, expect, test } from 'vitest'
import { edge, find, lineage, node, outline, seen, session, traffic } from './seen.ts'

function topologyOf(activity: ReturnType<typeof seen>) {
  const sources = { sessions: [session('root', { activity })], selectedSessionId: 'root' }
  return fabricTopology.parse(buildFabricTopology(sources))
}

describe('the tree', () => {
  test('is the session alone where nothing else is', () => {
    const topology = topologyOf(seen([]))

    expect(outline(topology)).toEqual(['Session root'])
    expect(topology.edges).toEqual([])
  })

  test('is absent for an unknown session', () => {
    expect(buildFabricTopology({ sessions: [], selectedSessionId: 'a' })).toBeNull()
  })

  test('has participants, mesh and components, and nested participants below their parent', () => {
    const nested = seen(
      [node('actor', 'imp'), node('job', 'j'), node('agent', 'walk-on')],
      [edge('contains', '$session', 'actor:imp')],
    )
    const activity = seen([
      node('actor', 'mara'),
      node('topic', 'inn'),
      node('state', 'door'),
      node('component', 'clock'),
      node('agent', 'crier'),
    ])
    const sessions = [
      session('root', { activity }),
      session('room', { parentId: 'root' }),
      session('helper', { parentId: 'root', origin: 'subagent', activity: nested }),
      session('deep', { parentId: 'helper' }),
    ]

    expect(outline(buildFabricTopology({ sessions, selectedSessionId: 'deep' }))).toEqual([
      'Session root',
      '  Participants',
      '    Agents',
      '      Session helper',
      '        Session deep',
      '    Sessions',
      '      Session room',
      '        imp',
      '    Actors',
      '      mara',
      '      crier',
      '        walk-on',
      '        j',
      '  Mesh',
      '    Topics',
      '      Project',
      '        inn',
      '    State',
      '      Project state',
      '        door',
      '  Components',
      '    clock',
    ])
  })

  test('never holds workflows, phases, messages and compactions', () => {
    const topology = topologyOf(
      seen([
        node('workflow', 'w'),
        node('phase', 'p'),
        node('message', 'm'),
        node('compaction', 'c'),
      ]),
    )

    expect(outline(topology)).toEqual(['Session root'])
  })

  test('has one structure edge for each node but the root', () => {
    const topology = topologyOf(seen([node('topic', 'a.b.c'), node('actor', 'mara')]))
    const structure = topology.edges.filter(({ role }) => role === 'structure')

    expect(structure).toHaveLength(topology.nodes.length - 1)
    expect(structure.map(({ source, target, kind }) => [source, kind, target])).toContainEqual([
      'group:actors',
      'member',
      'actor:mara',
    ])
  })

  test('does not believe a node that says it is a group or the root', () => {
    const topology = topologyOf(
      seen([
        node('group', 'x'),
        node('main', 'x'),
        { ...node('job', 'x'), id: 'group:mesh' },
        { ...node('topic', 'x'), id: 'session:root' },
        node('topic', 'inn'),
      ]),
    )

    expect(find(topology, 'group:mesh')?.kind).toBe('group')
    expect(find(topology, 'session:root')?.kind).toBe('main')
    expect(outline(topology)).toHaveLength(5)
  })

  test('may be ten thousand deep', () => {
    const sessions = lineage(10_000)
    const topology = buildFabricTopology({ sessions, selectedSessionId: '9999' })

    expect(topology?.nodes).toHaveLength(10_002)
    expect(topology?.edges).toHaveLength(10_001)
  })
})

describe('topics are grouped by name', () => {
  test.each([
    ['fabric.state', ['Fabric', 'state']],
    ['fabric', ['Fabric', 'fabric']],
    ['fabric/agents:log', ['Fabric', 'agents', 'log']],
    ['fabrics.state', ['Project', 'fabrics', 'state']],
    ['inn', ['Project', 'inn']],
    ['scene:inn/1.beats', ['Project', 'scene', 'inn', '1', 'beats']],
    ['.inn..1.', ['Project', 'inn', '1']],
    ['///', ['Project', '///']],
  ])('%s', (name, path) => {
    const lines = outline(topologyOf(seen([node('topic', name)])))

    expect(lines.slice(3).map((line) => line.trim())).toEqual(path)
  })

  test('under one namespace, however it is written', () => {
    const names = ['inn.1', 'inn/2', 'inn']

    expect(outline(topologyOf(seen(names.map((name) => node('topic', name))))).slice(3)).toEqual([
      '      Project',
      '        inn',
      '        inn',
      '          1',
      '          2',
    ])
  })

  test('with their own label where they have one', () => {
    const topology = topologyOf(
      seen([node('topic', 'inn.1', { label: 'The inn' }), node('topic', 'inn.2')]),
    )

    expect(find(topology, 'topic:inn.1')).toMatchObject({ label: 'The inn' })
    expect(find(topology, 'topic:inn.2')).toMatchObject({ label: '2', detail: 'inn.2' })
  })
})

describe('state is grouped by key', () => {
  test.each([
    ['state/current', ['World state', 'current']],
    ['state/complexity/src/a.ts', ['World state', 'complexity', 'src', 'a.ts']],
    ['schema/hypothesis/h1', ['Schema', 'Hypotheses', 'h1']],
    ['schema/hypothesis/by-hand/h1', ['Schema', 'Hypotheses', 'by-hand', 'h1']],
    ['schema/certificate/c1', ['Schema', 'Certificates', 'c1']],
    ['schema/commit-journal/2', ['Schema', 'Commit Journal', '2']],
    ['schema/constructor/2', ['Schema', 'Constructor', '2']],
    ['schema/generation', ['Schema', 'generation']],
    ['state', ['Project state', 'state']],
    ['schema/', ['Project state', 'schema']],
    ['world/inn.1/door', ['Project state', 'world', 'inn.1', 'door']],
  ])('%s', (key, path) => {
    const topology = topologyOf(seen([node('state', key)]))

    expect(
      outline(topology)
        .slice(3)
        .map((line) => line.trim()),
    ).toEqual(path)
    expect(find(topology, `state:${key}`)).toMatchObject({ label: path.at(-1), detail: key })
  })
})

describe('traffic', () => {
  test('is the newest of each kind between two nodes', () => {
    const topology = topologyOf(
      seen(
        [node('topic', 'inn'), node('actor', 'mara')],
        [
          edge('publish', '$session', 'topic:inn', 4),
          edge('publish', '$session', 'topic:inn', 6),
          edge('publish', '$session', 'topic:inn', 5),
          edge('route', 'topic:inn', 'actor:mara', 5),
        ],
      ),
    )

    expect(traffic(topology)).toMatchObject([
      { kind: 'publish', source: 'session:root', target: 'topic:inn', updatedAt: 6 },
      { kind: 'route', source: 'topic:inn', target: 'actor:mara', updatedAt: 5 },
    ])
  })

  test.each([
    ['message:m', 'topic:inn'],
    ['topic:inn', 'message:m'],
  ])('of a publish runs from the owner to the topic: %s to %s', (source, target) => {
    const nodes = [node('topic', 'inn'), node('message', 'm')]

    expect(traffic(topologyOf(seen(nodes, [edge('publish', source, target)])))).toMatchObject([
      { source: 'session:root', target: 'topic:inn' },
    ])
  })

  test('leaves out self loops, structure and unknown ends', () => {
    const topology = topologyOf(
      seen(
        [node('actor', 'mara'), node('message', 'm')],
        [
          edge('message', 'actor:mara', 'actor:mara'),
          edge('message', '$session', 'message:m'),
          edge('message', '$session', 'actor:nobody'),
          edge('message', 'session:nobody', 'actor:mara'),
          edge('contains', '$session', 'actor:mara'),
        ],
      ),
    )

    expect(traffic(topology)).toEqual([])
  })
})

describe('a group shows what is below it', () => {
  test.each<[readonly NodeStatus[], NodeStatus]>([
    [['failed', 'blocked', 'running', 'pending', 'completed', 'idle'], 'failed'],
    [['blocked', 'running', 'pending', 'completed', 'idle'], 'blocked'],
    [['running', 'pending', 'completed', 'idle'], 'running'],
    [['pending', 'completed', 'idle'], 'pending'],
    [['completed', 'idle'], 'idle'],
    [['completed', 'stopped'], 'idle'],
    [['completed', 'completed'], 'completed'],
    [['stopped'], 'idle'],
  ])('%j together are %s', (statuses, status) => {
    const actors = statuses.map((each, index) => node('actor', String(index), { status: each }))
    const topology = topologyOf(seen(actors))

    expect(find(topology, 'group:actors')?.status).toBe(status)
    expect(find(topology, 'group:participants')?.status).toBe(status)
  })

  test('newest time and all jobs, at any depth', () => {
    const sessions = [
      session('root', { jobCount: 100, updatedAt: 50 }),
      session('a', { parentId: 'root', jobCount: 1, updatedAt: 3 }),
      session('b', { parentId: 'root', jobCount: 1, updatedAt: 4 }),
      session('b1', { parentId: 'b', jobCount: 3, updatedAt: 9, running: true }),
      session('b2', { parentId: 'b', updatedAt: 2 }),
      session('c', { parentId: 'root', origin: 'subagent', jobCount: 4, updatedAt: 5 }),
    ]
    const topology = buildFabricTopology({ sessions, selectedSessionId: 'root' })

    expect(find(topology, 'group:sessions')).toMatchObject({
      jobCount: 5,
      updatedAt: 9,
      status: 'running',
    })
    expect(find(topology, 'group:participants')).toMatchObject({ jobCount: 9, updatedAt: 9 })
    expect(find(topology, 'session:root')).toMatchObject({ jobCount: 100, status: 'idle' })
  })
  test('and two groups that hold each other do not hang', () => {
    const [first, second] = (['topics', 'state'] as const).map((group) => {
      const parentId = group === 'topics' ? 'state' : 'topics'
      const empty = { status: 'idle', updatedAt: 0, jobCount: 0 } as const
      return { kind: 'group', id: group, label: group, group, parentId, ...empty } as const
    })
    if (first === undefined || second === undefined) throw new Error('two groups')

    expect(rollUp([first, second])).toEqual([first, second])
  })
})
