/** A move that was cut off is finished by repeating it, and no claim is left with who no longer hosts. */
import { join } from 'node:path'
import { workerKey } from 'dsh-fabric-mesh'
import { Company } from 'dsh-tavern-cast'
import { RunId } from 'dsh-tavern-protocol'
import { patientWorkspace } from 'dsh-tavern-scene'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStage, room } from '../scenes/stage.ts'
import { newWorkspace } from '../tavern-cast/run-bed.ts'
import { awayOnce } from './away.ts'
import { castHost, type Host, LEASE_MS, newMesh, player } from './two-homes.ts'

const files = room({ direction: 'manual' })
const dead = { id: 'tavern@dead', secret: 'a secret of sixteen bytes and more' }

/** What another process writes down of who hosts a role, and nothing more. */
async function assign({ scene }: Host, role: string, to: { readonly id: string }): Promise<void> {
  const company = new Company(scene.run.workspace, scene.run.id)
  await company.load()
  await company.put(`host/${role}`, { host: to.id, name: 'someone', since: 0 }, 'seat:Ellis')
}

async function cue({ scene }: Host, actor: string) {
  return await scene.delegate(scene.speaker(), { actor, route: {} })
}

describe('a move that was written down, and whose mover died before it took the claims back', () => {
  test('is finished when it is asked for again', async () => {
    const east = await player(files, await newMesh())
    const { cast, run } = east.scene
    await assign(east, 'ann', { id: 'dead' })
    await expect.poll(() => cast.isHosted('ann')).toBe(false)
    const { outcome } = await cue(east, 'ann')
    const { mailboxes } = run.workspace
    await mailboxes.claimNext(run.mailboxOf('ann'), dead, AbortSignal.timeout(5000))
    await assign(east, 'ann', east)
    await expect.poll(() => cast.isHosted('ann')).toBe(true)

    await east.scene.move('ann', 'east')

    expect(await outcome).toMatchObject({ status: 'answered' })
  })
})

test('a move that someone else made meanwhile, to the same host, is made', async () => {
  const mesh = await newMesh()
  const east = await player(files, mesh)
  const west = await castHost(files, mesh)
  const { company } = east.scene.run
  const swap = company.swap.bind(company)
  vi.spyOn(company, 'swap').mockImplementationOnce(async (...args) => {
    await swap(...args)
    return false
  })

  const moved = await east.scene.move('ann', 'west')

  expect(moved.host).toBe(west.id)
  await expect.poll(() => east.scene.cast.isHosted('ann')).toBe(false)
})

test('a swap whose answer was lost on its way is known to have been made', async () => {
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const real = newWorkspace()
  const workspace = patientWorkspace(awayOnce(real, 'states', 'compareAndSwap'), {
    pauseMs: 1,
    signal: closing.signal,
    waiting: () => {},
    back: () => {},
  })
  const company = new Company(workspace, RunId('room', 1))

  const swapped = await company.swap('host/ann', { host: 'w' }, 'e')

  expect(swapped).toBe(true)
  expect(await real.states.list('run/')).toMatchObject([{ version: 1 }])
})

describe('what a host had claimed when its role was given to another, and nobody took back', () => {
  test.each(['ann', 'narrator'] as const)('is queued again by itself: %s', async (role) => {
    const east = await player(files, await newMesh())
    const { run } = east.scene
    const begun = Promise.withResolvers<void>()
    east.stage.model.script(() => {
      begun.resolve()
      return { hang: 'I am about to' }
    })
    await cue(east, 'ann')
    await begun.promise
    const box = role === 'narrator' ? run.narratorMailbox : run.mailboxOf(role)
    expect(await run.workspace.mailboxes.list(box, 'claimed')).toHaveLength(1)

    await assign(east, role, { id: 'another' })

    const { mailboxes } = run.workspace
    await expect.poll(() => mailboxes.list(box, 'queued')).toHaveLength(1)
    expect(await mailboxes.list(box, 'claimed')).toEqual([])
  })

  test('by an opening that has ended is queued again by the next', async () => {
    const mesh = await newMesh()
    const stage = await openStage(files, { mesh, leaseMs: LEASE_MS })
    const east = { stage, scene: await stage.open('room'), id: stage.ctx.scenes.presence.self.id }
    const { home } = stage
    const { run } = east.scene
    await assign(east, 'ann', { id: 'another' })
    await expect.poll(() => east.scene.cast.isHosted('ann')).toBe(false)
    await cue(east, 'ann')
    await expect
      .poll(() => run.workspace.mailboxes.list(run.mailboxOf('ann'), 'queued'))
      .not.toEqual([])
    const secret = workerKey(join(home, 'tavern', 'worker.key'))
    const worker = { id: `tavern@${east.id}`, secret }
    expect(await run.workspace.mailboxes.claim(run.mailboxOf('ann'), worker)).toBeDefined()
    await stage.ctx.scenes.leave()
    await stage.close()

    const again = await openStage(files, { home, mesh, leaseMs: LEASE_MS })
    onTestFinished(() => again.ctx.scenes.leave())
    const scene = await again.open('room')

    const { mailboxes } = scene.run.workspace
    expect(await mailboxes.list(run.mailboxOf('ann'), 'queued')).toHaveLength(1)
  })
})
