/** Who hosts what in a run: assigned once, moved by compare-and-swap, kept to by every process. */
import { describe, expect, test } from 'vitest'
import { openStage, room, say, scripted, transcriptOf, trio } from '../scenes/stage.ts'
import { castHost, engines, LEASE_MS, moveAway, newMesh, player } from './two-homes.ts'

const files = room({ direction: 'manual' })

async function delegated(scene: Awaited<ReturnType<typeof player>>['scene'], actor: string) {
  return await (
    await scene.delegate(scene.speaker(), { actor, route: {} })
  ).outcome
}

describe.each(engines)('a role on %s', (engine) => {
  test('of one home’s own mesh has no record, and nothing is written for it', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    await say(scene, 'Good evening.')

    const { states } = scene.run.workspace
    expect(scene.roles).toBeUndefined()
    expect(await states.list('host/')).toEqual([])
    expect(await states.list(`run/${scene.run.id}/company/host/`)).toEqual([])
    expect(await states.list(`run/${scene.run.id}/standing/`)).toEqual([])
  })

  test('that nobody wants is with who plays', async () => {
    const { scene, id } = await player(files, await newMesh(engine))

    expect(scene.roles?.hosted.map(({ role, host }) => [role, host])).toEqual(
      ['narrator', 'ann', 'bo', 'cy'].map((role) => [role, id]),
    )
  })

  test('that is moved is performed by its new host alone', async () => {
    const mesh = await newMesh(engine)
    const east = await player(files, mesh)
    const west = await castHost(files, mesh)
    east.stage.model.script(() => 'From the east.')
    west.stage.model.script(() => 'From the west.')
    await delegated(east.scene, 'ann')
    await moveAway(east, 'ann', west)
    await expect.poll(() => west.scene.cast.isHosted('ann')).toBe(true)
    await expect.poll(() => east.scene.cast.isHosted('ann')).toBe(false)

    await delegated(east.scene, 'ann')
    await moveAway(west, 'ann', east)
    await expect.poll(() => east.scene.cast.isHosted('ann')).toBe(true)
    await delegated(east.scene, 'ann')

    const said = await transcriptOf(east.scene)
    expect(said.slice(1)).toEqual([
      'Ann: From the east.',
      'Ann: From the west.',
      'Ann: From the east.',
    ])
    // a character knows what it said on the other machine
    expect(west.stage.model.of('ann').at(-1)?.bytes).toContain('From the east.')
    expect(east.stage.model.of('ann').at(-1)?.bytes).toContain('From the west.')
  })

  test('of the narrator is moved with the request in its hands: it goes on from the cues that were sent', async () => {
    const mesh = await newMesh(engine)
    const east = await player(room({ direction: 'rota' }), mesh)
    const west = await castHost(room({ direction: 'rota' }), mesh)
    let isHeld = true
    const held = Promise.withResolvers<void>()
    east.stage.model.script(({ actor }) => {
      if (actor !== 'bo' || !isHeld) return `I am ${actor}.`
      held.resolve()
      return { hang: 'Well' }
    })
    const saying = say(east.scene, 'Good evening.')
    await held.promise
    isHeld = false
    await moveAway(east, 'narrator', west)
    await expect.poll(() => west.scene.roles?.isMine('narrator')).toBe(true)
    await moveAway(east, 'bo', west)

    const outcome = await saying

    expect(outcome).toMatchObject({ status: 'answered', failures: [] })
    expect(await transcriptOf(west.scene)).toEqual(await transcriptOf(east.scene))
    const said = await transcriptOf(east.scene)
    expect(said.filter((line) => line.startsWith('Ann'))).toHaveLength(1)
    expect(said.filter((line) => line.startsWith('Bo'))).toHaveLength(1)
  })
})

