/** What every engine of the mesh must do; an engine's spec calls `meshContract` with its own bed. */
import type { Mesh, MeshError, MeshErrorCode, MeshWorkspace } from 'dsh-fabric-mesh'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leaseContract } from './mesh-leases.ts'
import { mailboxContract } from './mesh-mailboxes.ts'
import { stateContract } from './mesh-states.ts'
import { topicContract } from './mesh-topics.ts'
import { watchContract } from './mesh-watch.ts'

/** One store that tests open as often as they like, each time as another process would. */
export interface MeshBed {
  open(options?: { readonly now?: () => number }): Promise<Mesh>
  /** After every mesh of it was closed. */
  dispose(): Promise<void>
}

/** A fresh store for each test. */
export interface Fixture {
  open(options?: { readonly now?: () => number }): Promise<Mesh>
  /** Of the fixture's own mesh. */
  workspace(identity?: string): MeshWorkspace
}

export const by = 'narrator'

export function withCode(code: MeshErrorCode): Pick<MeshError, 'name' | 'code'> {
  return { name: 'MeshError', code }
}

/** Changes a value that a caller holds, as a careless one would. */
export function spoil(value: unknown): void {
  Reflect.set(Object(value), 'items', ['spoiled'])
}

export function meshContract(name: string, makeBed: () => Promise<MeshBed>): void {
  describe(`mesh contract: ${name}`, () => {
    let bed: MeshBed
    let opened: Mesh[]
    beforeEach(async () => {
      bed = await makeBed()
      opened = [await bed.open()]
    })
    afterEach(async () => {
      await Promise.all(opened.map((mesh) => mesh.close()))
      await bed.dispose()
    })
    const fixture: Fixture = {
      open: async (options) => {
        const mesh = await bed.open(options)
        opened.push(mesh)
        return mesh
      },
      workspace: (identity = 'workspace:inn') => {
        const [mesh] = opened
        if (mesh === undefined) throw new Error('the fixture has no mesh')
        return mesh.workspace(identity)
      },
    }

    describe('workspaces', () => {
      workspaceContract(fixture)
    })
    describe('many records', () => {
      manyContract(fixture)
    })
    describe('closing', () => {
      closingContract(fixture)
    })
    describe('topics', () => {
      topicContract(fixture)
    })
    describe('states', () => {
      stateContract(fixture)
    })
    describe('mailboxes', () => {
      mailboxContract(fixture)
    })
    describe('leases', () => {
      leaseContract(fixture)
    })
    describe('watching', () => {
      watchContract(fixture)
    })
  })
}

const MANY = 2000

/** Issued 200 at a time, as busy callers do. */
async function many(write: (index: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < MANY; from += 200) {
    await Promise.all(Array.from({ length: 200 }, (_, index) => write(from + index + 1)))
  }
}

function manyContract(fixture: Fixture): void {
  it('a long topic is read whole by cursor, in order, and from its end', async () => {
    const { topics } = fixture.workspace()
    await topics.create({ id: 'scene', by })
    await many((payload) => topics.publish('scene', { payload, by, id: `beat-${payload}` }))

    const read: unknown[] = []
    for (let after = 0; ;) {
      const page = await topics.read('scene', { after, limit: 500 })
      if (page.length === 0) break
      read.push(...page.map(({ payload }) => payload))
      after = page.at(-1)?.sequence ?? after
    }
    expect(read).toEqual(Array.from({ length: MANY }, (_, index) => index + 1))
    expect(await topics.tail('scene', { limit: 1 })).toMatchObject([{ payload: MANY }])
    expect(await topics.findMessage('scene', 'beat-7')).toMatchObject({ payload: 7 })
    expect((await fixture.workspace().snapshot(1)).totals).toMatchObject({ topicMessages: MANY })
  })

  it('a snapshot counts what a prune left, whatever was seen before it', async () => {
    const { topics, mailboxes } = fixture.workspace()
    await topics.create({ id: 'scene', by })
    await mailboxes.create({ id: 'box', by })
    const elsewhere = (await fixture.open()).workspace('workspace:inn')
    await elsewhere.snapshot(1)
    for (let beat = 1; beat <= 10; beat += 1) await topics.publish('scene', { payload: beat, by })

    await topics.prune('scene', 2)

    const counted = { topicMessages: 2, mailboxMessages: 0 }
    expect((await elsewhere.snapshot(1)).totals).toMatchObject(counted)
    expect((await fixture.workspace().snapshot(1)).totals).toMatchObject(counted)
  })

  it('a full mailbox gives its oldest, and counts every one', async () => {
    const { mailboxes } = fixture.workspace()
    const worker = { id: 'mara', secret: 'the secret of mara' }
    await mailboxes.create({ id: 'box', by })
    await many((payload) => mailboxes.send('box', { payload, by }))

    for (let expected = 1; expected <= 50; expected += 1) {
      const claim = await mailboxes.claim('box', worker)
      expect(claim?.message.payload).toBe(expected)
      const outcome = { status: 'completed', result: null } as const
      await mailboxes.settle('box', claim?.message.id ?? '', { token: claim?.token ?? '', outcome })
    }
    expect(await mailboxes.find('box')).toMatchObject({ queued: MANY - 50, completed: 50 })
    const elsewhere = (await fixture.open()).workspace('workspace:inn')
    expect(await elsewhere.mailboxes.claim('box', worker)).toMatchObject({
      message: { payload: 51 },
    })
  })
}

