/** The contract of watching: everything after the cursor, once, in order, until aborted; of every opening of the store. */
import type { Worker } from 'dsh-fabric-mesh'
import { expect, it } from 'vitest'
import { type Fixture, by, withCode } from './mesh.ts'

const mara: Worker = { id: 'mara', secret: 'the secret of mara' }

export function watchContract(fixture: Fixture): void {
  topicWatch(fixture)
  stateWatch(fixture)
  claimWatch(fixture)
  settleWatch(fixture)
}

/** The first `count` items, then the watch is left as a consumer leaves it. */
async function take<Item>(items: AsyncIterable<Item>, count: number): Promise<readonly Item[]> {
  const taken: Item[] = []
  for await (const item of items) {
    taken.push(item)
    if (taken.length === count) break
  }
  return taken
}

function topicWatch(fixture: Fixture): void {
  it('gives what is stored after the cursor, then what comes, once and in order', async () => {
    const { topics } = fixture.workspace()
    const elsewhere = (await fixture.open()).workspace('workspace:inn').topics
    await topics.create({ id: 'scene', by })
    for (let index = 1; index <= 5; index += 1)
      await topics.publish('scene', { payload: index, by })
    const { signal } = new AbortController()

    const watched = take(topics.watch('scene', { after: 2, signal }), 23)
    for (let index = 6; index <= 25; index += 1) {
      await (index % 2 ? topics : elsewhere).publish('scene', { payload: index, by })
    }

    expect((await watched).map((message) => message.payload)).toEqual(
      Array.from({ length: 23 }, (_, index) => index + 3),
    )
  })

  it('catches up over many pages while more is published', async () => {
    const { topics } = fixture.workspace()
    await topics.create({ id: 'scene', by })
    const publish = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => topics.publish('scene', { payload: 'x', by })),
      )
    await publish(350)
    const { signal } = new AbortController()

    const watched = take(topics.watch('scene', { after: 0, signal }), 700)
    for (let round = 0; round < 7; round += 1) await publish(50)

    expect((await watched).map((message) => message.sequence)).toEqual(
      Array.from({ length: 700 }, (_, index) => index + 1),
    )
  })

  it('a slow consumer misses nothing', async () => {
    const { topics } = fixture.workspace()
    await topics.create({ id: 'scene', by })
    const { signal } = new AbortController()
    const seen: unknown[] = []
    const publish = (payload: string) => topics.publish('scene', { payload, by })

    await publish('one')
    for await (const { payload } of topics.watch('scene', { after: 0, signal })) {
      seen.push(payload)
      if (payload === 'one') await Promise.all([publish('two'), publish('three')])
      if (payload === 'three') await publish('four')
      if (payload === 'four') break
    }

    expect(seen).toEqual(['one', 'two', 'three', 'four'])
  })

  it('ends when aborted, waiting or not, and before it began', async () => {
    const { topics } = fixture.workspace()
    await topics.create({ id: 'scene', by })
    await topics.publish('scene', { payload: 1, by })
    await topics.publish('scene', { payload: 2, by })
    const all = async (
      controller: AbortController,
      abortAfter: number,
      saw: (payload: unknown) => unknown = () => undefined,
    ) => {
      const seen: unknown[] = []
      const { signal } = controller
      for await (const { payload } of topics.watch('scene', { after: 0, signal })) {
        seen.push(payload)
        saw(payload)
        if (seen.length === abortAfter) controller.abort()
      }
      return seen
    }

    const aborted = new AbortController()
    aborted.abort()
    const waiting = new AbortController()
    const { promise: caughtUp, resolve } = Promise.withResolvers<void>()
    const waited = all(waiting, 99, (payload) => payload === 3 && resolve())
    await topics.publish('scene', { payload: 3, by })
    void caughtUp.then(() => setImmediate(() => waiting.abort()))

    expect(await all(aborted, 99)).toEqual([])
    expect(await all(new AbortController(), 1)).toEqual([1])
    expect(await waited).toEqual([1, 2, 3])
  })

  it('fails for an unknown topic, and when the mesh closes', async () => {
    const mesh = await fixture.open()
    const { topics } = mesh.workspace('workspace:inn')
    await topics.create({ id: 'scene', by })
    const { signal } = new AbortController()

    const unknown = take(topics.watch('nowhere', { after: 0, signal }), 1)
    const open = topics.watch('scene', { after: 0, signal })[Symbol.asyncIterator]().next()
    await expect(unknown).rejects.toMatchObject(withCode('not-found'))
    await topics.read('scene')
    await mesh.close()

    await expect(open).rejects.toMatchObject(withCode('closed'))
  })
}

