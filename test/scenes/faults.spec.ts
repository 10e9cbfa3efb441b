/** What goes wrong in a scene and must not spread: bad requests, stops at bad moments, a failing store, closing and opening. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveSessionPreset } from '@deepseek-ai/dsh-agent-presets'
import { SessionId } from '@deepseek-ai/dsh-session'
import { MeshError } from 'dsh-fabric-mesh'
import { everyone } from 'dsh-tavern-protocol'
import { describe, expect, it, vi } from 'vitest'
import {
  beatsOf,
  newHome,
  openStage,
  room,
  say,
  scripted,
  type Stage,
  transcriptOf,
  trio,
} from './stage.ts'

const storeIsGone = () => Promise.reject(new MeshError('store-unavailable', 'the disk is full'))

describe('a request that cannot be answered', () => {
  it('a direction longer than a cue may carry is refused, and the scene goes on', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    const long = { actor: 'ann', route: {}, instruction: 'x'.repeat(140_000) }

    const refused = scene.delegate(scene.speaker(), long)

    await expect(refused).rejects.toMatchObject({ code: 'invalid-line' })
    expect(await say(scene, 'Hello?')).toMatchObject({ status: 'answered' })
  })

  it('a line id that no cue can be named after is refused', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')

    const refused = scene.submit(scene.speaker(), { id: 'i'.repeat(210), text: 'x' })

    await expect(refused).rejects.toMatchObject({ code: 'invalid-line' })
  })

  it('a narrator that cannot be put on stage is a failure, not a wait', async () => {
    const home = newHome()
    const preset = join(home, 'test', 'presets', 'narrator')
    mkdirSync(preset, { recursive: true })
    writeFileSync(join(preset, 'agent.cordis.yml'), '- id: x\n  name: no-such-plugin\n')
    const stage = await openStage(room({ direction: 'directed' }), { home })
    const scene = await stage.open('room')

    const outcome = await say(scene, 'Go on.')

    expect(outcome).toMatchObject({ status: 'nobody', failures: [{ character: 'narrator' }] })
  })

  it('a refused line does not take the id of a later one', async () => {
    const home = newHome()
    const first = await openStage(trio, { home })
    const before = await first.open('room')
    const burnt = await before.nextId('line')
    const absent = before.submit(before.speaker(), { id: burnt, text: 'psst', to: ['cy'] })
    await expect(absent).rejects.toMatchObject({ code: 'absent-character' })
    await say(before, 'First.')
    await first.close()
    const stage = await openStage(trio, { home })
    const scene = await stage.open('room')

    await say(scene, 'Second.')

    expect(await transcriptOf(scene)).toContain('Ellis: Second.')
  })
})

describe('a stop', () => {
  it('reaches a cue that nobody has claimed yet', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    stage.ctx.once('cue/queued', () => scene.cancel())

    const outcome = await say(scene, 'Talk.')

    expect(outcome).toMatchObject({ status: 'cancelled', beats: [] })
    expect(stage.model.requests).toEqual([])
  })

  it('reaches a request whose turn has not come', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    const submitted = await scene.submit(scene.speaker(), { id: 'mine', text: 'Talk.' })

    scene.cancel([submitted.requestId])

    expect(await submitted.outcome).toMatchObject({ status: 'cancelled', beats: [] })
    expect(await say(scene, 'Now?')).toMatchObject({ status: 'answered' })
  })
})

describe('a failing store', () => {
  it('under the narrator: whoever waits is told, and the next opening is whole again', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    const settle = vi.spyOn(scene.run.workspace.mailboxes, 'settle').mockImplementation(storeIsGone)
    await expect(say(scene, 'Hello.')).rejects.toThrow('the disk is full')
    settle.mockRestore()

    const again = await stage.open('room')
    await again.idle()

    expect(again).not.toBe(scene)
    expect(await say(again, 'Better?')).toMatchObject({ status: 'answered' })
    expect((await transcriptOf(again)).filter((text) => text === 'Ellis: Hello.')).toHaveLength(1)
  })

  it('a beat that cannot be published leaves its cue claimed', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    const { topics, mailboxes } = scene.run.workspace
    const publish = topics.publishAt.bind(topics)
    vi.spyOn(topics, 'publishAt').mockImplementation((topicId, post) =>
      post.id?.endsWith('#0') ? storeIsGone() : publish(topicId, post),
    )

    await expect(say(scene, 'Hello.')).rejects.toThrow('the disk is full')

    const cue = await mailboxes.findMessage(scene.run.mailboxOf('ann'), 'line-1#0')
    expect(cue?.status).toBe('claimed')
  })
})

describe('closing and opening', () => {
  it('closing twice closes once: what was opened between goes on', async () => {
    const stage = await openStage(trio)
    const first = await stage.open('room')
    await first.close()
    const second = await stage.open('room')

    await first.close()

    expect(await say(second, 'Hello.')).toMatchObject({ status: 'answered', failures: [] })
  })

  it('opening while it closes gives a scene that plays', async () => {
    const stage = await openStage(trio)
    const first = await stage.open('room')
    const closing = first.close()

    const second = await stage.open('room')
    await closing

    expect(await say(second, 'Hello.')).toMatchObject({ status: 'answered' })
  })

  it('an opening that fails leaves no session live and the place free', async () => {
    const home = newHome()
    const stage = await openStage(trio, { home })
    const broken = join(home, 'test', 'presets', 'bo', 'agent.cordis.yml')
    writeFileSync(broken, '- id: x\n  name: no-such-plugin\n')

    await expect(stage.open('room')).rejects.toThrow('no-such-plugin')

    expect(stage.ctx.agents.list()).toEqual([])
    const other = await openStage(trio, { home })
    expect(await say(await other.open('room'), 'Hello.')).toMatchObject({ status: 'answered' })
  })

  it('a session that a client holds keeps the place until the client lets it go', async () => {
    const { home, stage, viewer } = await leftAndViewed()
    await (await stage.open('room')).close()
    const other = await openStage(trio, { home })
    await expect(other.open('room')).rejects.toMatchObject({ code: 'hosted-elsewhere' })

    await viewer.dispose()

    expect(await say(await other.open('room'), 'Hello.')).toMatchObject({ status: 'answered' })
  })

  it('a session that a client let go is opened again at its next cue', async () => {
    const { stage, viewer } = await leftAndViewed()
    const scene = await stage.open('room')
    await viewer.dispose()

    const outcome = await say(scene, 'Still there?')

    expect(outcome).toMatchObject({ status: 'answered', failures: [] })
  })

  it('somebody else in the seat hears what is said, however long the scene is', async () => {
    const home = newHome()
    const files = room({ caps: { autoBeats: 200 } })
    const before = await openStage(files, { home })
    await (await before.open('room')).auto(60)
    await before.close()
    const stage = await openStage(files, { home })
    const scene = await stage.open('room', { persona: 'Bob' })
    const { sequence } = scene.run.stage

    await scene.auto(3)

    const heard = (await scene.run.read(sequence, 100)).map(({ beat }) => beat.heardBy)
    expect(heard).toHaveLength(3)
    for (const participants of heard) expect(participants).toContain('seat:Bob')
  })
})

/** A scene that was played and left, with one of its sessions now open in a client. */
async function leftAndViewed() {
  const home = newHome()
  const before = await openStage(trio, { home })
  await say(await before.open('room'), 'Hello.')
  await before.close()
  const stage = await openStage(trio, { home })
  return { home, stage, viewer: await view(stage, 'tavern.room.1.ann') }
}

