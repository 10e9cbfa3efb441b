/** The rules of a scene on the real host: what sets them off, what they become, and what goes wrong with them. */
import { join } from 'node:path'
import { runCommand, SceneError } from 'dsh-tavern-scene'
import { describe, expect, it, vi } from 'vitest'
import type { Answer, ScriptedRequest } from './scripted-adapter.ts'
import { beatsOf, newHome, openStage, ruledRoom, say, transcriptOf, trio } from './stage.ts'

const world = {
  lamp: { value: 'lit' },
  oil: { value: 3 },
  safe: { value: 'empty', knownTo: ['bo'] },
}

/** All but the opening. */
async function played(scene: Parameters<typeof transcriptOf>[0]) {
  return (await transcriptOf(scene)).slice(1)
}

describe('a rule', () => {
  it('runs after a line and before who answers it, and they perceive what it narrates', async () => {
    const stage = await openStage(
      ruledRoom({
        wind: [{ on: ['line'] }, "if (cause.author.name === 'Ellis') narrate('A draught.')"],
      }),
    )
    const scene = await stage.open('room')

    await say(scene, 'Hello.')

    expect(await played(scene)).toEqual([
      'Ellis: Hello.',
      'Narrator: A draught.',
      'Ann: I am ann.',
      'Bo: I am bo.',
    ])
    expect(stage.model.of('ann')[0]?.newest).toContain('* A draught. *')
  })

  it('changes the world with its beat, for all who act after it', async () => {
    const text =
      "world.set('oil', world.get('oil') - 1)\nnarrate(`Oil for ${world.get('oil')} hours.`)"
    const stage = await openStage(ruledRoom({ lamp: [{ every: 2 }, text] }, { world }))
    const scene = await stage.open('room')

    await say(scene, 'Hello.')

    const changed = (await beatsOf(scene)).filter(({ beat }) => 'changes' in beat)
    expect(changed.map(({ beat }) => beat)).toMatchObject([
      {
        kind: 'narration',
        text: 'Oil for 2 hours.',
        cause: 'line-1#0',
        changes: [{ status: 'applied', key: 'oil', value: 2, version: 2 }],
      },
    ])
    expect(changed[0]?.id).toBe('line-1#0@lamp')
    expect(stage.model.of('bo')[0]?.newest).toContain('- oil (version 2): 2')
  })

  it('runs when its condition becomes true, once, whatever made it so', async () => {
    const stage = await openStage(
      ruledRoom(
        {
          dark: [{ when: { key: 'oil', atMost: 1 } }, "narrate('The lamp gutters.')"],
          burn: [{ on: ['line'] }, "world.set('oil', world.get('oil') - 1)"],
        },
        { world },
      ),
    )
    const scene = await stage.open('room')

    await say(scene, 'Hello.')
    await say(scene, 'Again.')

    const told = (await beatsOf(scene)).filter(({ beat }) => beat.text === 'The lamp gutters.')
    expect(told.map(({ id }) => id)).toEqual(['line-1#0@dark'])
  })

  it('rolls from the seed: two homes roll the same, another seed does not', async () => {
    const files = ruledRoom({ dice: [{ on: ['line'] }, "roll('3d6+1', { label: 'Luck' })"] })
    const rolls = async (seed: number) => {
      const stage = await openStage(files)
      const scene = await stage.open('room', { seed })
      await say(scene, 'Hello.')
      await say(scene, 'Again.')
      const beats = (await beatsOf(scene)).filter(({ beat }) => beat.kind === 'roll')
      await stage.close()
      return beats.map(({ id, beat }) => ({ id, beat }))
    }

    const [first, second, other] = [await rolls(7), await rolls(7), await rolls(8)]

    expect(first).toHaveLength(6)
    expect(second).toEqual(first)
    expect(other).not.toEqual(first)
    for (const { beat } of first) {
      if (beat.kind !== 'roll') throw new Error('not a roll')
      expect(beat.dice).toBe('3d6+1')
      expect(beat.total).toBeGreaterThanOrEqual(4)
      expect(beat.total).toBeLessThanOrEqual(19)
      expect(beat.text).toMatch(/^Luck: 3d6\+1 = \d+ \(\d, \d, \d\)$/)
    }
  })

  it('keeps variables that no character is told of, and a hidden roll to whoever directs', async () => {
    const text = `variables.set('dread', variables.get('dread') + 1)
roll('d20', { hidden: true })
tell('bo', \`Only you hear it, \${scene.cast.length}.\`)`
    const stage = await openStage(
      ruledRoom({ dread: [{ on: ['line'] }, text] }, { variables: { dread: 41 } }),
    )
    const scene = await stage.open('room')

    await say(scene, 'Hello.')

    const beats = await beatsOf(scene)
    const hidden = beats.filter(({ beat }) => beat.kind === 'roll' || beat.kind === 'world')
    expect(hidden.length).toBeGreaterThan(1)
    for (const { beat } of hidden) expect(beat.heardBy).toEqual(['narrator'])
    expect(await scene.world()).toContainEqual({ key: 'dread', value: 44, version: 4, knownTo: [] })
    expect(stage.model.of('bo')[0]?.newest).toContain('Only you hear it, 3.')
    expect(stage.model.of('ann')[0]?.bytes).not.toContain('Only you hear')
    for (const { bytes } of stage.model.requests) expect(bytes).not.toContain('dread')
  })
})