function stateWatch(fixture: Fixture): void {
  it('gives the changes of a prefix, stored and to come, of every opening', async () => {
    const { states } = fixture.workspace()
    const elsewhere = (await fixture.open()).workspace('workspace:inn').states
    const set = (door: typeof states, key: string, expectedVersion: number) =>
      door.compareAndSwap({ key, expectedVersion, value: key, by })
    await set(states, 'world/door', 0)
    await set(states, 'other', 0)
    await set(states, 'world/lamp', 0)
    const { signal } = new AbortController()

    const watched = take(states.watch('world/', { after: 1, signal }), 4)
    await set(elsewhere, 'other', 1)
    await set(elsewhere, 'world/door', 1)
    await states.delete({ key: 'world/lamp', expectedVersion: 1, by })
    await set(elsewhere, 'world/new', 0)

    expect(await watched).toMatchObject([
      { kind: 'set', sequence: 3, key: 'world/lamp', version: 1 },
      { kind: 'set', sequence: 5, key: 'world/door', version: 2, value: 'world/door' },
      { kind: 'deleted', sequence: 6, key: 'world/lamp', version: 2 },
      { kind: 'set', sequence: 7, key: 'world/new', version: 1 },
    ])
  })

  it('waits in a workspace that holds nothing yet, and ends when aborted', async () => {
    const { states, topics } = fixture.workspace('workspace:empty')
    const controller = new AbortController()

    const watched = take(states.watch('', { after: 0, signal: controller.signal }), 1)
    await topics.create({ id: 'scene', by })
    await states.find('door') // by now the watch has read, found nothing, and waits
    await states.compareAndSwap({ key: 'door', expectedVersion: 0, value: 1, by })
    const ended = take(states.watch('', { after: 1, signal: controller.signal }), 1)

    expect(await watched).toMatchObject([{ key: 'door' }])
    controller.abort()
    expect(await ended).toEqual([])
  })
}

function claimWatch(fixture: Fixture): void {
  it('a waiting worker gets the next message, of every opening, and a released one', async () => {
    const { mailboxes } = fixture.workspace()
    const elsewhere = (await fixture.open()).workspace('workspace:inn').mailboxes
    await mailboxes.create({ id: 'box', by })
    const { signal } = new AbortController()

    const near = mailboxes.claimNext('box', mara, signal)
    await mailboxes.send('box', { payload: 'near', by, id: 'near' })
    expect(await near).toMatchObject({ message: { payload: 'near' } })
    const far = mailboxes.claimNext('box', mara, signal)
    await elsewhere.send('box', { payload: 'far', by })
    expect(await far).toMatchObject({ message: { payload: 'far' } })
    const again = mailboxes.claimNext('box', mara, signal)
    await elsewhere.release('box', 'near', { by, reason: 'stuck' })

    expect(await again).toMatchObject({ message: { payload: 'near', attempts: 2 } })
  })

  it('of workers that wait, each message goes to one', async () => {
    const { mailboxes } = fixture.workspace()
    await mailboxes.create({ id: 'box', by })
    const controller = new AbortController()
    const waiting = Array.from({ length: 6 }, (_, index) =>
      mailboxes.claimNext('box', { ...mara, id: `worker-${index}` }, controller.signal),
    )

    for (let index = 0; index < 4; index += 1) await mailboxes.send('box', { payload: index, by })
    const won = Promise.all(waiting)
    while ((await mailboxes.find('box'))?.claimed !== 4) await new Promise(setImmediate)
    controller.abort()

    const payloads = (await won).flatMap((claim) => claim?.message.payload ?? [])
    expect(new Set(payloads)).toEqual(new Set([0, 1, 2, 3]))
    expect(payloads).toHaveLength(4)
  })

  it('waiting ends when aborted', async () => {
    const { mailboxes } = fixture.workspace()
    await mailboxes.create({ id: 'box', by })
    const controller = new AbortController()

    const waiting = mailboxes.claimNext('box', mara, controller.signal)
    setImmediate(() => controller.abort())

    expect(await waiting).toBeUndefined()
    expect(await mailboxes.claimNext('box', mara, controller.signal)).toBeUndefined()
  })
}

function settleWatch(fixture: Fixture): void {
  it('waits until a message is settled, by any opening, and gives a settled one at once', async () => {
    const { mailboxes } = fixture.workspace()
    const elsewhere = (await fixture.open()).workspace('workspace:inn').mailboxes
    await mailboxes.create({ id: 'box', by })
    await mailboxes.send('box', { payload: 1, by, id: 'cue' })
    const controller = new AbortController()

    const waiting = mailboxes.whenSettled('box', 'cue', controller.signal)
    const claim = await elsewhere.claim('box', mara)
    const outcome = { status: 'completed', result: 5 } as const
    await elsewhere.settle('box', 'cue', { token: claim?.token ?? '', outcome })
    const settled = await waiting
    await mailboxes.send('box', { payload: 2, by, id: 'late' })
    const aborted = mailboxes.whenSettled('box', 'late', controller.signal)
    setImmediate(() => controller.abort())

    expect(settled).toMatchObject({ status: 'completed', result: 5 })
    expect(await mailboxes.whenSettled('box', 'cue', new AbortController().signal)).toEqual(settled)
    expect(await aborted).toBeUndefined()
  })
}
