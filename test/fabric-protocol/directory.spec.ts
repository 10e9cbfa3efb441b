import {
  buildParticipantDirectory,
  participantDirectory,
  type ActivityProjection,
  type FabricSources,
  type SessionInput,
} from 'dsh-fabric-protocol'
import { describe, expect, test } from 'vitest'
import { edge, lineage, node, seen, session } from './seen.ts'

function participants(sources: FabricSources) {
  const directory = buildParticipantDirectory(sources)
  return participantDirectory.parse(directory).participants
}

function names(sessions: readonly SessionInput[], selectedSessionId: string): readonly string[] {
  return participants({ sessions, selectedSessionId }).map(({ id }) => id.replace('session:', ''))
}

function family(one: ActivityProjection, two: ActivityProjection): readonly SessionInput[] {
  return [
    session('root'),
    session('one', { parentId: 'root', activity: one }),
    session('two', { parentId: 'root', activity: two }),
  ]
}

function actors(sources: FabricSources) {
  return participants(sources).filter(({ kind }) => kind === 'actor')
}

describe('the sessions of a directory', () => {
  test('start at the oldest known ancestor of the selected one', () => {
    const sessions = [
      session('child', { parentId: 'root' }),
      session('root', { parentId: 'forgotten' }),
      session('grandchild', { parentId: 'child' }),
      session('stranger'),
    ]

    expect(names(sessions, 'grandchild')).toEqual(['root', 'child', 'grandchild'])
    expect(names(sessions, 'stranger')).toEqual(['stranger'])
  })

  test('are no sessions when the selected one is unknown', () => {
    const sources = { sessions: [session('root')], selectedSessionId: 'nobody' }

    expect(buildParticipantDirectory(sources)).toBeNull()
  })

  test.each(['b', 'c', 'tail'])('begin a cycle at its smallest id, entered at %s', (selected) => {
    const sessions = [
      session('c', { parentId: 'b' }),
      session('b', { parentId: 'd' }),
      session('d', { parentId: 'c' }),
      session('tail', { parentId: 'c' }),
      session('a', { parentId: 'tail' }),
    ]

    expect(names(sessions, selected)).toEqual(['b', 'c', 'd', 'tail', 'a'])
    expect(participants({ sessions, selectedSessionId: selected })[0]).not.toHaveProperty(
      'parentId',
    )
  })

  test('may be their own parent', () => {
    expect(names([session('a', { parentId: 'a' })], 'a')).toEqual(['a'])
  })

  test('come parent first and siblings by id', () => {
    const sessions = ['b', 'a', 'a2', 'b1', 'B'].map((id) => {
      const parentId = { a2: 'a', b1: 'b' }[id] ?? 'root'
      return session(id, { parentId })
    })

    expect(names([...sessions, session('root')], 'root')).toEqual([
      'root',
      'B',
      'a',
      'a2',
      'b',
      'b1',
    ])
  })

  test('may be ten thousand deep', () => {
    const deep = names(lineage(10_000), '9999')

    expect(deep).toHaveLength(10_000)
    expect(deep.at(-1)).toBe('9999')
  })

  test('stand once each, as the newest input says', () => {
    const sessions = [session('a', { updatedAt: 2, label: 'New' }), session('a', { label: 'Old' })]

    expect(participants({ sessions, selectedSessionId: 'a' })).toMatchObject([{ name: 'New' }])
  })
})

test('a session participant carries what is known of the session', () => {
  const child = session('child', {
    parentId: 'root',
    origin: 'subagent',
    updatedAt: 7,
    cwd: '/inn',
    preset: 'mara',
    jobCount: 2,
    tokens: 30,
    durationMs: 40,
  })

  expect(
    participants({ sessions: [session('root'), child], selectedSessionId: 'root' }),
  ).toStrictEqual([
    {
      format: 1,
      id: 'session:root',
      kind: 'root',
      rootId: 'session:root',
      name: 'Session root',
      status: 'idle',
      residency: 'session',
      capabilities: ['open-session'],
      source: 'session-mirror',
      updatedAt: 1,
      sessionId: 'root',
      jobCount: 0,
    },
    {
      format: 1,
      id: 'session:child',
      kind: 'agent',
      rootId: 'session:root',
      parentId: 'session:root',
      name: 'Session child',
      status: 'idle',
      residency: 'session',
      capabilities: ['open-session'],
      source: 'session-mirror',
      updatedAt: 7,
      sessionId: 'child',
      cwd: '/inn',
      preset: 'mara',
      jobCount: 2,
      tokens: 30,
      durationMs: 40,
    },
  ])
})

