import {
  activityProjection,
  buildFabricTopology,
  buildLineageGraph,
  buildParticipantDirectory,
  edgeKind,
  fabricTopology,
  lineageGraph,
  nodeKind,
  nodeStatus,
  participantDirectory,
  projectFabricMeshActivity,
  projectMeshRecords,
  readFabricMeshResultMeta,
  fabricMeshResultMeta,
  type ActivityProjection,
  type FabricSources,
} from 'dsh-fabric-protocol'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mail, mailbox, topicMessage } from './seen.ts'

const ids = ['a', 'b', 'c', 'd', 'e', '$session', 'fabric.x', 'state/x/y', '酒馆']
const anyId = fc.constantFrom(...ids)
const anyTime = fc.integer({ min: 0, max: 3 })
const plain = { noNullPrototype: true } as const

const anyNodeId = fc.oneof(
  fc.tuple(fc.constantFrom(...nodeKind.options), anyId).map((parts) => parts.join(':')),
  fc.constantFrom('$session', 'group:mesh', 'foreign'),
)
const anyNode = fc.record(
  {
    id: anyNodeId,
    kind: fc.constantFrom(...nodeKind.options),
    label: fc.oneof(anyId, anyNodeId),
    status: fc.constantFrom(...nodeStatus.options),
    updatedAt: anyTime,
    sessionId: anyId,
    detail: anyId,
  },
  { ...plain, requiredKeys: ['id', 'kind', 'label', 'status', 'updatedAt'] },
)
const anyEdge = fc.record(
  {
    id: fc.string({ minLength: 1 }),
    kind: fc.constantFrom(...edgeKind.options),
    source: anyNodeId,
    target: anyNodeId,
    updatedAt: anyTime,
  },
  { ...plain, requiredKeys: ['id', 'kind', 'source', 'target'] },
)
const anyView: fc.Arbitrary<ActivityProjection> = fc.record(
  {
    activities: fc.constant([]),
    nodes: fc.array(anyNode, { maxLength: 12 }),
    edges: fc.array(anyEdge, { maxLength: 12 }),
  },
  plain,
)
const anySession = fc.record(
  {
    id: anyId,
    label: anyId,
    parentId: anyId,
    origin: fc.constant('subagent' as const),
    running: fc.boolean(),
    blocked: fc.boolean(),
    completed: fc.boolean(),
    updatedAt: anyTime,
    jobCount: fc.nat(3),
    activity: anyView,
  },
  { ...plain, requiredKeys: ['id', 'label', 'running', 'updatedAt'] },
)
const anySources: fc.Arbitrary<FabricSources> = fc.record(
  {
    sessions: fc.array(anySession, { minLength: 1, maxLength: 10 }),
    selectedSessionId: anyId,
    mesh: anyView,
  },
  { ...plain, requiredKeys: ['sessions', 'selectedSessionId'] },
)

function shuffled<Value>(values: readonly Value[]): fc.Arbitrary<Value[]> {
  return fc.shuffledSubarray([...values], { minLength: values.length })
}

function shuffledView(view: ActivityProjection): fc.Arbitrary<ActivityProjection> {
  const parts = fc.tuple(shuffled(view.nodes), shuffled(view.edges))
  return parts.map(([nodes, edges]) => ({ ...view, nodes, edges }))
}

/** The same sources with every list in another order. */
const anyTwoOrders = anySources.chain((sources) => {
  const sessions = sources.sessions.map((session) =>
    session.activity === undefined
      ? fc.constant(session)
      : shuffledView(session.activity).map((activity) => ({ ...session, activity })),
  )
  const mesh = shuffledView(sources.mesh ?? { activities: [], nodes: [], edges: [] })
  return fc.tuple(fc.tuple(...sessions).chain(shuffled), mesh).map(([others, view]) => {
    const other = { ...sources, sessions: others }
    return [sources, sources.mesh === undefined ? other : { ...other, mesh: view }] as const
  })
})

test('any topology is one tree: all nodes reach the root, by one structure edge each', () => {
  fc.assert(
    fc.property(anySources, (sources) => {
      const topology = buildFabricTopology(sources)
      fc.pre(topology !== null)
      const { nodes, edges, rootId } = fabricTopology.parse(topology)
      const structure = edges.filter(({ role }) => role === 'structure')
      const parents = new Map(structure.map(({ source, target }) => [target, source]))

      expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length)
      expect(structure).toHaveLength(nodes.length - 1)
      const reached = new Set([rootId])
      for (const node of nodes) {
        if (node.kind === 'main') continue
        expect(parents.get(node.id)).toBe(node.parentId)
        expect(reached).toContain(node.parentId)
        reached.add(node.id)
      }
    }),
  )
})

