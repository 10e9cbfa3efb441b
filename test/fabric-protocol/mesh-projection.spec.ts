import {
  activityProjection,
  buildFabricTopology,
  projectFabricMeshActivity,
  projectMeshRecords,
  type Authors,
  type MeshRecords,
  type StateChange,
} from 'dsh-fabric-protocol'
import { describe, expect, test } from 'vitest'
import { find, mail, mailbox, outline, session, topicMessage, traffic } from './seen.ts'

function project(records: MeshRecords, authors?: Authors) {
  const projection = activityProjection.parse(projectMeshRecords(records, authors))
  return {
    activities: projection.activities.map(
      ({ kind, action, status, detail }) => `${kind}/${action}/${status}: ${detail}`,
    ),
    nodes: projection.nodes.map(({ id, label, status }) => `${id} (${label}) ${status}`),
    edges: projection.edges.map(({ kind, source, target }) => `${kind} ${source} ${target}`),
  }
}

const inn = { id: 'inn.1', label: 'The inn', by: 'host', createdAt: 1, updatedAt: 9 }
const topic = { ...inn, headSequence: 2 }

function change(sequence: number, fields: Partial<StateChange> = {}): StateChange {
  const at = { sequence, version: sequence, changedAt: 40 + sequence }
  const set: StateChange = { kind: 'set', key: 'door', value: 'hush', by: 'mara', ...at }
  return { ...set, ...fields }
}

describe('records of the mesh show', () => {
  test('a topic and who publishes to whom', () => {
    const topicMessages = [
      topicMessage(1, { cause: 'request-7' }),
      topicMessage(2, { by: 'mara', to: ['ivo'] }),
    ]

    expect(project({ topics: [topic], topicMessages })).toEqual({
      activities: [
        'message/published/completed: inn.1 by mara',
        'message/published/completed: inn.1 by narrator, because of request-7',
        'topic/created/completed: by host',
      ],
      nodes: [
        'agent:host (host) idle',
        'agent:ivo (ivo) idle',
        'agent:mara (mara) idle',
        'agent:narrator (narrator) idle',
        'topic:inn.1 (The inn) idle',
      ],
      edges: [
        'contains agent:host topic:inn.1',
        'publish agent:mara topic:inn.1',
        'publish agent:narrator topic:inn.1',
        'route topic:inn.1 agent:ivo',
      ],
    })
  })

  test('a mailbox as an actor, its senders and its worker', () => {
    const records = {
      mailboxes: [mailbox('mara', { label: 'Mara', queued: 1, claimed: 1 }), mailbox('narrator')],
      mailboxMessages: [mail(1, 'claimed'), mail(2, 'queued')],
    }

    expect(project(records, new Map([['worker', 'session:m']]))).toEqual({
      activities: [
        'message/claimed/running: mara by narrator',
        'message/sent/pending: mara by narrator',
        'actor/created/completed: by host',
        'actor/created/completed: by host',
      ],
      nodes: [
        'actor:mara (Mara) running',
        'actor:narrator (narrator) idle',
        'agent:host (host) idle',
      ],
      edges: [
        'contains agent:host actor:mara',
        'contains agent:host actor:narrator',
        'message actor:narrator actor:mara',
        'route actor:mara session:m',
      ],
    })
  })

  test.each([
    [{ claimed: 1, queued: 1, failed: 1 }, 'running'],
    [{ queued: 1, failed: 1 }, 'pending'],
    [{ failed: 1, completed: 5 }, 'failed'],
    [{ completed: 5 }, 'idle'],
  ])('a mailbox with %j as %s', (counts, status) => {
    const { nodes } = project({ mailboxes: [mailbox('mara', counts)] })

    expect(nodes).toContain(`actor:mara (mara) ${status}`)
  })

  test.each([
    [mail(1, 'queued'), 'message/sent/pending'],
    [mail(1, 'queued', { attempts: 1 }), 'message/released/pending'],
    [mail(1, 'claimed', { attempts: 1 }), 'message/claimed/running'],
    [mail(1, 'completed', { attempts: 1 }), 'message/completed/completed'],
    [mail(1, 'failed', { attempts: 1 }), 'message/failed/failed'],
  ])('a message in its stage', (message, said) => {
    expect(project({ mailboxMessages: [message] }).activities).toEqual([
      `${said}: mara by narrator`,
    ])
  })

  test('places whose own record is not at hand', () => {
    const messages = [mail(1, 'failed'), mail(2, 'claimed'), mail(3, 'completed')]
    const { nodes } = project({ topicMessages: [topicMessage(1)], mailboxMessages: messages })

    expect(nodes).toContain('actor:mara (mara) running')
    expect(nodes).toContain('topic:inn.1 (inn.1) idle')
  })

  test('who changed state, and because of what', () => {
    const stateChanges = [change(1), change(2, { by: 'ivo', cause: 'cue-3' })]

    expect(project({ stateChanges })).toEqual({
      activities: [
        'state/compare-and-swap/completed: revision 2 by ivo, because of cue-3',
        'state/compare-and-swap/completed: revision 1 by mara',
      ],
      nodes: ['agent:ivo (ivo) idle', 'agent:mara (mara) idle', 'state:door (door) idle'],
      edges: ['state agent:ivo state:door', 'state agent:mara state:door'],
    })
  })

  test('no key that was deleted, whatever the clocks say', () => {
    const states = [{ key: 'door', version: 1, value: 'hush', by: 'mara', updatedAt: 900 }]
    const stateChanges = [change(2, { kind: 'deleted' })]

    expect(project({ states, stateChanges }).nodes).toEqual(['agent:mara (mara) idle'])
    expect(project({ states, stateChanges }).activities).toEqual([
      'state/deleted/completed: revision 2 by mara',
    ])
    expect(project({ states, stateChanges: [...stateChanges, change(3)] }).nodes).toContain(
      'state:door (door) idle',
    )
  })
})

