/** The five tools as agents call them, over sessions that the host itself ran and wrote. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CallId } from '@deepseek-ai/dsh-llm'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { SessionId } from '@deepseek-ai/dsh-session'
import FabricSessionQuery from 'dsh-fabric-session-query/provider'
import * as SessionQueryTools from 'dsh-fabric-session-query/tools'
import { describe, expect, it, vi } from 'vitest'
import { scripted } from '../scenes/stage.ts'
import { type Host, newFolder, openHost, textOf, turn } from '../fabric-mesh-tool/host.ts'

interface Match {
  readonly session_id: string
  readonly seq: number
  readonly type: string
  readonly excerpt: string
}

interface Answer {
  readonly matches: readonly Match[]
  readonly more: boolean
  readonly events: readonly { readonly seq: number; readonly type: string }[]
  readonly session: { readonly session_id: string }
  readonly ancestors: readonly { readonly session_id: string }[]
  readonly children: readonly { readonly session_id: string }[]
  readonly hidden: boolean
  readonly surface: string
}

async function openRecall(
  home = newFolder(),
  config: SessionQueryTools.Config = {},
): Promise<Host> {
  return await openHost({
    home,
    before: async (ctx) => {
      const path = join(home, 'fabric', 'session-query.sqlite')
      await ctx.plugin(FabricSessionQuery, { path, openAt: 'first-search' })
      await ctx.plugin(SessionQueryTools, config)
    },
  })
}

let calls = 0

async function ask(host: Host, agent: Agent | undefined, name: string, args: object) {
  calls += 1
  return await host.ctx.tools.execute({
    signal: new AbortController().signal,
    callId: CallId(`recall-${calls}`),
    name,
    arguments: args,
    ...(agent ? { agent } : {}),
  })
}

/** What the tool answers; the text that a model reads is the same. */
async function answer(host: Host, agent: Agent, name: string, args: object): Promise<Answer> {
  const result = await ask(host, agent, name, args)
  const text = textOf(result)
  if (result.isError) throw new Error(text)
  expect(JSON.parse(text)).toEqual(result.value)
  return JSON.parse(text)
}

async function refused(host: Host, agent: Agent | undefined, name: string, args: object) {
  const result = await ask(host, agent, name, args)
  if (!result.isError) throw new Error(`not refused: ${textOf(result)}`)
  return { code: result.error.info?.code, text: textOf(result) }
}

/** One that was in the folder before, and has gone. */
async function past(host: Host, id: string, text: string, cwd?: string): Promise<void> {
  const agent = await host.agent(id, cwd === undefined ? undefined : { cwd })
  await turn(agent, text)
  await host.leave(agent)
}

