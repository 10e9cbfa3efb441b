/** Two narrators come to have one request in hand: both cue whom the quicker one chose. */
import { CueId } from 'dsh-tavern-protocol'
import { describe, expect, test, vi } from 'vitest'
import { beatsOf, room } from '../scenes/stage.ts'
import { castHost, engines, type Host, moveAway, newMesh, player } from './two-homes.ts'

const files = room({ cast: [{ character: 'ann' }, { character: 'bo' }], direction: 'rota' })

/** Holds the first cue that this narrator sends back until opened. */
function holdCue({ scene }: Host) {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const { mailboxes } = scene.run.workspace
  const send = mailboxes.send.bind(mailboxes)
  vi.spyOn(mailboxes, 'send').mockImplementation(async (box, letter) => {
    if (letter.id?.endsWith('#0')) {
      reached.resolve()
      await opened.promise
    }
    return await send(box, letter)
  })
  return { reached: reached.promise, open: opened.resolve }
}

describe.each(engines)('on %s a narrator that stalls before it sent its first cue', (engine) => {
  test('cues nobody else than the one that took its place', async () => {
    const mesh = await newMesh(engine)
    const east = await player(files, mesh)
    const west = await castHost(files, mesh)
    const { run } = east.scene
    const { mailboxes } = run.workspace
    const stalled = holdCue(east)
    const { outcome, requestId } = await east.scene.submit(east.scene.speaker(), {
      id: await east.scene.nextId('line'),
      text: 'Good evening.',
    })
    await stalled.reached
    // whoever plans now chooses another
    await east.scene.exit('ann')
    await moveAway(east, 'narrator', west)
    expect(await outcome).toMatchObject({ status: 'answered', failures: [] })

    stalled.open()
    await expect.poll(() => east.scene.roles?.isMine('narrator')).toBe(false)
    await moveAway(west, 'narrator', east)
    const again = await east.scene.delegate(east.scene.speaker(), { actor: 'bo', route: {} })
    expect(await again.outcome).toMatchObject({ status: 'answered' })

    const cueId = CueId(requestId, 0)
    const cued: string[] = []
    for (const character of ['ann', 'bo']) {
      if (await mailboxes.findMessage(run.mailboxOf(character), cueId)) cued.push(character)
    }
    expect(cued).toHaveLength(1)
    const authors = (await beatsOf(east.scene))
      .filter(({ beat }) => beat.cause === cueId)
      .map(({ beat }) => beat.author.id)
    expect(authors).toEqual(cued.map((character) => `character:${character}`))
  })
})
