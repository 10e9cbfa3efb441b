/** A run that begins on a shared mesh: whose cards are wanted depends on who is there. */
import { expect, onTestFinished, test } from 'vitest'
import { openStage, room } from '../scenes/stage.ts'
import { LEASE_MS, newMesh } from './two-homes.ts'

const files = room({ direction: 'manual' })
const cardless = { ...files, characters: { bo: { name: 'Bo' }, cy: { name: 'Cy' } } }

/** A stage whose machine has no card of Ann. */
async function withoutAnn(mesh: Awaited<ReturnType<typeof newMesh>>) {
  const stage = await openStage(cardless, { mesh, hostName: 'east', leaseMs: LEASE_MS })
  onTestFinished(() => stage.ctx.scenes.leave())
  return stage
}

async function wanting(mesh: Awaited<ReturnType<typeof newMesh>>) {
  const west = await openStage(files, { mesh, hostName: 'west', leaseMs: LEASE_MS })
  const { presence } = west.ctx.scenes
  onTestFinished(() => west.ctx.scenes.leave())
  await presence.want('room', ['ann'])
  await presence.start('room')
  return west
}

test('a card that a host which is here has is not looked for', async () => {
  const mesh = await newMesh()
  const west = await wanting(mesh)
  const east = await withoutAnn(mesh)

  const scene = await east.open('room', { start: 'new' })

  expect(scene.roles?.find('ann')?.host).toBe(west.ctx.scenes.presence.self.id)
})

test.each(['left', 'here'] as const)(
  'the wish of a host that is gone is no card: %s',
  async (status) => {
    const mesh = await newMesh()
    const east = await withoutAnn(mesh)
    await east.ctx.scenes.workspace.states.compareAndSwap({
      key: 'host/room/0123456789ab',
      expectedVersion: 0,
      value: { name: 'west', leaseMs: LEASE_MS, status, wants: ['ann'] },
      by: 'w',
    })

    const opening = east.open('room', { start: 'new' })

    await expect(opening).rejects.toMatchObject({ code: 'unknown-character' })
    expect(await east.ctx.scenes.findRun('room')).toBeUndefined()
  },
)

test('a home whose scene could not be opened is not there for it', async () => {
  const mesh = await newMesh()
  const east = await withoutAnn(mesh)
  await east.open('room', { start: 'new' }).catch(() => {})

  const { states } = east.ctx.scenes.workspace
  await expect.poll(() => states.list('host/room/')).toMatchObject([{ value: { status: 'left' } }])
})