async function view(stage: Stage, sessionId: string) {
  return await stage.ctx.agents.resume({
    resumeSessionId: SessionId(sessionId),
    agentOptions: scripted,
    setup: async (agentCtx) => {
      const session = agentCtx.agent?.session
      await stage.ctx.agentPresets.mount(agentCtx, session && resolveSessionPreset(session))
    },
  })
}

describe('a home', () => {
  it('that was moved plays on with the memories it had', async () => {
    const home = newHome()
    const before = await openStage(trio, { home })
    await say(await before.open('room'), 'The first night.')
    await before.close()
    const moved = `${newHome()}/moved`
    renameSync(home, moved)
    const stage = await openStage(trio, { home: moved })
    const scene = await stage.open('room')

    expect(await say(scene, 'And now?')).toMatchObject({ status: 'answered', failures: [] })
    expect(stage.model.of('ann').at(-1)?.bytes).toContain('The first night.')
  })

  it('whose store was lost begins a run that no old session belongs to', async () => {
    const home = newHome()
    const before = await openStage(trio, { home })
    await say(await before.open('room'), 'The first night.')
    await before.close()
    for (const file of readdirSync(join(home, 'tavern'))) {
      if (file.startsWith('mesh.sqlite')) rmSync(join(home, 'tavern', file))
    }
    const stage = await openStage(trio, { home })
    const scene = await stage.open('room')

    await say(scene, 'Hello.')

    expect(scene.run.id).toBe('room.2')
    expect(stage.model.of('ann').at(-1)?.bytes).not.toContain('The first night.')
  })

  it('where a scene is being played begins it anew nowhere else', async () => {
    const home = newHome()
    const stage = await openStage(trio, { home })
    await stage.open('room')
    const other = await openStage(trio, { home })

    await expect(other.open('room', { start: 'new' })).rejects.toMatchObject({
      code: 'hosted-elsewhere',
    })
  })
})