describe('search', () => {
  it('a model finds 酒馆 in what was said in an earlier session, and not its own asking', async () => {
    const host = await openRecall()
    await past(host, 'earlier', '她推开门走进沉钟酒馆，把地图放在吧台上。')
    await past(host, 'unrelated', '什么也没有发生。')
    host.model.script(({ afterTool }) =>
      afterTool ? 'Found.' : { call: 'session_search', args: { query: '酒馆' } },
    )
    const agent = await host.agent('asking')

    await turn(agent, '你还记得酒馆吗？')

    const results = agent.session.events.filter(({ type }) => type === 'tool/result')
    const text = JSON.stringify(results.map(({ data }) => data))
    expect(results).toHaveLength(1)
    expect(text).toContain('走进沉钟酒馆')
    expect(text).toContain('earlier')
    expect(text).not.toContain('asking')
    expect(text).not.toContain('unrelated')
    expect(host.model.requests.at(-1)?.system).toContain('## Past sessions')
  })

  it('an agent finds its own past, and nothing of the step in which it asks', async () => {
    const host = await openRecall()
    const agent = await host.agent('mara')
    await turn(agent, 'The lantern is under the third stair.')
    host.model.script(({ afterTool }) =>
      afterTool ? 'So.' : { call: 'session_event_search', args: { query: 'lantern zanzibar' } },
    )
    await turn(agent, 'Where is it?')
    host.model.script(({ afterTool }) =>
      afterTool ? 'So.' : { call: 'session_event_search', args: { query: 'lantern stair' } },
    )
    await turn(agent, 'Again?')
    const found: Answer[] = agent.session.events.flatMap((event) =>
      event.type === 'tool/result'
        ? event.data.message.content
            .flatMap(({ content }) => content)
            .map((block) => JSON.parse(block.type === 'text' ? block.text : 'null'))
        : [],
    )

    expect(found[0]?.matches).toEqual([])
    expect(found[1]?.matches.map(({ type, excerpt }) => [type, excerpt])).toEqual([
      ['user/message', 'The lantern is under the third stair.'],
    ])
  })

  it('gives at most as many as asked, and says when there are more', async () => {
    const host = await openRecall()
    for (const id of ['one', 'two', 'three']) await past(host, id, 'A toast to the bell.')
    const agent = await host.agent('asking')

    const some = await answer(host, agent, 'session_search', { query: 'bell', limit: 2 })
    const every = await answer(host, agent, 'session_search', { query: 'bell', limit: 3 })

    expect([some.matches.length, some.more]).toEqual([2, true])
    expect([every.matches.length, every.more]).toEqual([3, false])
  })

  it('keeps to a time when told one', async () => {
    const host = await openRecall()
    await past(host, 'one', 'A toast to the bell.')
    const agent = await host.agent('asking')
    const search = async (args: object) =>
      (await answer(host, agent, 'session_search', { query: 'bell', ...args })).matches.length

    expect(await search({ since: '2000-01-01T00:00:00Z' })).toBe(1)
    expect(await search({ since: '2999-01-01T00:00:00+02:00' })).toBe(0)
    expect(await search({ until: '2000-01-01T00:00:00Z' })).toBe(0)
  })

  it('ends by its deadline', async () => {
    const host = await openRecall(undefined, { searchTimeoutMs: 20 })
    await past(host, 'one', 'A toast to the bell.')
    const agent = await host.agent('asking')
    vi.spyOn(host.ctx.sessionPersistence, 'listSnapshots').mockImplementation(
      (signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('listing stopped')))
        }),
    )

    expect(await refused(host, agent, 'session_search', { query: 'bell' })).toMatchObject({
      code: 'too-slow',
    })
  })
})

describe('reach', () => {
  const secret = 'The vault opens with seven bells.'

  async function twoFolders() {
    const host = await openRecall()
    const elsewhere = join(host.home, 'elsewhere')
    mkdirSync(elsewhere, { recursive: true })
    await past(host, 'hidden', secret, elsewhere)
    return { host, elsewhere, agent: await host.agent('asking') }
  }

  it.each([
    ['session_event_search', { query: 'vault', session_id: 'ID' }],
    ['session_trace', { session_id: 'ID' }],
    ['session_event_trace', { session_id: 'ID', seq: 0 }],
    ['session_event_trace', { session_id: 'ID', seq: 9_999 }],
    ['session_event_read', { session_id: 'ID', seq: 0, after: 50 }],
  ])('%s of another folder’s session looks like one that is not there', async (name, args) => {
    const { host, agent } = await twoFolders()
    const of = (id: string) => JSON.parse(JSON.stringify(args).replace('ID', id))

    const hidden = await refused(host, agent, name, of('hidden'))
    const missing = await refused(host, agent, name, of('missing'))

    expect(hidden.code).toBe('not-found')
    expect(hidden).toEqual(missing)
  })

  it('search finds nothing of another folder, from either side', async () => {
    const { host, agent, elsewhere } = await twoFolders()
    await turn(agent, 'I know a song about a harbour.')
    const there = await host.agent('there', { cwd: elsewhere })

    expect((await answer(host, agent, 'session_search', { query: 'vault' })).matches).toEqual([])
    expect((await answer(host, there, 'session_search', { query: 'harbour' })).matches).toEqual([])
    const found = await answer(host, there, 'session_search', { query: 'vault' })
    expect(found.matches.map(({ session_id: id }) => id)).toEqual(['hidden'])
  })

  it('an agent in no folder reaches itself only', async () => {
    const host = await openRecall()
    const nowhere = await host.agent('nowhere', {})
    const other = await host.agent('other', {})
    await turn(other, secret)
    await turn(nowhere, 'My own harbour.')

    expect((await answer(host, nowhere, 'session_search', { query: 'vault' })).matches).toEqual([])
    const own = await answer(host, nowhere, 'session_event_search', { query: 'harbour' })
    expect(own.matches).toHaveLength(1)
    const args = { query: 'vault', session_id: 'other' }
    expect((await refused(host, nowhere, 'session_event_search', args)).code).toBe('not-found')
  })

  it('a call that comes from no agent reaches nothing', async () => {
    const { host } = await twoFolders()

    expect((await refused(host, undefined, 'session_search', { query: 'vault' })).code).toBe(
      'no-agent',
    )
  })

  it('a lineage shows what is in reach, and of the rest only that it is there', async () => {
    const { host, agent, elsewhere } = await twoFolders()
    const work = join(host.home, 'work')
    const child = async (id: string, cwd: string) => {
      const handle = await host.ctx.agents.create({
        sessionId: SessionId(id),
        meta: { cwd, parentSession: agent.session.id },
        agentOptions: scripted,
      })
      return handle.agent
    }
    const inside = await child('inside', work)
    await child('outside', elsewhere)

    const down = await answer(host, agent, 'session_trace', {})
    const up = await answer(host, inside, 'session_trace', {})

    expect(down.children.map(({ session_id: id }) => id)).toEqual(['inside'])
    expect(down.hidden).toBe(true)
    expect(up.ancestors.map(({ session_id: id }) => id)).toEqual(['asking'])
    expect(up.hidden).toBe(false)
    expect(JSON.stringify([down, up])).not.toContain('outside')
  })
})