describe('a rule that fails', () => {
  it('is told to whoever directs with its place, and the scene goes on', async () => {
    const stage = await openStage(
      ruledRoom({
        bad: [{ on: ['line'] }, "narrate('Half.')\nthrow new Error('the pump is dry')"],
      }),
    )
    const scene = await stage.open('room')

    const outcome = await say(scene, 'Hello.')

    expect(outcome?.status).toBe('answered')
    const notices = (await beatsOf(scene)).filter(({ beat }) => beat.kind === 'notice')
    expect(notices).toHaveLength(3)
    expect(notices[0]?.beat.text).toContain('rules/bad.ts:')
    expect(notices[0]?.beat.text).toContain('exception: ')
    expect(notices[0]?.beat.text).toContain('the pump is dry')
    for (const { beat } of notices) expect(beat.heardBy).toEqual(['seat:Ellis', 'narrator'])
    for (const { bytes } of stage.model.requests) expect(bytes).not.toContain('the pump')
    expect(await played(scene)).not.toContain('Narrator: Half.')
  })

  it('three times in a row rests until the scene is opened again, and says so', async () => {
    const home = newHome()
    const files = ruledRoom({ bad: [{ on: ['line'] }, "throw new Error('dry')"] })
    const first = await openStage(files, { home })
    const scene = await first.open('room')
    await say(scene, 'One.')
    await say(scene, 'Two.')
    const notices = (await beatsOf(scene)).filter(({ beat }) => beat.kind === 'notice')
    await first.close()
    const again = await openStage(files, { home })
    const reopened = await again.open('room')
    await say(reopened, 'Three.')

    const later = (await beatsOf(reopened)).filter(({ beat }) => beat.kind === 'notice')

    expect(notices.map(({ beat }) => beat.text.includes('rests'))).toEqual([false, false, true])
    expect(later).toHaveLength(6)
  })

  it('hanging, is stopped and told like any other', async () => {
    const stage = await openStage(ruledRoom({ loop: [{ on: ['line'] }, 'while (true) {}'] }))
    const scene = await stage.open('room')

    const outcome = await say(scene, 'Hello.')

    expect(outcome?.status).toBe('answered')
    const notices = (await beatsOf(scene)).filter(({ beat }) => beat.kind === 'notice')
    expect(notices[0]?.beat.text).toContain('timeout: ')
    expect(await played(scene)).toContain('Bo: I am bo.')
  })

  it('finding another kind of value than it was promised, fails by name and without the value', async () => {
    const text = "world.set('oil', world.get('oil') - 1)"
    const stage = await openStage(ruledRoom({ burn: [{ on: ['line'] }, text] }, { world }))
    const scene = await stage.open('room')
    stage.model.script(({ actor, afterTool }) => {
      if (actor !== 'ann' || afterTool) return `I am ${actor}.`
      return { call: 'world_set', args: { key: 'oil', value: 'none', expected_version: 2 } }
    })

    await say(scene, 'Hello.')

    const notice = (await beatsOf(scene)).find(({ beat }) => beat.kind === 'notice')
    expect(notice?.beat.text).toContain("world 'oil' is now a string, not a number")
    expect(notice?.beat.text).not.toContain('none')
  })
})

