/** The mesh tool in a character's preset: what it sees of its scene, the board of its run, and nothing else. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Answer as Said, ScriptedRequest } from './scripted-adapter.ts'
import { openStage, room, say, type Stage, type StageFiles, trio } from './stage.ts'

const NAMES = ['ann', 'bo', 'cy']

async function openWithTool(files: StageFiles = trio): Promise<Stage> {
  const stage = await openStage(files)
  for (const name of NAMES) {
    const row = '- id: mesh\n  name: dsh-fabric-mesh/tool\n'
    appendFileSync(join(stage.home, 'test/presets', name, 'agent.cordis.yml'), row)
  }
  return stage
}

/** Each actor makes its calls, one a step, then says its name. */
function calling(calls: Readonly<Record<string, readonly object[]>>) {
  const left = new Map(Object.entries(calls).map(([actor, list]) => [actor, [...list]]))
  return ({ actor }: ScriptedRequest): Said => {
    const args = left.get(actor)?.shift()
    return args === undefined ? `I am ${actor}.` : { call: 'fabric_mesh', args }
  }
}

/** What the tool answered an actor, in order. */
function answersTo(stage: Stage, actor: string): readonly unknown[] {
  const session = stage.ctx.agents.list().find(({ id }) => id.endsWith(`.${actor}`))?.session
  return (session?.events ?? []).flatMap((event) => {
    if (event.type !== 'tool/result') return []
    return event.data.message.content.flatMap((result) => {
      if (result.type !== 'tool-result') return []
      return result.content.map((block) => JSON.parse(block.type === 'text' ? block.text : 'null'))
    })
  })
}

const some = expect.any(String)
const readScene = { action: 'read_topic', topic_id: 'scene', after: 0 }

