/** Who is here is judged by whether its record moves, on the clock of who looks. */
import type { MeshWorkspace } from 'dsh-fabric-mesh'
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
  const inn = east.of('inn')
  onTestFinished(() => west.stop())
  await west.start('inn')
  await inn.look()
  const pass = async (ms: number) => {
    now += ms
    await inn.look()
  }
  return { workspace, inn, west, told, pass, sign: () => west.want('inn', []) }
}

describe('a host that was seen once', () => {
  test('may be here or not', async () => {
    const { inn } = await twoHosts()

    expect(inn.statusOf('w')).toBe('unsure')
  })

  test('is here once its record moved', async () => {
    const { inn, sign, pass } = await twoHosts()
    await sign()
    await pass(10)

    expect(inn.statusOf('w')).toBe('here')
  })

  test('is away once its record stood still for its lease', async () => {
    const { inn, told, pass } = await twoHosts()
    for (let third = 0; third < 3; third += 1) await pass(LEASE_MS / 3)

    expect(inn.statusOf('w')).toBe('away')
    expect(told).toEqual(['west away'])
  })
})

describe('a host that is here', () => {
  test('stays while its signs come, however late by any clock', async () => {
    const { inn, sign, pass } = await twoHosts()
    for (let times = 0; times < 10; times += 1) {
      await sign()
      await pass(LEASE_MS * 0.9)
    }

    expect(inn.statusOf('w')).toBe('here')
  })

  test('is away after a lease of silence, and here again with its next sign', async () => {
    const { inn, told, sign, pass } = await twoHosts()
    await sign()
    await pass(10)
    for (let third = 0; third < 4; third += 1) await pass(LEASE_MS / 3)
    const silent = inn.statusOf('w')
    await sign()
    await pass(10)

    expect([silent, inn.statusOf('w')]).toEqual(['away', 'here'])
    expect(told).toEqual(['west away', 'west here'])
  })

  test('is not judged by who could not look meanwhile', async () => {
    const { inn, sign, pass } = await twoHosts()
    await sign()
    await pass(10)
    await pass(LEASE_MS * 5)

    expect(inn.statusOf('w')).toBe('unsure')
  })

  test('that leaves has left at once', async () => {
    const { inn, west, told, sign, pass } = await twoHosts()
    await sign()
    await pass(10)
    await west.stop()
    await pass(10)

    expect(inn.statusOf('w')).toBe('left')
    expect(told).toEqual(['west left'])
  })

  test('that left and starts again is here', async () => {
    const { workspace, inn, west, pass } = await twoHosts()
    await west.stop()
    await pass(10)
    const self = { id: 'w', name: 'west' }
    const again = new Presence({ workspace, leaseMs: LEASE_MS, self, changed: () => {} })
    onTestFinished(() => again.stop())
    await again.start('inn')
    await pass(10)

    expect(inn.statusOf('w')).toBe('here')
  })
})

/** Another process of the same home, which can die without a word. */
function processOf(workspace: MeshWorkspace, id: string) {
  const made = new Presence({
    workspace,
    leaseMs: LEASE_MS,
    self: { id, name: 'west' },
    changed: () => {},
  })
  onTestFinished(() => made.stop())
  return made
}

describe('a home with a process for each of two scenes', () => {
  test('wants in each what its process there wants', async () => {
    const { workspace, inn, west, pass } = await twoHosts()
    await west.want('inn', ['mara'])
    const second = processOf(workspace, 'w')
    await second.want('mill', ['tess'])
    await second.start('mill')
    await west.want('inn', ['mara', 'ivo'])
    await pass(10)

    const east = processOf(workspace, 'e').of('mill')
    await east.look()
    expect(inn.hosts.map(({ wants }) => wants)).toEqual([['mara', 'ivo']])
    expect(east.hosts.map(({ wants }) => wants)).toEqual([['tess']])
  })

  test('is away in the scene whose process is silent, and here in the other', async () => {
    const { workspace, inn, sign, pass } = await twoHosts()
    const second = processOf(workspace, 'w')
    await second.start('mill')
    await sign()
    await pass(10)
    for (let third = 0; third < 4; third += 1) {
      await second.want('mill', [])
      await pass(LEASE_MS / 3)
    }

    expect(inn.statusOf('w')).toBe('away')
  })

  test('has not left while another process has the place of the one that leaves', async () => {
    const { workspace, inn, west, pass } = await twoHosts()
    const second = processOf(workspace, 'w')
    await second.start('inn')
    await west.stop()
    await pass(10)

    expect(inn.statusOf('w')).toBe('here')
  })
})

test('a process that closed a scene has left that scene alone', async () => {
  const { workspace, inn, west, pass } = await twoHosts()
  await west.start('mill')
  await west.leave('inn')
  await pass(10)

  const mill = processOf(workspace, 'e').of('mill')
  await mill.look()
  expect([inn.statusOf('w'), mill.statusOf('w')]).toEqual(['left', 'unsure'])
})
