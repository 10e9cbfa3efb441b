/** The characters' sessions in the host's own list of sessions. */
import { type Session, SessionId } from '@deepseek-ai/dsh-session'
import SessionTitle from '@deepseek-ai/dsh-session-title'
import { sessionIdOf } from 'dsh-tavern-cast'
import * as SessionNames from 'dsh-tavern-delegate/session-names'
import { expect, it } from 'vitest'
import { say, trio } from '../scenes/stage.ts'
import { openSeatStage, type SeatStage } from './seat.ts'

async function openNamedStage(): Promise<SeatStage> {
  const stage = await openSeatStage(trio)
  await stage.ctx.plugin(SessionTitle, {
    fallbackMaxWords: 5,
    fallbackMaxBytes: 40,
    maxTitleBytes: 80,
  })
  await stage.ctx.plugin(SessionNames)
  return stage
}

function sessionOf({ ctx }: SeatStage, sessionId: string): Session | undefined {
  return ctx.agents.get(SessionId(sessionId))?.session
}

function titleOf(stage: SeatStage, sessionId: string): string | undefined {
  const session = sessionOf(stage, sessionId)
  return session && stage.ctx.sessionTitle.get(session)?.title
}

it('a session of a character is named after it and its run, and no other session is', async () => {
  const stage = await openNamedStage()
  const seat = await stage.session()

  const { run } = await stage.open('room')

  await expect.poll(() => titleOf(stage, sessionIdOf(run.id, 'ann'))).toBe('Ann, room.1')
  expect(titleOf(stage, seat.session.id)).toBeUndefined()
})

it('a name that a person gave stays when the scene is opened again', async () => {
  const stage = await openNamedStage()
  const scene = await stage.open('room')
  const [ann, bo] = [sessionIdOf(scene.run.id, 'ann'), sessionIdOf(scene.run.id, 'bo')]
  await say(scene, 'Good evening.')
  await expect.poll(() => titleOf(stage, ann)).toBe('Ann, room.1')
  const session = sessionOf(stage, ann)
  if (!session) throw new Error('Ann has no session')
  stage.ctx.sessionTitle.rename(session, 'My Ann')
  await stage.ctx.sessions.flush(session)
  await scene.close()

  await stage.open('room')

  await expect.poll(() => titleOf(stage, bo)).toBe('Bo, room.1')
  expect(titleOf(stage, ann)).toBe('My Ann')
})
