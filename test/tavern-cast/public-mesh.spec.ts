/** The part of the mesh that one character reaches, over a long run with much that it must not know. */
import { type MeshReach, type MeshWorkspace, workspaceIdentity } from 'dsh-fabric-mesh'
import { everyone } from 'dsh-tavern-protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { boardIdentity, publicMesh } from '../../packages/dsh-tavern-cast/src/public-mesh.ts'
import { createWorld, type Run } from 'dsh-tavern-cast'
import { newMesh, openRun } from './run-bed.ts'

const ELLIS = { id: 'seat:Ellis', name: 'Ellis' }
const BEATS = 1203

interface Bed {
  readonly run: Run
  readonly engine: MeshWorkspace
  readonly board: MeshWorkspace
  readonly reach: MeshReach
}

async function openBed(): Promise<Bed> {
  const mesh = newMesh()
  const engine = mesh.workspace('tavern')
  const board = mesh.workspace(boardIdentity('inn.1'))
  const { run } = await openRun(engine)
  await createWorld(run)
  return { run, engine, board, reach: publicMesh({ run, character: 'mara', board }) }
}

/** Every third is whispered to another, every seventh a silent change of the world. */
async function fill(run: Run): Promise<readonly string[]> {
  const all = Array.from({ length: BEATS }, (_, index) => index + 1)
  const common = { author: ELLIS, cause: 'test' }
  await Promise.all(
    all.map((n) => {
      const text = `said ${n}`
      if (n % 3 === 0) {
        const audience = { kind: 'named', participants: ['character:pip'] } as const
        return run.publish(`b${n}`, { kind: 'whisper', ...common, audience, text: `SECRET ${n}` })
      }
      if (n % 7 === 0) {
        const changes = [{ status: 'applied', key: 'safe', value: 'SECRET', version: n }] as const
        return run.publish(`b${n}`, { kind: 'world', ...common, audience: everyone, text, changes })
      }
      return run.publish(`b${n}`, { kind: 'line', ...common, audience: everyone, text })
    }),
  )
  return all.filter((n) => n % 3 !== 0 && n % 7 !== 0).map((n) => `said ${n}`)
}

const textsOf = (messages: readonly { readonly payload: unknown }[]) =>
  messages.map(({ payload }) => Object(payload).text)

