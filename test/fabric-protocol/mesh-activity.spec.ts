import { activityProjection, projectFabricMeshActivity } from 'dsh-fabric-protocol'
import { describe, expect, test } from 'vitest'

function project(action: string, result: unknown, args: unknown = {}) {
  const projected = projectFabricMeshActivity({ action, args, result, fallbackTime: 99 })
  if (projected === undefined) return undefined
  const { activity, nodes, edges } = projected
  activityProjection.parse({ activities: [activity], nodes, edges })
  return {
    said: `${activity.kind}/${activity.action}/${activity.status}`,
    detail: activity.detail,
    at: activity.updatedAt,
    nodes: nodes.map(({ id, label, status }) => `${id} (${label}) ${status}`),
    edges: edges.map(({ kind, source, target }) => `${kind} ${source} ${target}`),
  }
}

describe('a mesh call shows', () => {
  test('a topic being made', () => {
    expect(project('create_topic', { id: 'inn.1', label: 'The inn', createdAt: 5 })).toEqual({
      said: 'topic/created/completed',
      detail: undefined,
      at: 5,
      nodes: ['topic:inn.1 (The inn) idle'],
      edges: ['contains $session topic:inn.1'],
    })
  })

  test('a message being published', () => {
    const result = { id: '0123456789ab', topicId: 'inn.1', publishedAt: 6, payload: 'secret' }

    expect(project('publish', result)).toEqual({
      said: 'message/published/completed',
      detail: 'inn.1',
      at: 6,
      nodes: [
        'topic:inn.1 (inn.1) idle',
        'message:topic:inn.1/0123456789ab (Message 01234567) completed',
      ],
      edges: [
        'contains topic:inn.1 message:topic:inn.1/0123456789ab',
        'publish $session topic:inn.1',
      ],
    })
  })

  test.each([
    [{ deleted: 3, retained: 2 }, '3 deleted, 2 retained'],
    [{ deleted: 0 }, '0 deleted'],
    [{ retained: 2 }, '2 retained'],
  ])('a topic being pruned: %j', (result, detail) => {
    expect(project('prune_topic', result, { topic_id: 'inn.1' })).toEqual({
      said: 'topic/pruned/completed',
      detail,
      at: 99,
      nodes: [],
      edges: [],
    })
  })

  test('state being swapped', () => {
    const result = { key: 'world/door', version: 4, value: 'secret', updatedAt: 8 }

    expect(project('cas_state', result)).toEqual({
      said: 'state/compare-and-swap/completed',
      detail: 'revision 4',
      at: 8,
      nodes: ['state:world/door (world/door) idle'],
      edges: ['state $session state:world/door'],
    })
    expect(project('cas_state', { status: 'swapped', record: result, replayed: false })).toEqual(
      project('cas_state', result),
    )
  })

  test('state being deleted', () => {
    expect(project('delete_state', { key: 'door', version: 4, deleted: true })).toMatchObject({
      said: 'state/deleted/completed',
      detail: 'revision 4',
      nodes: ['state:door (door) stopped'],
    })
  })

  test('an actor being made', () => {
    expect(project('create_actor', { id: 'mara', label: 'Mara', updatedAt: 5 })).toEqual({
      said: 'actor/created/completed',
      detail: undefined,
      at: 5,
      nodes: ['actor:mara (Mara) idle'],
      edges: ['contains $session actor:mara'],
    })
  })

  test.each([
    [
      'send_actor',
      {},
      'message/sent/pending',
      'actor:mara (mara) pending',
      ['message $session actor:mara'],
    ],
    [
      'claim_actor_message',
      {},
      'message/claimed/running',
      'actor:mara (mara) running',
      ['route actor:mara $session'],
    ],
    [
      'settle_actor_message',
      { status: 'completed' },
      'message/completed/completed',
      'actor:mara (mara) idle',
      [],
    ],
    [
      'settle_actor_message',
      { status: 'failed', error: 'secret' },
      'message/failed/failed',
      'actor:mara (mara) failed',
      [],
    ],
    [
      'wait',
      { status: 'claimed' },
      'message/claimed/running',
      'actor:mara (mara) running',
      ['route actor:mara $session'],
    ],
    ['extend_claim', {}, 'message/extended/running', 'actor:mara (mara) running', []],
    [
      'release_actor_message',
      { status: 'queued' },
      'message/released/pending',
      'actor:mara (mara) pending',
      [],
    ],
    [
      'release_actor_message',
      { status: 'dead', reason: 'secret' },
      'message/dead/failed',
      'actor:mara (mara) failed',
      [],
    ],
  ])('a message in its life: %s %j', (action, outcome, said, actor, edges) => {
    const result = { id: 'cue-1', actorId: 'mara', createdAt: 7, ...outcome }
    const status = said.split('/')[2] ?? ''

    expect(project(action, result)).toEqual({
      said,
      detail: 'mara',
      at: 7,
      nodes: [actor, `message:actor:mara/cue-1 (Message cue-1) ${status}`],
      edges: ['contains actor:mara message:actor:mara/cue-1', ...edges],
    })
  })

  test('a mailbox being pruned', () => {
    const pruned = project('prune_mailbox', { deleted: 1, retained: 0 }, { actor_id: 'mara' })

    expect(pruned?.said).toBe('actor/pruned/completed')
    expect(pruned?.detail).toBe('1 deleted, 0 retained')
  })
})