describe('a rule asked for', () => {
  const files = ruledRoom(
    {
      table: [
        { about: 'What is behind the door' },
        'narrate(`Behind it: ${cause.text || "nothing"}.`)',
      ],
    },
    { direction: 'directed' },
  )

  it('by the narrator’s tool runs in its place among the cues', async () => {
    const stage = await openStage(files)
    const scene = await stage.open('room')
    const calls: Answer[] = [
      { call: 'cue', args: { character: 'ann' } },
      { call: 'run_rule', args: { rule: 'table', note: 'a cat' } },
      { call: 'run_rule', args: { rule: 'chair' } },
      { call: 'cue', args: { character: 'bo' } },
      { call: 'end', args: {} },
    ]
    stage.model.script(({ actor }: ScriptedRequest) =>
      actor === 'narrator' ? (calls.shift() ?? 'Done.') : `I am ${actor}.`,
    )

    await say(scene, 'What is behind the door?')

    expect((await played(scene)).slice(1)).toEqual([
      'Ann: I am ann.',
      'Narrator: Behind it: a cat.',
      'Bo: I am bo.',
    ])
    const [asked] = stage.model.of('narrator')
    expect(asked?.bytes).toContain('"name":"run_rule"')
    expect(asked?.system).toContain('- table: What is behind the door')
    expect(stage.model.of('narrator')[3]?.bytes).toContain("no rule 'chair' (rules: table)")
  })
})

describe('a scene whose rules are wrong', () => {
  it('is not opened: every fault is told with file, line, column and the line', async () => {
    const text = "// the oil\nworld.set('oil', 'low')\nnarrate(world.get('wine'))\nroll('2x6')"
    const files = ruledRoom(
      { burn: [{ on: ['line'] }, text], fine: [{}, "narrate('x')"] },
      { world },
    )
    const stage = await openStage(files)

    const error = await stage.open('room').catch((found: unknown) => found)

    expect(error).toBeInstanceOf(SceneError)
    const message = error instanceof SceneError ? error.message : ''
    const file = join(stage.home, 'test', 'scenes', 'room', 'rules', 'burn.ts')
    expect(message).toContain(`${file}:2:`)
    expect(message).toContain("world.set('oil', 'low')")
    expect(message).toContain(`${file}:3:`)
    expect(message).toContain(`${file}:4:`)
    expect(message).not.toContain('fine.ts')
    await expect(stage.ctx.scenes.check('room')).rejects.toThrow(`${file}:2:`)
  })

  it('and one without rules is opened without any thread for them', async () => {
    const stage = await openStage(trio)
    const { checkedCode } = stage.ctx
    const used = [vi.spyOn(checkedCode, 'check'), vi.spyOn(checkedCode, 'run')]
    const scene = await stage.open('room')

    await say(scene, 'Hello.')

    for (const spied of used) expect(spied).not.toHaveBeenCalled()
    expect(await scene.run.workspace.states.find(`run/${scene.run.id}/rules`)).toBeUndefined()
  })
})

describe('at the seat', () => {
  const table = [{ about: 'What the cards say' }, 'narrate(`The cards: ${cause.text}.`)'] as const

  it('/rule runs one by name, for whoever sits there, and lists them without a name', async () => {
    const stage = await openStage(ruledRoom({ cards: table }))
    const scene = await stage.open('room')
    const call = { scene, speaker: scene.speaker() }

    const listed = await runCommand('/rule', call)
    const ran = await runCommand('/rule cards the fool', call)
    const unknown = await runCommand('/rule dice', call)

    expect(listed?.text).toBe('cards: What the cards say')
    expect(ran).toEqual({ kind: 'success', text: 'The cards: the fool.' })
    expect(unknown).toEqual({
      kind: 'error',
      text: "scene 'room' has no rule 'dice' (rules: cards)",
    })
    expect((await beatsOf(scene)).map(({ id }) => id)).toEqual(['opening', 'rule-1@cards'])
  })
})

describe('caps', () => {
  it('hold: no rule goes beyond them, and what had no room runs when there is some', async () => {
    const text = "narrate('One.')\ntell('seats', 'Two.')"
    const stage = await openStage(ruledRoom({ wind: [{ on: ['line'] }, text] }))
    const scene = await stage.open('room', { limits: { beats: 3 } })
    await say(scene, 'Hello.')
    const before = await beatsOf(scene)
    scene.limit({ beats: 6 })
    await say(scene, 'More?')

    const after = await beatsOf(scene)

    expect(before.map(({ id }) => id)).toEqual(['opening', 'line-1', 'line-1#0'])
    expect(after.map(({ id }) => id)).toEqual([
      'opening',
      'line-1',
      'line-1#0',
      'line-2',
      'line-1@wind',
      'line-1@wind/tell0',
    ])
  })

  it('auto play ends at its own', async () => {
    const files = ruledRoom(
      { wind: [{ on: ['line'] }, "narrate('Wind.')"] },
      { caps: { autoBeats: 4 } },
    )
    const stage = await openStage(files)
    const scene = await stage.open('room')

    expect(await scene.auto(100)).toBe('capped')

    expect(scene.run.stage.autoBeats).toBe(4)
  })
})
