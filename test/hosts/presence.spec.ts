/** Who is here is judged by whether its record moves, on the clock of who looks. */
import { Presence } from 'dsh-tavern-scene'
import type { SeenHost } from 'dsh-tavern-scene'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newWorkspace } from '../tavern-cast/run-bed.ts'

const LEASE_MS = 60_000

/** A host that gives a sign when the test says, and one that looks with a clock of its own. */
async function twoHosts() {
  const workspace = newWorkspace()
  const told: string[] = []
  let now = 1_000_000
  const common = { workspace, leaseMs: LEASE_MS }
  const west = new Presence({ ...common, self: { id: 'w', name: 'west' }, changed: () => {} })
  const east = new Presence({
    ...common,
    self: { id: 'e', name: 'east' },
    changed: ({ name, status }: SeenHost) => void told.push(`${name} ${status}`),
    clock: () => now,
  })
  onTestFinished(() => west.stop())
  await west.start()
  await east.look()
  const pass = async (ms: number) => {
    now += ms
    await east.look()
  }
  return { workspace, east, west, told, pass, sign: () => west.want('inn', []) }
}

describe('a host that was seen once', () => {
  test('may be here or not', async () => {
    const { east } = await twoHosts()

    expect(east.statusOf('w')).toBe('unsure')
  })

  test('is here once its record moved', async () => {
    const { east, sign, pass } = await twoHosts()
    await sign()
    await pass(10)

    expect(east.statusOf('w')).toBe('here')
  })

  test('is away once its record stood still for its lease', async () => {
    const { east, told, pass } = await twoHosts()
    for (let third = 0; third < 3; third += 1) await pass(LEASE_MS / 3)

    expect(east.statusOf('w')).toBe('away')
    expect(told).toEqual(['west away'])
  })
})

describe('a host that is here', () => {
  test('stays while its signs come, however late by any clock', async () => {
    const { east, sign, pass } = await twoHosts()
    for (let times = 0; times < 10; times += 1) {
      await sign()
      await pass(LEASE_MS * 0.9)
    }

    expect(east.statusOf('w')).toBe('here')
  })

  test('is away after a lease of silence, and here again with its next sign', async () => {
    const { east, told, sign, pass } = await twoHosts()
    await sign()
    await pass(10)
    for (let third = 0; third < 4; third += 1) await pass(LEASE_MS / 3)
    const silent = east.statusOf('w')
    await sign()
    await pass(10)

    expect([silent, east.statusOf('w')]).toEqual(['away', 'here'])
    expect(told).toEqual(['west away', 'west here'])
  })

  test('is not judged by who could not look meanwhile', async () => {
    const { east, sign, pass } = await twoHosts()
    await sign()
    await pass(10)
    await pass(LEASE_MS * 5)

    expect(east.statusOf('w')).toBe('unsure')
  })

  test('that leaves has left at once', async () => {
    const { east, west, told, sign, pass } = await twoHosts()
    await sign()
    await pass(10)
    await west.stop()
    await pass(10)

    expect(east.statusOf('w')).toBe('left')
    expect(told).toEqual(['west left'])
  })

  test('that left and starts again is here', async () => {
    const { workspace, east, west, pass } = await twoHosts()
    await west.stop()
    await pass(10)
    const self = { id: 'w', name: 'west' }
    const again = new Presence({ workspace, leaseMs: LEASE_MS, self, changed: () => {} })
    onTestFinished(() => again.stop())
    await again.start()
    await pass(10)

    expect(east.statusOf('w')).toBe('here')
  })
})