test('an author without a mailbox is as new as the last thing it wrote', () => {
  const times = [5, 9, 7].map((publishedAt, index) => topicMessage(index + 1, { publishedAt }))
  const others = [7, 3].map((publishedAt, index) =>
    topicMessage(1, { topicId: `stable-${index}`, publishedAt }),
  )
  const { nodes } = projectMeshRecords({ topicMessages: [...times, ...others] })

  expect(nodes.find(({ id }) => id === 'agent:narrator')?.updatedAt).toBe(9)
})

test('messages of one millisecond stay in the order of their topic', () => {
  const topicMessages = [2, 10, 1, 9].map((sequence) => topicMessage(sequence, { publishedAt: 5 }))
  const { activities } = projectMeshRecords({ topicMessages })

  expect(activities.map(({ label }) => label)).toEqual([
    'Message beat-10',
    'Message beat-9',
    'Message beat-2',
    'Message beat-1',
  ])
})

test('a record and the tool result about it are the same node and the same activity', () => {
  const message = topicMessage(3)
  const [fromRecord] = projectMeshRecords({ topicMessages: [message] }).activities
  const fromTool = projectFabricMeshActivity({
    action: 'publish',
    args: { topic_id: 'inn.1' },
    result: message,
    fallbackTime: 0,
  })

  expect(fromTool?.activity.id).toBe(fromRecord?.id)
  expect(fromTool?.activity.nodeId).toBe(fromRecord?.nodeId)
  expect(fromTool?.activity.updatedAt).toBe(fromRecord?.updatedAt)
})

test('no payload, value, result or error is shown', () => {
  const shown = projectMeshRecords({
    topicMessages: [topicMessage(1)],
    stateChanges: [change(1)],
    states: [{ key: 'window', version: 1, value: 'hush', by: 'mara', updatedAt: 1 }],
    mailboxMessages: [
      mail(1, 'queued'),
      mail(2, 'claimed'),
      mail(3, 'completed'),
      mail(4, 'failed'),
    ],
  })

  expect(shown.activities).toHaveLength(6)
  expect(JSON.stringify(shown)).not.toContain('hush')
})

describe('the topology of the mesh itself', () => {
  const authors = new Map([['character:mara', 'session:m']])
  const sources = (records: MeshRecords) => ({
    sessions: [session('seat'), session('m', { parentId: 'seat', label: 'Mara at the inn' })],
    selectedSessionId: 'seat',
    mesh: projectMeshRecords(records, authors),
  })

  test('needs no tool result of any session', () => {
    const topology = buildFabricTopology(
      sources({
        topics: [topic],
        topicMessages: [topicMessage(1), topicMessage(2, { by: 'character:mara' })],
        mailboxes: [
          mailbox('narrator', { by: 'narrator' }),
          mailbox('mara', { by: 'character:mara', label: 'Mara' }),
        ],
        mailboxMessages: [mail(1, 'claimed')],
        stateChanges: [change(1, { key: 'world/door', by: 'character:mara' })],
      }),
    )

    expect(outline(topology)).toEqual([
      'Session seat',
      '  Participants',
      '    Sessions',
      '      Mara at the inn',
      '        Mara',
      '    Actors',
      '      narrator',
      '    Agents',
      '      host',
      '      worker',
      '  Mesh',
      '    Topics',
      '      Project',
      '        inn',
      '          The inn',
      '    State',
      '      Project state',
      '        world',
      '          door',
    ])
    expect(traffic(topology).map((each) => `${each.kind} ${each.source} ${each.target}`)).toEqual([
      'message actor:narrator actor:mara',
      'publish actor:narrator topic:inn.1',
      'publish session:m topic:inn.1',
      'route actor:mara agent:worker',
      'state session:m state:world/door',
    ])
  })

  test('keeps quiet topics, actors and labels after thousands of messages', () => {
    const topicMessages = Array.from({ length: 5_000 }, (_, index) => topicMessage(index + 1))
    const quiet = { ...topic, id: 'cellar', label: 'The cellar' }
    const topology = buildFabricTopology(
      sources({ topics: [topic, quiet], topicMessages, mailboxes: [mailbox('mara')] }),
    )

    expect(find(topology, 'topic:inn.1')?.label).toBe('The inn')
    expect(find(topology, 'topic:cellar')?.label).toBe('The cellar')
    expect(find(topology, 'actor:mara')).toBeDefined()
    expect(traffic(topology)).toHaveLength(1)
  })
})
