/** Several processes publish beats of one run: who hears each is decided at its place on the topic. */
import { expect, test } from 'vitest'
import { ellis, entrance, exit, line, mara, pip } from '../tavern-cast/beats.ts'
import { newWorkspace, openRun } from '../tavern-cast/run-bed.ts'

test('nobody is named a hearer after it left, whoever published the exit', async () => {
  const workspace = newWorkspace()
  const [here, there] = [await openRun(workspace), await openRun(workspace)]
  await there.run.publish('gone', exit())

  const after = await here.run.publish('said', line({ author: mara }))

  expect(after.beat.heardBy).not.toContain(pip.id)
})

test('who entered elsewhere hears what is said next', async () => {
  const workspace = newWorkspace()
  const [here, there] = [await openRun(workspace), await openRun(workspace)]
  const crane = { id: 'character:crane', name: 'Crane' } as const
  await there.run.publish('in', entrance({ author: crane, character: 'crane' }))

  const after = await here.run.publish('said', line({ author: ellis }))

  expect(after.beat.heardBy).toContain(crane.id)
})

test('while both publish at once every beat knows all exits before it', async () => {
  const workspace = newWorkspace()
  const runs = await Promise.all([openRun(workspace), openRun(workspace), openRun(workspace)])
  const moves = Array.from({ length: 12 }, (_, index) =>
    index % 2 === 0 ? exit() : entrance({ author: pip, character: 'pip' }),
  )
  await Promise.all([
    ...moves.map((move, index) => runs[0].run.publish(`move-${index}`, move)),
    ...moves.map((_, index) => runs[1].run.publish(`b-${index}`, line({ author: mara }))),
    ...moves.map((_, index) => runs[2].run.publish(`c-${index}`, line({ author: ellis }))),
  ])

  let isPresent = true
  const wrong: number[] = []
  for (const { sequence, beat } of await runs[0].run.read(0, 500)) {
    if (beat.kind === 'line' && beat.heardBy.includes(pip.id) !== isPresent) wrong.push(sequence)
    if (beat.kind === 'exit') isPresent = false
    if (beat.kind === 'entrance') isPresent = true
  }
  expect(wrong).toEqual([])
  const told = runs.map(({ told: beats }) => beats.map(({ sequence }) => sequence))
  for (const sequences of told) expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
})