describe('what cannot be opened', () => {
  it('an unknown character, naming file and key', async () => {
    const stage = await openStage(
      room({ cast: [{ character: 'ann' }, { character: 'nobody' }], world: {} }),
    )

    await expect(stage.open('room')).rejects.toThrow(
      /room.scene\.yml: cast\[1\]\.character: no character 'nobody'/,
    )
  })

  it.each(['tavern-stage', 'nowhere'])('an actor played by %s', async (provider) => {
    const stage = await openStage(trio)

    const opening = stage.open('room', { route: { provider, model: 'room' } })

    await expect(opening).rejects.toThrow(`no provider '${provider}'`)
  })
})

describe('bounds', () => {
  it('who is on its way out hears nothing that is said after', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    const author = { id: 'character:ann', name: 'Ann' }
    const leaving = scene.exit('bo')

    const said = await scene.run.publish('after', {
      kind: 'line',
      author,
      audience: everyone,
      cause: 'test',
      text: 'Bo is a spy.',
    })
    await leaving

    expect(said.beat.heardBy).not.toContain('character:bo')
  })

  it('whispers without a line are paid for', async () => {
    const cast = [{ character: 'ann', tokens: 100 }, { character: 'bo' }]
    const stage = await openStage(room({ cast }))
    const scene = await stage.open('room')
    stage.model.script(({ actor, afterTool }) => {
      if (actor !== 'ann') return 'I am bo.'
      return afterTool ? '' : { call: 'whisper', args: { to: ['bo'], text: 'psst' } }
    })
    await say(scene, 'One.')
    await say(scene, 'Two.')
    await stage.close()
    const again = await openStage(room({ cast }), { home: stage.home })
    const reopened = await again.open('room')

    await say(reopened, 'Three.')

    expect(stage.model.of('ann')).toHaveLength(2)
    expect(again.model.of('ann')).toEqual([])
  })

  it('a narrator that only cues is paid for', async () => {
    const stage = await openStage(room({ direction: 'directed', caps: { sceneTokens: 300 } }))
    const scene = await stage.open('room')
    stage.model.script(({ actor, afterTool }) => {
      if (actor !== 'narrator') return `I am ${actor}.`
      return afterTool ? { call: 'end', args: {} } : { call: 'cue', args: { character: 'ann' } }
    })
    await say(scene, 'Hello.')

    expect(await say(scene, 'More?')).toMatchObject({ status: 'capped', cap: 'scene-tokens' })
  })

  it('one cue whispers a few times, and its whispers count as beats of the line', async () => {
    const stage = await openStage(room({ caps: { beatsPerLine: 2 } }))
    const scene = await stage.open('room')
    let asked = 0
    stage.model.script(() => {
      asked += 1
      return asked < 8 ? { call: 'whisper', args: { to: ['bo'], text: `psst ${asked}` } } : 'Done.'
    })

    const outcome = await say(scene, 'Go.')

    expect(outcome?.beats).toHaveLength(5)
    expect(stage.model.of('bo')).toEqual([])
  })

  it('a beat that would not fit changes nothing', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    let asked = 0
    stage.model.script(({ actor }) => {
      if (actor !== 'ann') return 'I am bo.'
      asked += 1
      const args = { key: `k${asked}`, value: '\u0001'.repeat(600), expected_version: 0 }
      return asked <= 15 ? { call: 'world_set', args } : `a${'\u0001'.repeat(32_000)}`
    })

    const outcome = await say(scene, 'Go.')

    expect(outcome?.failures).toMatchObject([{ character: 'ann', code: 'too-large' }])
    expect((await scene.world()).map(({ key }) => key)).toEqual(['lamp', 'safe'])
  })

  it('one silent turn does not end auto play', async () => {
    const stage = await openStage(room({ caps: { autoBeats: 6 } }))
    const scene = await stage.open('room')
    let asked = 0
    stage.model.script(({ actor }) => ((asked += 1) === 2 ? '' : `I am ${actor}.`))

    expect(await scene.auto(3)).toBe('answered')
    expect((await beatsOf(scene)).length).toBeGreaterThanOrEqual(4)
  })

  it('auto play ends when every performance fails', async () => {
    const stage = await openStage(trio)
    const scene = await stage.open('room')
    stage.model.script(() => ({ fail: 'SERVER' }))

    expect(await scene.auto(10)).toBe('nobody')
  })
})
