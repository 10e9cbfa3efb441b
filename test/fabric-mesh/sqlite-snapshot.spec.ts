/** Snapshots follow what is new: whatever happened in whichever process, they show what a first look shows. */
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  nat,
  property,
  record,
  tuple,
} from 'fast-check'
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Newest } from '../../packages/dsh-fabric-mesh/src/sqlite/newest.ts'
import { type SqliteBed, by, identity, mara, sqliteBed } from './sqlite-bed.ts'

let bed: SqliteBed
let time = 0
beforeEach(() => {
  time = 1000
  bed = sqliteBed({ now: () => time, historyLimit: 3 })
})
afterEach(() => bed.dispose())

type Step = (workspace: MeshWorkspace, name: string) => Promise<unknown>

const steps: readonly Step[] = [
  ({ topics }, id) => topics.open({ id, by }),
  ({ topics }, id) => topics.publish(id, { payload: id, by }),
  ({ topics }, id) => topics.publish(id, { payload: id, by, id: `beat-${time}` }),
  ({ topics }, id) => topics.prune(id, 1),
  ({ topics }, id) => topics.prune(id, 0),
  ({ mailboxes }, id) => mailboxes.open({ id, by, maxAttempts: 2 }),
  ({ mailboxes }, id) => mailboxes.send(id, { payload: id, by }),
  ({ mailboxes }, id) => mailboxes.send(id, { payload: id, by }),
  ({ mailboxes }, id) => mailboxes.claim(id, mara),
  ({ mailboxes }, id) => settle(mailboxes, id),
  ({ mailboxes }, id) => release(mailboxes, id),
  ({ mailboxes }, id) => mailboxes.prune(id, 0),
  ({ states }, key) => swap(states, key),
  ({ states }, key) => swap(states, key),
  ({ states }, key) => remove(states, key),
]

async function settle(mailboxes: MeshWorkspace['mailboxes'], id: string): Promise<void> {
  const [claim] = await mailboxes.claimsOf(id, mara)
  if (claim === undefined) return
  const outcome = { status: 'completed', result: 1 } as const
  await mailboxes.settle(id, claim.message.id, { token: claim.token, outcome })
}

async function release(mailboxes: MeshWorkspace['mailboxes'], id: string): Promise<void> {
  const [claim] = await mailboxes.claimsOf(id, mara)
  if (claim !== undefined) await mailboxes.release(id, claim.message.id, { by, reason: 'gone' })
}

async function swap(states: MeshWorkspace['states'], key: string): Promise<void> {
  const expectedVersion = (await states.find(key))?.version ?? 0
  await states.compareAndSwap({ key, expectedVersion, value: time, by })
}

async function remove(states: MeshWorkspace['states'], key: string): Promise<void> {
  const found = await states.find(key)
  if (found !== undefined) await states.delete({ key, expectedVersion: found.version, by })
}

const anyStep = record({
  step: nat(steps.length - 1),
  name: constantFrom('a', 'b', 'c'),
  from: nat(1),
  passes: constantFrom(-5, 0, 0, 1, 7),
  looks: boolean(),
  limit: integer({ min: 1, max: 4 }),
})

describe('a snapshot', () => {
  it('is what a first look shows, after any steps of two processes', async () => {
    await assert(
      asyncProperty(array(anyStep, { minLength: 10, maxLength: 60 }), async (all) => {
        const own = sqliteBed({ now: () => time, historyLimit: 3 })
        const meshes = [await own.open(), await own.open()]
        const workspaces = meshes.map((mesh) => mesh.workspace(identity))
        for (const { step, name, from, passes, looks, limit } of all) {
          time += passes
          const workspace = workspaces[from]
          if (workspace === undefined) throw new Error('there are two')
          await steps[step]?.(workspace, name).catch(expectNotFound)
          if (!looks) continue
          const first = await own.within((fresh) => fresh.snapshot(limit))
          for (const each of workspaces) expect(await each.snapshot(limit)).toEqual(first)
        }
        await Promise.all(meshes.map((mesh) => mesh.close()))
        await own.dispose()
      }),
      { numRuns: 300, interruptAfterTimeLimit: 15_000 },
    )
  }, 60_000)

  it('counts what a prune in another process left', async () => {
    await bed.within(async (here) => {
      const there = await bed.open()
      await here.topics.create({ id: 'scene', by })
      for (let beat = 0; beat < 3; beat += 1) {
        await here.topics.publish('scene', { payload: beat, by })
      }
      expect((await here.snapshot()).totals.topicMessages).toBe(3)

      const elsewhere = there.workspace(identity)
      await elsewhere.topics.prune('scene', 0)
      await elsewhere.topics.publish('scene', { payload: 'next', by })

      expect((await here.snapshot()).totals.topicMessages).toBe(1)
      await there.close()
    })
  })

  it('of 1,200 topics shows the newest, and counts all', async () => {
    await bed.within(async (workspace) => {
      const { topics } = workspace
      await Promise.all(
        Array.from({ length: 1200 }, (_, index) => topics.open({ id: `topic-${index}`, by })),
      )
      for (const index of [3, 700, 5]) {
        time += 1
        await topics.publish(`topic-${index}`, { payload: 1, by })
      }

      const { topics: shown, totals } = await workspace.snapshot(3)

      expect(shown.map(({ id }) => id)).toEqual(['topic-3', 'topic-700', 'topic-5'])
      expect(totals).toMatchObject({ topics: 1200, topicMessages: 3 })
    })
  })
})

async function expectNotFound(error: unknown): Promise<void> {
  expect(error).toMatchObject({ code: 'not-found' })
}

describe('the newest of many', () => {
  it('are exact whatever changes, in bounded memory', () => {
    const ages = array(tuple(nat(3000), nat(100_000)), {
      minLength: 2500,
      maxLength: 6000,
    })
    assert(
      property(ages, (all) => {
        const newest = new Newest()
        const truth = new Map<number, number>()
        for (const [id, age] of all) {
          newest.set({ id, name: `${id}`.padStart(5, '0'), age })
          truth.set(id, age)
        }
        const expected = [...truth].toSorted(([a, old], [b, young]) => old - young || a - b)

        for (const limit of [1, 12, 500]) {
          if (!newest.has(limit)) continue
          expect(newest.list(limit).map(({ id }) => id)).toEqual(
            expected.slice(-limit).map(([id]) => id),
          )
        }
      }),
      { numRuns: 20 },
    )
  })
})