function workspaceContract(fixture: Fixture): void {
  it('the same ids in two workspaces are two things', async () => {
    const inn = fixture.workspace('workspace:inn')
    const mill = fixture.workspace('workspace:mill')

    await inn.topics.create({ id: 'scene', by })
    await inn.topics.publish('scene', { payload: 'inn', by, id: 'one' })
    await mill.topics.create({ id: 'scene', by })
    await mill.topics.publish('scene', { payload: 'mill', by, id: 'one' })
    await inn.states.compareAndSwap({ key: 'door', expectedVersion: 0, value: 'open', by })

    const [message] = await mill.topics.read('scene')
    expect(message).toMatchObject({ payload: 'mill', sequence: 1 })
    expect(await mill.states.find('door')).toBeUndefined()
    expect((await mill.snapshot()).totals).toMatchObject({ topics: 1, topicMessages: 1, states: 0 })
  })

  it('equal identities share everything, over two openings of the store', async () => {
    const other = (await fixture.open()).workspace('workspace:inn')

    await fixture.workspace().mailboxes.create({ id: 'mara', by, label: 'Mara' })
    await other.mailboxes.send('mara', { payload: 1, by })

    expect(await fixture.workspace().mailboxes.find('mara')).toMatchObject({
      label: 'Mara',
      queued: 1,
    })
  })

  it('writes issued in one turn take effect in that order', async () => {
    const { topics, states, mailboxes } = fixture.workspace()
    const worker = { id: 'mara', secret: 'the secret of mara' }
    const swap = { key: 'door', by }

    const [, published, , , claim, ...changes] = await Promise.all([
      topics.open({ id: 'scene', by }),
      topics.publish('scene', { payload: 'one', by }),
      mailboxes.open({ id: 'box', by }),
      mailboxes.send('box', { payload: 'cue', by }),
      mailboxes.claim('box', worker),
      states.compareAndSwap({ ...swap, expectedVersion: 0, value: 1 }),
      states.compareAndSwap({ ...swap, expectedVersion: 1, value: 2 }),
      states.delete({ ...swap, expectedVersion: 2 }),
      topics.prune('scene', 0),
    ])

    expect(published).toMatchObject({ sequence: 1 })
    expect(claim).toMatchObject({ message: { payload: 'cue' } })
    expect(changes).toMatchObject([
      { status: 'swapped', record: { version: 1 } },
      { status: 'swapped', record: { version: 2 } },
      { status: 'deleted', version: 3 },
      { deleted: 1 },
    ])
  })

  it('reading a workspace that nobody wrote to finds nothing', async () => {
    const empty = fixture.workspace('workspace:nowhere')

    expect(await empty.snapshot()).toEqual({
      topics: [],
      states: [],
      mailboxes: [],
      totals: { topics: 0, topicMessages: 0, states: 0, mailboxes: 0, mailboxMessages: 0 },
      truncated: false,
    })
    expect(await empty.states.list('')).toEqual([])
    expect(await empty.topics.find('scene')).toBeUndefined()
  })

  it('an identity of 16 KiB is a workspace of its own; a longer or blank one is refused', async () => {
    const long = 'x'.repeat(16 * 1024)

    await fixture.workspace(long).topics.create({ id: 'scene', by })

    expect(await fixture.workspace(`${long.slice(0, -1)}y`).topics.find('scene')).toBeUndefined()
    expect(() => fixture.workspace(`${long}x`)).toThrow(
      expect.objectContaining(withCode('invalid-argument')),
    )
    expect(() => fixture.workspace(' ')).toThrow(
      expect.objectContaining(withCode('invalid-argument')),
    )
  })

  it('a snapshot shows the newest of each list, oldest first, and the true totals', async () => {
    const { topics, states, mailboxes, snapshot } = await busyWorkspace(fixture)

    const all = await snapshot(10)
    const some = await snapshot(1)

    expect(all.topics.map((topic) => topic.id)).toEqual(['second', 'first'])
    expect(all.states.map((state) => state.key)).toEqual(['lamp', 'door'])
    expect(all.mailboxes.map((mailbox) => mailbox.id)).toEqual(['tess', 'mara'])
    expect(all.truncated).toBe(false)
    expect(some.topics).toEqual(all.topics.slice(-1))
    expect(some.states).toEqual(all.states.slice(-1))
    expect(some.mailboxes).toEqual(all.mailboxes.slice(-1))
    expect(some.truncated).toBe(true)
    const totals = { topics: 2, topicMessages: 3, states: 2, mailboxes: 2, mailboxMessages: 2 }
    expect(some.totals).toEqual(totals)
    expect([topics, states, mailboxes]).toHaveLength(3)
  })

  it.each(['topics', 'states', 'mailboxes'] as const)(
    'more %s than asked for truncate it',
    async (kind) => {
      const workspace = fixture.workspace()
      const { topics, states, mailboxes } = workspace
      for (const id of ['one', 'two']) {
        if (kind === 'topics') await topics.create({ id, by })
        if (kind === 'states')
          await states.compareAndSwap({ key: id, expectedVersion: 0, value: 1, by })
        if (kind === 'mailboxes') await mailboxes.create({ id, by })
      }

      expect((await workspace.snapshot(2)).truncated).toBe(false)
      expect((await workspace.snapshot(1)).truncated).toBe(true)
    },
  )

  it.each([0, 501, 1.5, Number.NaN])('a limit of %s is refused', async (limit) => {
    const workspace = fixture.workspace()

    const refused = withCode('invalid-argument')

    await expect(workspace.snapshot(limit)).rejects.toMatchObject(refused)
    await expect(workspace.states.list('', { limit })).rejects.toMatchObject(refused)
  })
}

