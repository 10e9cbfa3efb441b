/** All that a character reaches of the mesh: what is public of its scene, to read, and a notice board of its run's cast. */
import {
  compareCodePoints,
  MeshError,
  type MeshReach,
  type MeshWorkspace,
  type Snapshot,
  type States,
  type Topics,
} from 'dsh-fabric-mesh'
import type { StateRecord } from 'dsh-fabric-protocol'
import { type CharacterId, characterParticipant } from 'dsh-tavern-protocol'
import { PublicBeats, type ReadableTopic, SCENE_TOPIC } from './public-beats.ts'
import { PublicWorld, WORLD_PREFIX } from './public-world.ts'
import type { Run } from './run.ts'

/** The board's workspace: of one run, and none of the engine's own. */
export function boardIdentity(runId: string): string {
  return `tavern-board:${runId}`
}

export interface PublicMeshParts {
  readonly run: Run
  readonly character: CharacterId
  readonly board: MeshWorkspace
}

export function publicMesh({ run, character, board }: PublicMeshParts): MeshReach {
  const beats = new PublicBeats(run, characterParticipant(character))
  const world = new PublicWorld(run, character)
  return {
    topics: topicsOf(board, beats),
    states: statesOf(board, world),
    mailboxes: board.mailboxes,
    snapshot: async (limit = 100) => {
      const [noted, scene, known] = await Promise.all([
        board.snapshot(limit),
        ofScene(beats.find()),
        ofScene(world.all()),
      ])
      return joined(noted, { scene, known, limit })
    },
  }
}

function topicsOf(board: MeshWorkspace, beats: ReadableTopic): MeshReach['topics'] {
  const { topics } = board
  return {
    create: async (place) => await (isScene(place.id) ? readOnly(place.id) : topics.create(place)),
    publish: async (id, post) => await (isScene(id) ? readOnly(id) : topics.publish(id, post)),
    prune: async (id, retain) => await (isScene(id) ? readOnly(id) : topics.prune(id, retain)),
    find: async (id) => await (isScene(id) ? ofScene(beats.find(id)) : topics.find(id)),
    read: async (id, page) =>
      await (isScene(id) ? ofScene(beats.read(id, page)) : topics.read(id, page)),
    tail: async (id, page) =>
      await (isScene(id) ? ofScene(beats.tail(id, page)) : topics.tail(id, page)),
    watch: (id, options) => (isScene(id) ? sceneWatch(beats, options) : topics.watch(id, options)),
  }
}

async function* sceneWatch(
  beats: ReadableTopic,
  options: Parameters<Topics['watch']>[1],
): ReturnType<Topics['watch']> & AsyncGenerator {
  const watched = beats.watch(SCENE_TOPIC, options)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await ofScene(watched.next())
      if (next.done === true) return
      yield next.value
    }
  } finally {
    await watched.return?.()
  }
}

function statesOf(board: MeshWorkspace, world: PublicWorld): MeshReach['states'] {
  const { states } = board
  return {
    find: async (key) => await (isWorld(key) ? ofScene(world.find(key)) : states.find(key)),
    compareAndSwap: async (swap) =>
      await (isWorld(swap.key) ? readOnly(swap.key) : states.compareAndSwap(swap)),
    delete: async (request) =>
      await (isWorld(request.key) ? readOnly(request.key) : states.delete(request)),
    list: async (prefix, page) => {
      const [noted, known] = await Promise.all([states.list(prefix, page), ofScene(world.all())])
      return listed(
        noted,
        known.filter(({ key }) => key.startsWith(prefix)),
        page,
      )
    },
  }
}

/** Both are ascending, the board's cut at the limit already. */
function listed(
  noted: readonly StateRecord[],
  known: readonly StateRecord[],
  page: Parameters<States['list']>[1] = {},
): readonly StateRecord[] {
  const { after = '', limit = 100 } = page
  return [...noted, ...known.filter(({ key }) => compareCodePoints(key, after) > 0)]
    .toSorted((left, right) => compareCodePoints(left.key, right.key))
    .slice(0, limit)
}

function joined(
  noted: Snapshot,
  shown: {
    readonly scene: Snapshot['topics'][number]
    readonly known: readonly StateRecord[]
    readonly limit: number
  },
): Snapshot {
  const { scene, known, limit } = shown
  const topics = [...noted.topics, scene].toSorted(byAge)
  const states = [...noted.states, ...known].toSorted(byAge)
  const { totals } = noted
  return {
    ...noted,
    topics: topics.slice(-limit),
    states: states.slice(-limit),
    totals: {
      ...totals,
      topics: totals.topics + 1,
      topicMessages: totals.topicMessages + scene.headSequence,
      states: totals.states + known.length,
    },
    truncated: noted.truncated || topics.length > limit || states.length > limit,
  }
}

function byAge(
  left: { readonly updatedAt: number },
  right: { readonly updatedAt: number },
): number {
  return left.updatedAt - right.updatedAt
}

function isScene(topicId: string): boolean {
  return topicId === SCENE_TOPIC
}

function isWorld(key: string): boolean {
  return key.startsWith(WORLD_PREFIX)
}

function readOnly(name: string): never {
  throw new MeshError('forbidden', `'${name}' is the scene's: you may read it and not change it`)
}

/** A fault in the scene's own records speaks of names that no character may read: it is told without them. */
async function ofScene<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading
  } catch (cause) {
    throw new MeshError('store-unavailable', 'the scene cannot be read now', { cause })
  }
}
