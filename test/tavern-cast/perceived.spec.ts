import { asJson } from 'dsh-fabric-protocol'
import { perceivedBy, runOfSession, sessionIdOf } from 'dsh-tavern-cast'
import type { Beat } from 'dsh-tavern-protocol'
import { describe, expect, test } from 'vitest'
import { seededDraw } from '../../packages/dsh-tavern-cast/src/draw.ts'
import { ellis, line, mara, pip, whisper } from './beats.ts'
import { newWorkspace, openRun } from './run-bed.ts'

/** A run that has these beats, whoever heard them. */
async function runWith(beats: readonly Beat[]) {
  const workspace = newWorkspace()
  const { run } = await openRun(workspace)
  await Promise.all(
    beats.map(async (beat, index) => {
      const post = { id: `b-${index + 1}`, payload: asJson(beat), by: beat.author.id }
      await workspace.topics.publish(run.topicId, post)
    }),
  )
  return (await openRun(workspace)).run
}

const textsOf = ({ beats }: Awaited<ReturnType<typeof perceivedBy>>) =>
  beats.map(({ beat }) => beat.text)

describe('what a participant perceived', () => {
  const beats = [
    line({ text: 'all', heardBy: [mara.id, pip.id] }),
    whisper({ text: 'secret', heardBy: [pip.id] }),
    line({ text: 'again', heardBy: [mara.id, pip.id] }),
  ]

  test('is what it heard, oldest first, up to the newest beat', async () => {
    const heard = await perceivedBy(await runWith(beats), mara.id, 0)

    expect(textsOf(heard)).toEqual(['all', 'again'])
    expect(heard).toMatchObject({ to: 3, more: false })
  })

  test('since its cursor is only what came after', async () => {
    const run = await runWith(beats)

    expect(textsOf(await perceivedBy(run, pip.id, 1))).toEqual(['secret', 'again'])
    expect(await perceivedBy(run, pip.id, 3)).toEqual({ beats: [], to: 3, more: false })
    expect(textsOf(await perceivedBy(run, ellis.id, 0))).toEqual([])
  })

  test('is looked for in the newest 500 beats, and it is said that there were more', async () => {
    const many = Array.from({ length: 501 }, (_, index) =>
      line({ text: `line ${index + 1}`, heardBy: [mara.id] }),
    )
    const run = await runWith(many)

    const all = await perceivedBy(run, mara.id, 0)
    const rest = await perceivedBy(run, mara.id, 1)

    expect([textsOf(all)[0], all.beats.length, all.to, all.more]).toEqual([
      'line 2',
      500,
      501,
      true,
    ])
    expect([textsOf(rest)[0], rest.beats.length, rest.to, rest.more]).toEqual([
      'line 2',
      500,
      501,
      false,
    ])
  })
})

describe('a session of ours', () => {
  test('has its run in its id', () => {
    expect(sessionIdOf('ember-night.12', 'luo-aman')).toBe('tavern.ember-night.12.luo-aman')
    expect(runOfSession('tavern.ember-night.12.luo-aman')).toBe('ember-night.12')
  })

  test.each([
    '',
    'inn.1.mara',
    'tavern.inn.mara',
    'tavern.inn.0.mara',
    'tavern.inn.1',
    'x'.repeat(99),
  ])('is not %j', (id) => {
    expect(runOfSession(id)).toBeUndefined()
  })
})

test('draws are the same for a seed and a question, from 0 up to 1, and spread', () => {
  const questions = Array.from({ length: 400 }, (_, index) => `q${index}`)
  const drawn = questions.map(seededDraw('seed'))

  expect(questions.map(seededDraw('seed'))).toEqual(drawn)
  expect(questions.map(seededDraw('other'))).not.toEqual(drawn)
  expect(drawn.every((value) => value >= 0 && value < 1)).toBe(true)
  const low = drawn.filter((value) => value < 0.5).length
  expect(low).toBeGreaterThan(150)
  expect(low).toBeLessThan(250)
})
