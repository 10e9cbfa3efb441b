/** A scene of one home's own mesh pays nothing for what several hosts need: no write more, no read more. */
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { expect, test } from 'vitest'
import { openStage, room, transcriptOf } from '../scenes/stage.ts'

const port = {
  topics: ['publish', 'publishAt', 'find', 'findMessage', 'read', 'tail', 'watch'],
  states: ['find', 'list', 'compareAndSwap', 'delete', 'history', 'watch'],
  mailboxes:
    'find findMessage send claim claimNext claimsOf extend settle whenSettled release read list'.split(
      ' ',
    ),
} as const

/** Calls of the port by `door.name`, from now on. */
function counted(workspace: MeshWorkspace): () => Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const door of ['topics', 'states', 'mailboxes'] as const) {
    const target = workspace[door]
    for (const name of port[door]) {
      const call: unknown = Reflect.get(target, name)
      if (typeof call !== 'function') throw new Error(`${door} has no ${name}`)
      Reflect.set(target, name, (...args: readonly unknown[]): unknown => {
        counts[`${door}.${name}`] = (counts[`${door}.${name}`] ?? 0) + 1
        return Reflect.apply(call, target, args)
      })
    }
  }
  return () => ({ ...counts })
}

test('a turn that is handed over is one request, one cue, one beat, and two ends: nothing else is written', async () => {
  const stage = await openStage(room({ direction: 'manual', world: {} }))
  const scene = await stage.open('room')
  const turn = async () =>
    await (
      await scene.delegate(scene.speaker(), { actor: 'ann', route: {} })
    ).outcome
  await turn()
  const counts = counted(scene.run.workspace)

  await turn()

  expect(await transcriptOf(scene)).toHaveLength(3)
  const { 'topics.read': reads = 0, ...others } = counts()
  // what Ann heard since; and this test's own look
  expect(reads).toBe(2)
  expect(others).toEqual({
    'topics.publishAt': 1,
    // the world, for her briefing
    'states.list': 1,
    // an id for the request, and the request
    'mailboxes.find': 1,
    'mailboxes.findMessage': 2,
    'mailboxes.send': 2,
    'mailboxes.claimNext': 2,
    'mailboxes.settle': 2,
    'mailboxes.whenSettled': 2,
  })
})