/** Two of everything; a clock that moves tells which was changed last. */
async function busyWorkspace(fixture: Fixture) {
  let now = 1000
  const mesh = await fixture.open({ now: () => (now += 1) })
  const workspace = mesh.workspace('workspace:inn')
  const { topics, states, mailboxes } = workspace
  for (const id of ['first', 'second']) await topics.create({ id, by })
  for (const id of ['second', 'first', 'first']) await topics.publish(id, { payload: id, by })
  for (const key of ['door', 'lamp', 'key']) {
    await states.compareAndSwap({ key, expectedVersion: 0, value: 1, by })
  }
  await states.compareAndSwap({ key: 'door', expectedVersion: 1, value: 2, by })
  await states.delete({ key: 'key', expectedVersion: 1, by })
  for (const id of ['mara', 'tess']) await mailboxes.create({ id, by })
  for (const id of ['tess', 'mara']) await mailboxes.send(id, { payload: id, by })
  return { topics, states, mailboxes, snapshot: (limit: number) => workspace.snapshot(limit) }
}

function closingContract(fixture: Fixture): void {
  it('an admitted write is durable before the close ends; a later call is refused', async () => {
    const mesh = await fixture.open()
    const workspace = mesh.workspace('workspace:inn')
    await workspace.topics.create({ id: 'scene', by })

    const admitted = workspace.topics.publish('scene', { payload: 'last words', by })
    await mesh.close()

    expect(await admitted).toMatchObject({ payload: 'last words', sequence: 1 })
    const again = (await fixture.open()).workspace('workspace:inn')
    expect(await again.topics.read('scene')).toMatchObject([{ payload: 'last words' }])
    const refused = withCode('closed')
    await expect(
      workspace.topics.publish('scene', { payload: 'too late', by }),
    ).rejects.toMatchObject(refused)
    await expect(workspace.topics.read('scene')).rejects.toMatchObject(refused)
    expect(() => mesh.workspace('workspace:inn')).toThrow(expect.objectContaining(refused))
  })

  it('closing twice is closing once', async () => {
    const mesh = await fixture.open()

    await Promise.all([mesh.close(), mesh.close()])

    await expect(mesh.close()).resolves.toBeUndefined()
  })

  it('everything is there after a reopen', async () => {
    const before = await fixture.open()
    const workspace = before.workspace('workspace:mill')
    await workspace.topics.create({ id: 'scene', by, label: 'The mill' })
    await workspace.topics.publish('scene', { payload: { text: 'rain' }, by, to: ['ivo'] })
    await workspace.states.compareAndSwap({ key: 'wheel', expectedVersion: 0, value: 3, by })
    await workspace.mailboxes.create({ id: 'ivo', by })
    await workspace.mailboxes.send('ivo', { payload: 'wake', by, id: 'cue' })
    const shown = [await workspace.snapshot(), await workspace.topics.read('scene')]
    await before.close()

    const after = (await fixture.open()).workspace('workspace:mill')

    expect([await after.snapshot(), await after.topics.read('scene')]).toEqual(shown)
    expect(await after.mailboxes.findMessage('ivo', 'cue')).toMatchObject({ status: 'queued' })
  })
}