describe('a character with the mesh tool', () => {
  it('reads what everyone heard while it was there, without a gap where others whispered', async () => {
    const stage = await openWithTool()
    const scene = await stage.open('room')
    await say(scene, 'Good evening.')
    await say(scene, 'The heron is blue.', ['ann'])
    await scene.exit('bo')
    await say(scene, 'Now that Bo is gone.')
    await scene.enter('bo')
    stage.model.script(calling({ bo: [readScene, { action: 'snapshot' }] }))

    await say(scene, 'What did I say?')

    const [read, snapshot] = answersTo(stage, 'bo')
    const texts = [
      'A room with one lamp.',
      'Good evening.',
      'I am ann.',
      'I am bo.',
      expect.stringContaining('Bo'),
      expect.stringContaining('Bo'),
      'What did I say?',
      'I am ann.',
    ]
    expect(read).toEqual(
      texts.map((text, index) => ({
        topicId: 'scene',
        sequence: index + 1,
        id: `beat-${index + 1}`,
        payload: { kind: some, author: { id: some, name: some }, text },
        by: some,
        publishedAt: expect.any(Number),
      })),
    )
    expect(snapshot).toMatchObject({
      totals: { topics: 1, topicMessages: 8, states: 2, actors: 0, actorMessages: 0 },
      states: [
        { key: 'world/lamp', value: 'lit', version: 1 },
        { key: 'world/safe', value: 'empty', version: 1 },
      ],
    })
  })

  it('reads the world it knows, and changes none of it', async () => {
    const stage = await openWithTool()
    const scene = await stage.open('room')
    const safe = { key: 'world/safe', expected_version: 1 }
    const calls = [
      { action: 'list_state', prefix: 'world/' },
      { action: 'get_state', key: 'world/safe' },
      { action: 'cas_state', ...safe, value: 'full' },
      { action: 'delete_state', ...safe },
      { action: 'cas_state', key: 'world/new', expected_version: 0, value: 1 },
    ]
    stage.model.script(calling({ ann: calls, bo: calls }))

    await say(scene, 'Look around.')

    const [annList, annSafe, ...annRefused] = answersTo(stage, 'ann')
    const [boList, boSafe, ...boRefused] = answersTo(stage, 'bo')
    expect(annList).toMatchObject([{ key: 'world/lamp', by: 'world' }])
    expect(annSafe).toBeNull()
    expect(boList).toMatchObject([{ key: 'world/lamp' }, { key: 'world/safe', value: 'empty' }])
    expect(boSafe).toMatchObject({ key: 'world/safe', value: 'empty', version: 1 })
    const refused = expect.objectContaining({ code: 'forbidden' })
    expect(annRefused).toEqual([{ error: refused }, { error: refused }, { error: refused }])
    expect(boRefused).toEqual(annRefused)
  })

  it('shares a board with the others of its run, and with no other run', async () => {
    const stage = await openWithTool()
    const first = await stage.open('room')
    const note = { action: 'create_topic', id: 'notes', label: 'Notes' }
    const write = { action: 'publish', topic_id: 'notes', payload: 'Lock the door.' }
    const read = { action: 'read_topic', topic_id: 'notes' }
    stage.model.script(calling({ ann: [note, write], bo: [read] }))
    await say(first, 'Go on.')
    const [noted] = answersTo(stage, 'bo')
    await first.close()

    const second = await stage.open('room', { start: 'new' })
    stage.model.script(calling({ bo: [read] }))
    await say(second, 'Go on.')

    expect(noted).toMatchObject([{ payload: 'Lock the door.', by: 'tavern.room.1.ann' }])
    expect(answersTo(stage, 'bo')).toMatchObject([{ error: { code: 'not-found' } }])
  })

  it('may wait for the next thing that all hear', async () => {
    const stage = await openWithTool()
    const scene = await stage.open('room')
    await say(scene, 'Good evening.')
    const wait = { action: 'wait', topic_id: 'scene', after: 4, timeout_ms: 60_000 }
    stage.model.script(calling({ ann: [wait] }))

    const answered = say(scene, 'Listen.')
    await answered

    expect(answersTo(stage, 'ann')).toMatchObject([[{ sequence: 5, payload: { text: 'Listen.' } }]])
  })

  it('that waits is no reason for its scene to stay open', async () => {
    const stage = await openWithTool()
    const scene = await stage.open('room')
    const wait = { action: 'wait', topic_id: 'scene', after: 500, timeout_ms: 60_000 }
    const { promise: waiting, resolve: waits } = Promise.withResolvers<void>()
    stage.ctx.on('session/event', (_session, { type }) => {
      if (type === 'tool/call') waits()
    })
    stage.model.script(calling({ ann: [wait] }))
    const said = say(scene, 'Listen.')
    await waiting
    const started = performance.now()

    await scene.close()

    expect(performance.now() - started).toBeLessThan(10_000) // the wait itself is 60 s
    expect(await said).toBeUndefined()
  })

  it('has no guidance or context beside its persona', async () => {
    const stage = await openWithTool()
    const scene = await stage.open('room')

    await say(scene, 'Good evening.')

    const [request] = stage.model.of('ann')
    expect(request?.bytes).toContain('fabric_mesh')
    expect(request?.bytes).not.toContain('fabric_mesh_state')
  })
})

describe('a session of the tavern that is no character on an open scene', () => {
  it('reaches nothing', async () => {
    const stage = await openWithTool(room({}))
    const scene = await stage.open('room')
    const accessOf = (sessionId: string) => stage.ctx.bail('mesh/access', { sessionId })?.kind
    const ids = ['ann', 'narrator', 'nobody', ''].map((actor) => `tavern.room.1.${actor}`)

    expect(ids.map(accessOf)).toEqual(['restricted', 'refused', 'refused', 'refused'])
    expect(['tavern.room.2.ann', 'tavern.ann', 'tavern.'].map(accessOf)).toEqual([
      'refused',
      'refused',
      'refused',
    ])
    expect(accessOf('b2f1')).toBeUndefined()
    await scene.close()
    expect(ids.map(accessOf)).toEqual(['refused', 'refused', 'refused', 'refused'])
  })
})