test.each([
  [{ blocked: true, running: true, completed: true }, 'blocked'],
  [{ running: true, completed: true }, 'running'],
  [{ completed: true }, 'completed'],
  [{}, 'idle'],
])('a session that is %j is %s', (fields, status) => {
  const sources = { sessions: [session('a', fields)], selectedSessionId: 'a' }

  expect(participants(sources)[0]?.status).toBe(status)
})

describe('the actors of a directory', () => {
  test('come after the sessions, by name and then by id', () => {
    const nodes = [
      node('actor', '1', { label: 'Tess' }),
      node('actor', '3', { label: 'Ivo' }),
      node('actor', '2', { label: 'Ivo' }),
    ]
    const sessions = family(seen(nodes), seen([]))

    expect(participants({ sessions, selectedSessionId: 'root' }).map(({ id }) => id)).toEqual([
      'session:root',
      'session:one',
      'session:two',
      'actor:2',
      'actor:3',
      'actor:1',
    ])
  })

  test('are owned by the session that contains them, whoever saw them last', () => {
    const contained = seen(
      [node('actor', 'mara', { label: 'Mara', updatedAt: 1 })],
      [edge('contains', '$session', 'actor:mara', 1)],
    )
    const later = seen([node('actor', 'mara', { updatedAt: 9, status: 'running', detail: 'busy' })])

    expect(actors({ sessions: family(contained, later), selectedSessionId: 'root' })).toStrictEqual(
      [
        {
          format: 1,
          id: 'actor:mara',
          kind: 'actor',
          rootId: 'session:root',
          parentId: 'session:one',
          name: 'Mara',
          status: 'running',
          residency: 'durable',
          capabilities: ['send-message'],
          source: 'fabric-actor',
          updatedAt: 9,
          sessionId: 'one',
          jobCount: 0,
          detail: 'busy',
        },
      ],
    )
  })

  test('are owned by the newest sighting where nobody contains them', () => {
    const earlier = seen([node('actor', 'mara', { updatedAt: 4 })])
    const later = seen([node('actor', 'mara', { updatedAt: 5 })])

    expect(
      actors({ sessions: family(earlier, later), selectedSessionId: 'root' })[0]?.parentId,
    ).toBe('session:two')
    expect(
      actors({ sessions: family(later, earlier), selectedSessionId: 'root' })[0]?.parentId,
    ).toBe('session:one')
    expect(actors({ sessions: family(later, later), selectedSessionId: 'root' })[0]?.parentId).toBe(
      'session:one',
    )
  })

  test('that only the mesh knows are owned by the root', () => {
    const mesh = seen([node('actor', 'mara', { label: 'Mara' })])
    const sessions = family(seen([]), seen([]))

    expect(actors({ sessions, selectedSessionId: 'two', mesh })).toMatchObject([
      { name: 'Mara', parentId: 'session:root' },
    ])
  })

  test('are as the mesh says, even where a session saw them later', () => {
    const mesh = seen(
      [node('actor', 'mara', { status: 'failed', updatedAt: 1 })],
      [edge('contains', 'session:two', 'actor:mara', 1)],
    )
    const later = seen([node('actor', 'mara', { label: 'Mara', status: 'idle', updatedAt: 9 })])

    expect(
      actors({ sessions: family(later, seen([])), selectedSessionId: 'root', mesh }),
    ).toMatchObject([{ name: 'Mara', status: 'failed', parentId: 'session:two' }])
  })

  test('of another family are not listed', () => {
    const stranger = session('stranger', { activity: seen([node('actor', 'mara')]) })
    const sessions = [...family(seen([]), seen([])), stranger]

    expect(actors({ sessions, selectedSessionId: 'root' })).toEqual([])
  })
})