test('any edge lies between two different nodes, and no two edges are the same', () => {
  fc.assert(
    fc.property(anySources, (sources) => {
      for (const graph of [buildFabricTopology(sources), buildLineageGraph(sources)]) {
        fc.pre(graph !== null)
        const known = new Set(graph.nodes.map(({ id }) => id))
        for (const { source, target } of graph.edges) {
          expect(known).toContain(source)
          expect(known).toContain(target)
          expect(source).not.toBe(target)
        }
        expect(new Set(graph.edges.map(({ id }) => id)).size).toBe(graph.edges.length)
      }
    }),
  )
})

test('the order in which anything was seen changes nothing', () => {
  fc.assert(
    fc.property(anyTwoOrders, ([one, other]) => {
      expect(buildParticipantDirectory(other)).toStrictEqual(buildParticipantDirectory(one))
      expect(buildLineageGraph(other)).toStrictEqual(buildLineageGraph(one))
      expect(buildFabricTopology(other)).toStrictEqual(buildFabricTopology(one))
    }),
  )
})

test('building changes no input, and every result is what its schema says, also after JSON', () => {
  fc.assert(
    fc.property(anySources, (sources) => {
      const before = structuredClone(sources)
      const directory = buildParticipantDirectory(sources)
      fc.pre(directory !== null)
      const built = [directory, buildLineageGraph(sources), buildFabricTopology(sources)]

      expect(sources).toStrictEqual(before)
      expect(participantDirectory.parse(built[0])).toStrictEqual(built[0])
      expect(lineageGraph.parse(built[1])).toStrictEqual(built[1])
      expect(fabricTopology.parse(built[2])).toStrictEqual(built[2])
      expect(JSON.parse(JSON.stringify(built))).toStrictEqual(built)
    }),
  )
})

test('the same root is found from every session of a family', () => {
  fc.assert(
    fc.property(anySources, (sources) => {
      const directory = buildParticipantDirectory(sources)
      fc.pre(directory !== null)
      for (const participant of directory.participants) {
        if (participant.kind === 'actor') continue
        const selected = { ...sources, selectedSessionId: participant.sessionId }
        expect(buildParticipantDirectory(selected)).toStrictEqual(directory)
      }
    }),
  )
})

test('any call that shows something shows well-formed metadata', () => {
  const field = fc.oneof(anyId, fc.constant(''), fc.integer(), fc.constant(null))
  const names = ['id', 'topicId', 'actorId', 'key', 'label', 'version', 'status', 'updatedAt']
  const anyFields = fc.dictionary(fc.constantFrom(...names, 'topic_id', 'deleted'), field)
  const actions = ['create_topic', 'publish', 'prune_topic', 'cas_state', 'create_actor']
  const others = ['send_actor', 'claim_actor_message', 'settle_actor_message', 'prune_mailbox']
  fc.assert(
    fc.property(
      fc.constantFrom(...actions, ...others),
      anyFields,
      fc.oneof(anyFields, fc.jsonValue()),
      (action, args, result) => {
        const shown = projectFabricMeshActivity({ action, args, result, fallbackTime: 1 })
        fc.pre(shown !== undefined)
        const meta = fabricMeshResultMeta(shown)

        expect(readFabricMeshResultMeta(JSON.parse(JSON.stringify(meta)))).toStrictEqual(meta)
      },
    ),
  )
})

test('records of the mesh show the same in any order', () => {
  const anyMail = fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 1, max: 40 })),
      fc.infiniteStream(fc.constantFrom('queued', 'claimed', 'completed', 'failed')),
    )
    .map(([sequences, statuses]) =>
      sequences.map((sequence) => {
        const status = statuses.next().value
        return mail(sequence, status ?? 'queued', { by: ids[sequence % ids.length] ?? 'a' })
      }),
    )
  const two = anyMail.chain((messages) => fc.tuple(fc.constant(messages), shuffled(messages)))
  fc.assert(
    fc.property(two, ([one, other]) => {
      const rest = {
        mailboxes: [mailbox('a'), mailbox('b')],
        topicMessages: [1, 2, 3].map((sequence) => topicMessage(sequence, { to: ids })),
      }
      const projection = projectMeshRecords({ ...rest, mailboxMessages: one })

      expect(projectMeshRecords({ ...rest, mailboxMessages: other })).toStrictEqual(projection)
      expect(activityProjection.parse(projection)).toStrictEqual(projection)
    }),
  )
})
