/** A narrator behind the wire: it directs by tool calls, and the scene plays on without it when it fails. */
import { plan, type RequestOutcome } from 'dsh-tavern-protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { narrator, Players, playedBy } from './players.ts'
import { type Exchange, ProviderServer } from './provider-server.ts'
import type { WireAnswer } from './replies.ts'
import { flash, large, outcomeOf, pro, sitDown, small, type Table } from './table.ts'

/** Milliseconds a boot may take on a busy machine. */
const SLOW = 60_000

const own = { deepseek: pro, openai: large } as const

describe.each(['deepseek', 'openai'] as const)('a narrator on the wire: %s', (protocol) => {
  let players: Players
  let server: ProviderServer
  let table: Table

  beforeEach(async () => {
    players = new Players()
    server = await ProviderServer.start(players.script)
    const routes = { roe: flash, lucan: small, bettany: flash, crane: small }
    const scene = { direction: 'directed', narrator: own[protocol] }
    table = await sitDown({ baseUrls: server.baseUrls, routes, scene })
  }, SLOW)
  afterEach(async () => {
    await table.leave()
    await server.stop()
  })

  it('calls become narration, a change of world and cues, in their order', async () => {
    players.next(
      narrator,
      calls(
        ['narrate', { text: 'The watch on the table stops.' }],
        ['set_scene', { time: 'a quarter to two' }],
        ['cue', { character: 'bettany', why: 'Let her hear the silence.' }],
      ),
      said('That will do.'),
      calls(['end', {}]),
    )

    const outcome = await say('What was that?')

    expect(server.complaints).toEqual([])
    expect(players.unplayed).toBe(0)
    expect(outcome).toMatchObject({ status: 'answered', failures: [] })
    const beats = await table.scene.run.read(0, 500)
    const mine = beats.filter(({ id }) => outcome.beats.includes(id))
    expect(mine.map(({ beat }) => [beat.kind, beat.author.name])).toEqual([
      ['narration', 'Narrator'],
      ['world', 'Narrator'],
      ['line', 'Bettany Oake'],
    ])
    const bettany = asked('Bettany Oake').at(-1)?.request.messages.at(-1)?.content
    expect(bettany).toContain('The watch on the table stops.')
    expect(bettany).not.toContain('Let her hear the silence.')
    expect(bettany).toContain('- time (version 1): "a quarter to two"')
  })

  it('the model and the tools are its own, and no one else is offered these', async () => {
    players.next(narrator, calls(['cue', { character: 'crane' }], ['end', {}]))

    await say('Mister Crane?')

    const [directing] = asked(narrator)
    expect(directing?.request.protocol).toBe(protocol)
    expect(directing?.request.chat.model).toBe(own[protocol].model)
    expect(toolsOf(directing)).toEqual(['cue', 'end', 'narrate', 'set_scene'])
    expect(toolsOf(asked('Aurelio Crane')[0])).toEqual([
      'leave',
      'whisper',
      'world_get',
      'world_set',
    ])
  })

  it('when its provider fails twice, the scene is directed without it', async () => {
    const down: WireAnswer = { kind: 'plain', status: 500, body: '{"error":{"message":"Down"}}' }
    players.next(narrator, down, { kind: 'cut', text: 'Half-said quincunx', how: 'reset' })

    const outcome = await say('Lucan, Bettany: who goes first?')

    expect(asked(narrator)).toHaveLength(2)
    expect(outcome.plans.map((each) => plan.parse(each))).toMatchObject([
      { direction: 'natural', fallbackFrom: 'directed' },
    ])
    expect(outcome.status).toBe('answered')
    expect(asked('Lucan Teague')).toHaveLength(1)
  })

  it('a cue for somebody who is not there is refused to the narrator, who can cue another', async () => {
    players.next(
      narrator,
      calls(['cue', { character: 'ignace' }]),
      calls(['cue', { character: 'roe' }], ['end', {}]),
    )

    const outcome = await say('Ask the dead man.')

    const answered = asked(narrator)[1]?.request.messages.at(-1)
    expect(answered).toMatchObject({
      role: 'tool',
      content: expect.stringContaining("'ignace' is not on stage"),
    })
    expect(outcome.beats).toHaveLength(1)
    expect(asked('Sabine Roe')).toHaveLength(1)
  })

  async function say(text: string): Promise<RequestOutcome> {
    const { scene } = table
    const id = await scene.nextId('line')
    return await outcomeOf(scene.submit(scene.speaker(), { id, text }))
  }

  function asked(name: string): readonly Exchange[] {
    return server.exchanges.filter(({ request }) => playedBy(request) === name)
  }
})

function toolsOf(exchange: Exchange | undefined) {
  return exchange?.request.chat.tools?.map((tool) => tool.function.name)
}

function said(text: string): WireAnswer {
  return { kind: 'say', text }
}

function calls(...made: readonly (readonly [string, object])[]): WireAnswer {
  return {
    kind: 'say',
    text: '',
    calls: made.map(([name, given]) => ({ name, arguments: given })),
  }
}
