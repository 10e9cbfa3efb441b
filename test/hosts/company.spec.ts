/** What the others write while a process comes is told of, whenever it was read. */
import type { MeshWorkspace, States } from 'dsh-fabric-mesh'
import { Company, type CompanyKey } from 'dsh-tavern-cast'
import { RunId } from 'dsh-tavern-protocol'
import { expect, onTestFinished, test } from 'vitest'
import { newWorkspace } from '../tavern-cast/run-bed.ts'

const runId = RunId('room', 1)

/** East comes, and west writes this just before east reads what is there. */
async function whileComing(key: CompanyKey, value: string) {
  const real = newWorkspace()
  const west = new Company(real, runId)
  const list: States['list'] = async (...args) => {
    await west.put(key, value, 'w')
    return await real.states.list(...args)
  }
  return { workspace: withStates(real, { list }), west }
}

function withStates(real: MeshWorkspace, own: Partial<States>): MeshWorkspace {
  const states = new Proxy(real.states, {
    get: (target, name) => Reflect.get(own, name) ?? Reflect.get(target, name).bind(target),
  })
  const { identity, topics, mailboxes } = real
  const snapshot = real.snapshot.bind(real)
  return { identity, topics, states, mailboxes, snapshot }
}

/** The answer to a swap comes after the change itself was pushed to who watches. */
function lateAnswers(real: MeshWorkspace): MeshWorkspace {
  const pushed = new Map<string, PromiseWithResolvers<void>>()
  const pushOf = (key: string) => {
    const known = pushed.get(key) ?? Promise.withResolvers<void>()
    pushed.set(key, known)
    return known
  }
  return withStates(real, {
    compareAndSwap: async (swap) => {
      const swapped = await real.states.compareAndSwap(swap)
      if (swap.key.endsWith('host/ann')) {
        await pushOf(swap.key).promise
        await new Promise(setImmediate)
      }
      return swapped
    },
    watch: async function* (...args) {
      for await (const change of real.states.watch(...args)) {
        pushOf(change.key).resolve()
        yield change
      }
    },
  })
}

function joining(workspace: MeshWorkspace) {
  const east = new Company(workspace, runId)
  const stop = new AbortController()
  const told: string[] = []
  const changed = (key: string) => void told.push(key)
  const own = { key: 'guest/east', value: {}, by: 'e' } as const
  const joined = east.join(own, { signal: stop.signal, changed })
  onTestFinished(async () => {
    stop.abort()
    await (
      await joined
    ).done
  })
  return { east, told, joined }
}

test.each(['seat/noor', 'guest/west', 'host/ann', 'cancel/one'] as const)(
  'what is written between the first look and the watch is told of once: %s',
  async (key) => {
    const { workspace, west } = await whileComing(key, 'a value')
    const { told, joined } = joining(workspace)
    await joined
    await west.put('profile/last', 'a value', 'w')

    await expect.poll(() => told).toContain('profile/last')
    expect(told).toEqual([key, 'profile/last'])
  },
)

test('what another wrote is told of, though a swap of this process met it first', async () => {
  const workspace = newWorkspace()
  const { east, told, joined } = joining(workspace)
  await joined
  const west = new Company(workspace, runId)
  const [, swapped] = await Promise.all([
    west.put('host/ann', 'west', 'w'),
    east.swap('host/ann', 'east', 'e'),
  ])

  expect(swapped).toBe(false)
  await expect.poll(() => told).toEqual(['host/ann'])
})

test('what was stopped before a process came is told of, and who sat there before is not', async () => {
  const workspace = newWorkspace()
  const west = new Company(workspace, runId)
  await west.put('seat/noor', 'a value', 'w')
  await west.put('cancel/one', 'one', 'w')
  const { told, joined } = joining(workspace)
  await joined

  expect(told).toEqual(['cancel/one'])
})

test('what this process wrote is no news to it, though the change comes before the answer', async () => {
  const real = newWorkspace()
  const { east, told, joined } = joining(lateAnswers(real))
  await joined

  await east.put('host/ann', 'east', 'e')
  await new Company(real, runId).put('profile/last', 'a value', 'w')

  await expect.poll(() => told).toContain('profile/last')
  expect(told).toEqual(['profile/last'])
})