describe('the scene', () => {
  let bed: Bed
  let said: readonly string[]
  beforeEach(async () => {
    bed = await openBed()
    said = await fill(bed.run)
  })

  it('reads on from any cursor, counted without what is hidden', async () => {
    const { topics } = bed.reach
    const pages: string[] = []
    for (let after = 0; ;) {
      const page = await topics.read('scene', { after, limit: 170 })
      expect(page.map(({ sequence }) => sequence)).toEqual(
        page.map((_, index) => after + index + 1),
      )
      expect(JSON.stringify(page)).not.toMatch(/SECRET|whisper|changes|heardBy|"b\d/)
      pages.push(...textsOf(page))
      after = page.at(-1)?.sequence ?? after
      if (page.length < 170) break
    }

    expect(pages).toEqual(said)
    expect(await topics.find('scene')).toMatchObject({ headSequence: said.length })
    expect(textsOf(await topics.tail('scene', { limit: 3 }))).toEqual(said.slice(-3))
    expect(textsOf(await topics.tail('scene', { limit: 2, before: 4 }))).toEqual(said.slice(1, 3))
    expect(await topics.read('scene', { after: 5000 })).toEqual([])
  })

  it('is watched on: hidden beats wake nobody', async () => {
    const { reach, run } = bed
    const stop = new AbortController()
    const after = said.length
    const watched = reach.topics.watch('scene', { after, signal: stop.signal })
    const heard: string[] = []
    const done = (async () => {
      for await (const message of watched) {
        heard.push(...textsOf([message]))
        if (heard.length === 2) stop.abort()
      }
    })()
    const common = { author: ELLIS, cause: 'test' }
    const audience = { kind: 'named', participants: ['character:pip'] } as const
    await run.publish('x1', { kind: 'whisper', ...common, audience, text: 'SECRET' })
    await run.publish('x2', { kind: 'line', ...common, audience: everyone, text: 'aloud' })
    await run.publish('x3', { kind: 'whisper', ...common, audience, text: 'SECRET' })
    await run.publish('x4', { kind: 'line', ...common, audience: everyone, text: 'again' })

    await done

    expect(heard).toEqual(['aloud', 'again'])
  })

  it('of one who was away lacks what it missed', async () => {
    const { run, board } = bed
    const crane = publicMesh({ run, character: 'crane', board })
    const common = { author: { id: 'character:crane', name: 'Crane' }, cause: 'test' }
    const entrance = { kind: 'entrance', ...common, character: 'crane' } as const
    await run.publish('in', { ...entrance, audience: everyone, text: 'Crane enters.' })
    await run.publish('hi', { kind: 'line', ...common, audience: everyone, text: 'Hello.' })

    expect(textsOf(await crane.topics.read('scene'))).toEqual(['Crane enters.', 'Hello.'])
  })
})

describe('the whole', () => {
  it('is the scene, the known world and the board, counted and cut', async () => {
    const { reach, run, board } = await openBed()
    const common = { author: ELLIS, cause: 'test', audience: everyone }
    await run.publish('b1', { kind: 'line', ...common, text: 'Hello.' })
    for (const id of ['a', 'z']) {
      await board.topics.create({ id, by: 'x' })
      await board.states.compareAndSwap({ key: id, expectedVersion: 0, value: id, by: 'x' })
      await board.mailboxes.create({ id, by: 'x' })
    }

    const all = await reach.snapshot()
    const one = await reach.snapshot(1)

    expect(all.topics.map(({ id }) => id).toSorted()).toEqual(['a', 'scene', 'z'])
    expect(all.states.map(({ key }) => key).toSorted()).toEqual(['a', 'world/lamp', 'z'])
    expect(all.totals).toEqual({
      topics: 3,
      topicMessages: 1,
      states: 3,
      mailboxes: 2,
      mailboxMessages: 0,
    })
    expect([all.truncated, one.truncated]).toEqual([false, true])
    expect([one.topics.length, one.states.length, one.mailboxes.length]).toEqual([1, 1, 1])
    const keys = async (page: object, prefix = '') =>
      (await reach.states.list(prefix, page)).map(({ key }) => key)
    expect(await keys({})).toEqual(['a', 'world/lamp', 'z'])
    expect(await keys({ limit: 2 })).toEqual(['a', 'world/lamp'])
    expect(await keys({ after: 'world/lamp', limit: 2 })).toEqual(['z'])
    expect(await keys({}, 'world/l')).toEqual(['world/lamp'])
    expect(await keys({}, 'world/s')).toEqual([])
  })

  it('tells of a damaged scene without its names', async () => {
    const { reach, engine } = await openBed()
    const head = await engine.topics.publish('run/inn.1', { payload: 'SECRET', by: 'x' })
    expect(head.sequence).toBe(1)

    for (const read of [
      reach.topics.read('scene'),
      reach.topics.tail('scene'),
      reach.topics.find('scene'),
      reach.snapshot(),
    ]) {
      const error: unknown = await read.catch((caught: unknown) => caught)
      expect(error).toMatchObject({ code: 'store-unavailable' })
      expect(String(error)).not.toMatch(/run\/|inn|SECRET/)
    }
  })

  it('cannot be any workspace that an agent of the host is in', () => {
    const question = { cwd: undefined, workspaces: [], realpath: (path: string) => path }
    const own = workspaceIdentity({ ...question, sessionId: 'tavern-board:inn.1' })

    expect(own).not.toBe(boardIdentity('inn.1'))
    expect(boardIdentity('inn.1')).not.toMatch(/^(workspace|path|session):/)
  })
})