test('the stages of one message are one activity', () => {
  const result = { id: 'cue-1', mailboxId: 'mara', sequence: 7, status: 'completed' }
  const ids = ['send_actor', 'claim_actor_message', 'settle_actor_message'].map(
    (action) =>
      projectFabricMeshActivity({ action, args: {}, result, fallbackTime: 1 })?.activity.id,
  )

  expect(new Set(ids)).toEqual(new Set(['actor:mara#0000000000000007']))
})

test('a claim that carries its token beside the message shows the message', () => {
  const message = { id: 'cue-1', mailboxId: 'mara', sequence: 1, sentAt: 3, claimedAt: 4 }
  const claimed = project('claim_actor_message', { message, token: 'secret-token' })

  expect(claimed?.said).toBe('message/claimed/running')
  expect(claimed?.at).toBe(4)
})

describe('a mesh call shows nothing', () => {
  test.each<[string, unknown, unknown?]>([
    ['snapshot', { topics: [] }],
    ['read_topic', [{ id: 'beat-1', topicId: 'inn.1' }]],
    ['get_state', { key: 'door', version: 1 }],
    ['read_mailbox', []],
    ['list_state', [{ key: 'door', version: 1 }]],
    ['wait', []],
    ['wait', null],
    ['wait', [{ id: 'beat-1', topicId: 'inn.1' }]],
    ['wait', { id: 'cue-1', actorId: 'mara', status: 'completed' }],
    ['release_actor_message', { id: 'cue-1', actorId: 'mara', status: 'completed' }],
    ['delete_state', { version: 3 }],
    ['levitate', { id: 'x', topicId: 'y' }],
    ['constructor', { id: 'x' }],
    ['claim_actor_message', null],
    ['create_topic', { label: 'The inn' }],
    ['create_actor', { id: '', label: 'Mara' }],
    ['create_actor', { id: 'm'.repeat(257) }],
    ['publish', { topicId: 'inn.1' }],
    ['publish', { id: 'beat-1' }],
    ['publish', { id: 7, topicId: 'inn.1' }],
    ['prune_topic', { deleted: 1 }],
    ['prune_topic', {}, { topic_id: 'inn.1' }],
    ['cas_state', { key: 'door' }],
    ['cas_state', { status: 'conflict', key: 'door', version: 3 }],
    ['cas_state', { status: 'conflict', current: { key: 'door', version: 3 } }],
    ['send_actor', { id: 'cue-1' }],
    ['settle_actor_message', { id: 'cue-1', actorId: 'mara', status: 'queued' }],
    ['prune_mailbox', { deleted: 1 }],
    ['publish', 'beat-1'],
    ['publish', undefined],
  ])('%s %j', (action, result, args) => {
    expect(project(action, result, args)).toBeUndefined()
  })
})

test('a place that the result leaves out is taken from the arguments', () => {
  expect(project('publish', { id: 'b' }, { topic_id: 'inn.1' })?.detail).toBe('inn.1')
  expect(project('send_actor', { id: 'c' }, { actor_id: 'mara' })?.detail).toBe('mara')
})

test.each([
  [{ updatedAt: 3, publishedAt: 2, createdAt: 1 }, 3],
  [{ publishedAt: 2, createdAt: 1 }, 2],
  [{ createdAt: 1 }, 1],
  [{ createdAt: 0 }, 0],
  [{ settledAt: 6, claimedAt: 5, sentAt: 4 }, 6],
  [{ updatedAt: null, publishedAt: 2 }, 2],
  [{}, 99],
  [{ updatedAt: -1, createdAt: 1 }, 99],
  [{ updatedAt: 1.5 }, 99],
  [{ updatedAt: Number.NaN }, 99],
  [{ updatedAt: 2 ** 53 }, 99],
  [{ updatedAt: '3' }, 99],
])('the time of %j is %d', (times, at) => {
  expect(project('create_topic', { id: 'inn.1', ...times })?.at).toBe(at)
})

test('the ids of a place and a message are never confused', () => {
  const [slash, other] = [
    { id: 'c', topicId: 'a/b' },
    { id: 'b/c', topicId: 'a' },
  ].map((result) => {
    const call = { action: 'publish', args: {}, result, fallbackTime: 1 }
    return projectFabricMeshActivity(call)?.nodes[1]?.id
  })

  expect(slash).toBeDefined()
  expect(slash).not.toBe(other)
})

test('no payload, value, token, result or error text is carried', () => {
  const secrets = {
    payload: 'secret',
    value: 'secret',
    result: 'secret',
    error: 'secret',
    claimToken: 'secret',
  }
  const ids = { id: 'x', topicId: 't', actorId: 'a', key: 'k', version: 1, status: 'failed' }
  const actions = ['create_topic', 'publish', 'cas_state', 'create_actor', 'send_actor']
  const shown = [...actions, 'claim_actor_message', 'settle_actor_message'].map((action) =>
    projectFabricMeshActivity({
      action,
      args: secrets,
      result: { ...ids, ...secrets },
      fallbackTime: 1,
    }),
  )

  expect(shown).not.toContain(undefined)
  expect(JSON.stringify(shown)).not.toContain('secret')
})
