/** A seat beside the living host of its home looks after that one's place. */
import { expect, test, vi } from 'vitest'
import { openStage, trio } from '../scenes/stage.ts'

test('a place that cannot be looked at fails the seat beside it, not the process', async () => {
  const first = await openStage(trio)
  await first.open('room')
  const second = await openStage(trio, { home: first.home })
  const beside = await second.open('room', { attach: true })
  expect(beside.isHost).toBe(false)

  vi.spyOn(second.ctx.cast, 'take').mockImplementation(() => {
    throw new Error('the folder is gone')
  })

  await expect.poll(() => beside.isUsable, { timeout: 5000 }).toBe(false)
  expect(beside.cast.broken.reason).toMatchObject({ message: 'the folder is gone' })
})