describe('reads', () => {
  it('shows an event with those around it, at most 50 on each side', async () => {
    const host = await openRecall()
    await past(host, 'one', 'A toast to the bell.')
    const agent = await host.agent('asking')
    const { matches } = await answer(host, agent, 'session_search', { query: 'toast' })
    const [hit] = matches
    if (hit === undefined) throw new Error('no hit')
    const at = { session_id: hit.session_id, seq: hit.seq }

    const alone = await answer(host, agent, 'session_event_read', at)
    const around = await answer(host, agent, 'session_event_read', { ...at, before: 1, after: 2 })
    const trace = await answer(host, agent, 'session_event_trace', at)

    expect(alone.events.map(({ seq, type }) => [seq, type])).toEqual([[hit.seq, 'user/message']])
    expect(around.events.map(({ seq }) => seq)).toEqual([-1, 0, 1, 2].map((step) => hit.seq + step))
    expect(trace.surface).toBe('current')
  })

  it.each([
    ['session_event_read', { seq: 0, before: 51 }],
    ['session_event_read', { seq: 0, after: -1 }],
    ['session_event_read', { seq: -1 }],
    ['session_search', { query: ' ' }],
    ['session_search', { query: 'a', limit: 101 }],
    ['session_search', { query: 'a', limit: 0 }],
    ['session_search', { query: 'a', since: 'yesterday' }],
    ['session_search', { query: 'a', until: '2026-01-01T00:00:00' }],
  ])('%s refuses %j', async (name, args) => {
    const host = await openRecall()
    const agent = await host.agent('asking')
    await turn(agent)

    expect((await refused(host, agent, name, args)).code).toBe('invalid-argument')
  })

  it('nothing of the step in which an agent asks can be read either', async () => {
    const host = await openRecall()
    const agent = await host.agent('mara')
    await turn(agent, 'First.')
    const begun = agent.session.events.length
    host.model.script(({ afterTool }) =>
      afterTool ? 'So.' : { call: 'session_event_read', args: { seq: begun - 1, after: 50 } },
    )
    await turn(agent, 'Second.')

    const result = agent.session.events.find(({ type }) => type === 'tool/result')
    const step = agent.session.events.find(({ seq, type }) => type === 'step/start' && seq >= begun)
    const text = JSON.stringify(result?.data)
    expect(step).toBeDefined()
    expect(text).toContain(`\\"seq\\": ${begun - 1}`)
    for (const event of agent.session.events.slice(step?.seq)) {
      expect(text).not.toContain(`\\"seq\\": ${event.seq},`)
    }
  })
})

it('a second host finds again what the first one wrote', async () => {
  const first = await openRecall()
  await past(first, 'earlier', '그녀는 술집에서 지도를 펼쳤다')
  await first.close()
  const second = await openRecall(first.home)
  const agent = await second.agent('asking')

  const { matches } = await answer(second, agent, 'session_search', { query: '술집' })

  expect(matches.map(({ session_id: id }) => id)).toEqual(['earlier'])
})