test.each(engines)(
  'on %s a person stops an answer that another machine is giving',
  async (engine) => {
    const mesh = await newMesh(engine)
    const east = await player(files, mesh)
    const west = await castHost(files, mesh)
    await moveAway(east, 'ann', west)
    await expect.poll(() => west.scene.cast.isHosted('ann')).toBe(true)
    const begun = Promise.withResolvers<void>()
    west.stage.model.script(() => {
      begun.resolve()
      return { hang: 'I am about to' }
    })
    const answered = delegated(east.scene, 'ann')
    await begun.promise

    east.scene.cancel()

    expect(await answered).toMatchObject({ status: 'cancelled', beats: [] })
    west.stage.model.script(() => 'Now I may.')
    expect(await delegated(east.scene, 'ann')).toMatchObject({ status: 'answered' })
    const { states } = east.scene.run.workspace
    expect(await states.list(`run/${east.scene.run.id}/company/cancel/`)).toEqual([])
  },
)

test.each(engines)(
  'on %s what was stopped while its host was away is not performed',
  async (engine) => {
    const mesh = await newMesh(engine)
    const east = await player(files, mesh)
    const west = await castHost(files, mesh)
    await moveAway(east, 'ann', west)
    await expect.poll(() => east.scene.cast.isHosted('ann')).toBe(false)
    await west.scene.close()
    const { scenes } = west.stage.ctx
    const asked = await east.scene.delegate(east.scene.speaker(), { actor: 'ann', route: {} })
    const { states, mailboxes } = east.scene.run.workspace
    await expect
      .poll(() => mailboxes.list(east.scene.run.mailboxOf('ann'), 'queued'))
      .toHaveLength(1)
    east.scene.cancel()
    const cancelled = `run/${east.scene.run.id}/company/cancel/`
    await expect.poll(() => states.list(cancelled)).toHaveLength(1)

    const stored = await scenes.findRun('room')
    if (!stored) throw new Error('the scene was not begun')
    const again = await scenes.hostRoles(stored, { roles: [], route: scripted })
    await again.serve(new AbortController().signal)

    expect(await asked.outcome).toMatchObject({ status: 'cancelled', beats: [] })
    expect(west.stage.model.of('ann')).toEqual([])
  },
)

test('a character that was moved to a host without its card fails its cue, and the scene goes on', async () => {
  const mesh = await newMesh()
  const east = await player(files, mesh)
  const west = await castHost({ ...files, characters: {} }, mesh)
  await moveAway(east, 'ann', west)

  const outcome = await delegated(east.scene, 'ann')

  expect(outcome?.failures).toMatchObject([{ character: 'ann', code: 'unknown-character' }])
  expect(await delegated(east.scene, 'bo')).toMatchObject({ status: 'answered' })
  // and whoever plays next with such a role can still open the scene
  const again = await castHost({ ...files, characters: {} }, mesh, {
    name: 'north',
    roles: ['ann'],
  }).catch((error: unknown) => error)
  expect(again).toMatchObject({ code: 'unknown-character' })
})

test('claims of an opening before the mesh was shared are regained, and the other way round', async () => {
  const alone = await openStage(files)
  const path = `${alone.home}/tavern/mesh.sqlite`
  const first = await alone.open('room')
  const begun = Promise.withResolvers<void>()
  alone.model.script(() => {
    begun.resolve()
    return { hang: 'I am about to' }
  })
  await first.delegate(first.speaker(), { actor: 'ann', route: {} })
  await begun.promise
  await alone.close()

  const shared = await openStage(files, {
    home: alone.home,
    mesh: { kind: 'sqlite', path },
    leaseMs: LEASE_MS,
  })
  const second = await shared.open('room', { route: scripted })
  await second.idle()

  expect(await transcriptOf(second)).toContain('Ann: I am ann.')
  const hanging = Promise.withResolvers<void>()
  shared.model.script(() => {
    hanging.resolve()
    return { hang: 'And I' }
  })
  await second.delegate(second.speaker(), { actor: 'bo', route: {} })
  await hanging.promise
  await shared.ctx.scenes.leave()
  await shared.close()

  const again = await openStage(files, { home: alone.home })
  const third = await again.open('room')
  await third.idle()

  expect(await transcriptOf(third)).toContain('Bo: I am bo.')
})
