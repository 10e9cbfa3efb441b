/** Direction `directed`: the narrator's own session decides with its tools, and is replaced when it cannot. */
import { describe, expect, it } from 'vitest'
import type { Answer, ScriptedRequest } from './scripted-adapter.ts'
import { beatsOf, openStage, room, say, transcriptOf } from './stage.ts'

const files = room({ direction: 'directed' })

/** The narrator's calls one after another in its turns; characters say who they are. */
function directing(calls: readonly Answer[]) {
  const left = [...calls]
  return ({ actor }: ScriptedRequest): Answer =>
    actor === 'narrator' ? (left.shift() ?? 'Nothing more.') : `I am ${actor}.`
}

const end: Answer = { call: 'end', args: {} }

describe('a directed scene', () => {
  it('plays what the narrator decides, in its order', async () => {
    const stage = await openStage(files)
    const scene = await stage.open('room')
    stage.model.script(
      directing([
        { call: 'narrate', args: { text: 'The lamp flickers.' } },
        { call: 'cue', args: { character: 'bo', why: 'You saw it.' } },
        end,
      ]),
    )

    const outcome = await say(scene, 'What was that?')

    expect(outcome?.status).toBe('answered')
    expect((await transcriptOf(scene)).slice(2)).toEqual([
      'Narrator: The lamp flickers.',
      'Bo: I am bo.',
    ])
    expect(stage.model.of('bo')[0]?.bytes).not.toContain('You saw it.')
    expect(stage.model.of('ann')).toEqual([])
  })

  it('its narrator perceives whispers and secrets, and its tools are the narrator’s only', async () => {
    const cast = [{ character: 'ann', secrets: ['Ann is the thief.'] }, { character: 'bo' }]
    const stage = await openStage(room({ direction: 'directed', cast }))
    const scene = await stage.open('room')
    stage.model.script(directing([end]))
    await say(scene, 'The password is heron.', ['bo'])

    await say(scene, 'Go on.')

    const [request] = stage.model.of('narrator')
    expect(request?.bytes).toContain('heron')
    expect(request?.system).toContain('Ann is the thief.')
    expect(request?.bytes).toContain('"name":"set_scene"')
    expect(request?.bytes).not.toContain('"name":"world_set"')
  })

  it('a change of place is a world change everyone sees', async () => {
    const stage = await openStage(files)
    const scene = await stage.open('room')
    stage.model.script(
      directing([
        { call: 'set_scene', args: { place: 'the cellar' } },
        { call: 'cue', args: { character: 'ann' } },
        end,
      ]),
    )

    await say(scene, 'Let us go down.')

    expect((await beatsOf(scene)).map(({ beat }) => beat.kind)).toContain('world')
    expect(stage.model.of('ann')[0]?.newest).toContain('- place (version 1): "the cellar"')
  })

  it('after two answers of no use the scene is directed without it, recorded as such', async () => {
    const stage = await openStage(files)
    const scene = await stage.open('room')
    stage.model.script(({ actor }) => (actor === 'narrator' ? 'I just talk.' : `I am ${actor}.`))

    const outcome = await say(scene, 'Ann?')

    expect(outcome?.plans).toMatchObject([{ direction: 'natural', fallbackFrom: 'directed' }])
    expect(await transcriptOf(scene)).toContain('Ann: I am ann.')
    expect(stage.model.of('narrator')).toHaveLength(2)
  })

  it('a cue for who is not there is refused, with the names of those who are', async () => {
    const stage = await openStage(files)
    const scene = await stage.open('room')
    stage.model.script(directing([{ call: 'cue', args: { character: 'cy' } }, end]))

    await say(scene, 'Hello.')

    expect(stage.model.of('narrator').at(-1)?.bytes).toContain('on stage: character:ann')
  })

  it('ends although the narrator never does', async () => {
    const stage = await openStage(files)
    const scene = await stage.open('room')
    stage.model.script(({ actor, afterTool }) => {
      if (actor !== 'narrator') return `I am ${actor}.`
      return afterTool ? 'More.' : { call: 'narrate', args: { text: 'It goes on.' } }
    })

    const outcome = await say(scene, 'Hello.')

    expect(outcome?.beats.length).toBeLessThanOrEqual(6)
  })
})
