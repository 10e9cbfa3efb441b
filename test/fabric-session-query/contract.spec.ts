/** What the host's service promises, run on the host's own search and on ours. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { SessionId } from '@deepseek-ai/dsh-session'
import { type SessionSearchRequest, SessionSearchCursor } from '@deepseek-ai/dsh-session-query'
import { describe, expect, it } from 'vitest'
import { type Bed, codeOf, type Engine, found, newFolder, openBed } from './bed.ts'

/** Over these the two engines must answer alike, to the last character of an excerpt. */
const said: Readonly<Record<string, readonly string[]>> = {
  one: ['hello world', 'hello', 'the hello of hello and hello'],
  two: ['hello, brave new world', 'HELLO World hello world'],
  long: [
    `${'lead '.repeat(120)}needle in hay ${'tail '.repeat(120)}`,
    'the needle\n\n  and   spaces',
  ],
  start: [`needle ${'tail '.repeat(200)}`, `${'lead '.repeat(200)}needle`],
  code: ['foo_bar(baz) AND OR NOT NEAR', 'a "quoted" word - and * star', 'café Zoë'],
}

const alike: readonly Omit<SessionSearchRequest, 'cursor'>[] = [
  { query: 'hello' },
  { query: '  HELLO   ' },
  { query: 'hello world' },
  { query: 'needle' },
  { query: 'needle in hay' },
  { query: 'cafe zoe' },
  { query: 'foo_bar' },
  { query: 'baz and or' },
  { query: 'missing' },
  { query: 'hel' },
  { query: '***' },
  { query: 'hello', limit: 2 },
  { query: 'hello', sessionFilters: [{ kind: 'id', values: [SessionId('two')] }] },
  { query: 'hello', sessionFilters: [{ kind: 'id', values: [] }] },
  { query: 'hello', sessionFilters: [{ kind: 'cwd', values: ['/inn'] }] },
  { query: 'hello', sessionFilters: [{ kind: 'cwd', values: [null, '/elsewhere'] }] },
  { query: 'hello', sessionFilters: [{ kind: 'parent', values: [null] }] },
  { query: 'hello', sessionFilters: [{ kind: 'parent', values: [SessionId('one')] }] },
  { query: 'hello', sessionFilters: [{ kind: 'availability', values: ['persisted'] }] },
  { query: 'hello', sessionFilters: [{ kind: 'availability', values: ['live'] }] },
  { query: 'hello', sessionFilters: [{ kind: 'availability', values: [] }] },
  { query: 'hello', sessionFilters: [{ kind: 'created-at', from: 1 }] },
  { query: 'hello', sessionFilters: [{ kind: 'created-at', to: 1 }] },
  { query: 'hello', eventFilters: [{ kind: 'seq', from: 1, to: 1 }] },
  { query: 'hello', eventFilters: [{ kind: 'time', to: 1 }] },
  { query: 'hello', eventFilters: [{ kind: 'type', values: ['user/message'] }] },
  { query: 'hello', eventFilters: [{ kind: 'type', values: ['tool/call'] }] },
  { query: 'hello', eventFilters: [{ kind: 'surface', values: ['current'] }] },
  { query: 'hello', eventFilters: [{ kind: 'surface', values: ['shadowed', 'log-only'] }] },
]

it('both engines answer alike over the same logs', async () => {
  const home = newFolder()
  const writer = await openBed({ home })
  for (const [id, texts] of Object.entries(said)) await writer.stored(id, texts)
  await writer.stored('child', ['hello child'], { parent: 'one' })
  await writer.close()
  const host = await openBed({ engine: 'host', home })
  const fabric = await openBed({ engine: 'fabric', home })

  for (const request of alike) {
    const expected = await host.query.searchSessions(request)
    const actual = await fabric.query.searchSessions(request)
    expect({ request, items: actual.items }).toEqual({ request, items: expected.items })
    expect(actual.nextCursor === undefined).toBe(expected.nextCursor === undefined)
    for (const id of Object.keys(said).map(SessionId)) {
      const filters = request.eventFilters ?? []
      const within = { sessionId: id, query: request.query, filters }
      const { items, session } = await host.query.searchEvents(within)
      const ours = await fabric.query.searchEvents(within)
      // Ours also finds scattered words, after all that the host finds.
      const isPhrase = request.query.trim().includes(' ')
      const same = isPhrase ? ours.items.slice(0, items.length) : ours.items
      expect({ within, items: same }).toEqual({ within, items })
      expect(ours.session).toEqual(session)
    }
  }
})

describe.each(['host', 'fabric'] as const)('%s', (engine: Engine) => {
  it.each([
    ['blank', { query: ' \n ' }, 'SESSION_QUERY_INVALID_QUERY'],
    ['with NUL', { query: 'a\0b' }, 'SESSION_QUERY_INVALID_QUERY'],
    ['no limit', { query: 'a', limit: 0 }, 'SESSION_QUERY_INVALID_LIMIT'],
    ['over the limit', { query: 'a', limit: 101 }, 'SESSION_QUERY_INVALID_LIMIT'],
    ['a part of a limit', { query: 'a', limit: 1.5 }, 'SESSION_QUERY_INVALID_LIMIT'],
    [
      'garbage cursor',
      { query: 'a', cursor: SessionSearchCursor('x') },
      'SESSION_QUERY_INVALID_CURSOR',
    ],
    [
      'backward range',
      { query: 'a', eventFilters: [{ kind: 'seq', from: 2, to: 1 }] },
      'SESSION_QUERY_INVALID_FILTER',
    ],
  ] as const)('refuses a request: %s', async (_name, request, code) => {
    const bed = await openBed({ engine })

    expect(await codeOf(bed.query.searchSessions(request))).toBe(code)
  })

  it('refuses a text clause and an unknown kind in metadata filters', async () => {
    const bed = await openBed({ engine })
    const request: SessionSearchRequest = JSON.parse(
      '{ "query": "a", "eventFilters": [{ "kind": "text", "text": "a" }] }',
    )
    const unknown: SessionSearchRequest = JSON.parse(
      '{ "query": "a", "sessionFilters": [{ "kind": "nope" }] }',
    )

    expect(await codeOf(bed.query.searchSessions(request))).toBe('SESSION_QUERY_INVALID_FILTER')
    expect(await codeOf(bed.query.searchSessions(unknown))).toBe('SESSION_QUERY_INVALID_FILTER')
  })

  it('pages once through all hits, and its cursors are bound to the request', async () => {
    const bed = await openBed({ engine })
    for (let index = 0; index < 7; index += 1) await bed.session(`s${index}`, ['hello'])
    const seen: string[] = []
    let page = await bed.query.searchSessions({ query: 'hello', limit: 3 })
    const first = page.nextCursor
    for (;;) {
      seen.push(...page.items.map(({ header }) => header.id))
      if (page.nextCursor === undefined) break
      page = await bed.query.searchSessions({ query: 'hello', limit: 3, cursor: page.nextCursor })
    }

    expect(seen.toSorted()).toEqual(['s0', 's1', 's2', 's3', 's4', 's5', 's6'])
    if (first === undefined) throw new Error('one page only')
    const otherRequest = bed.query.searchSessions({ query: 'other', limit: 3, cursor: first })
    expect(await codeOf(otherRequest)).toBe('SESSION_QUERY_INVALID_CURSOR')
  })

  it('a cursor of a session outlives changes elsewhere, and dies with its own', async () => {
    const bed = await openBed({ engine })
    const one = await bed.session('one', ['hello', 'hello', 'hello'])
    const other = await bed.session('other', ['hello'])
    const request = { sessionId: SessionId('one'), query: 'hello', limit: 1 }
    const { nextCursor: cursor } = await bed.query.searchEvents(request)
    const across = await bed.query.searchSessions({ query: 'hello', limit: 1 })
    if (cursor === undefined || across.nextCursor === undefined) throw new Error('no cursor')

    other.say('hello again')
    const next = await bed.query.searchEvents({ ...request, cursor })
    expect(next.items).toHaveLength(1)
    expect(
      await codeOf(
        bed.query.searchSessions({ query: 'hello', limit: 1, cursor: across.nextCursor }),
      ),
    ).toBe('SESSION_QUERY_STALE_CURSOR')

    one.say('hello again')
    expect(await codeOf(bed.query.searchEvents({ ...request, cursor }))).toBe(
      'SESSION_QUERY_STALE_CURSOR',
    )
  })

  it('finds what is said in a live session at once, and after it went', async () => {
    const bed = await openBed({ engine })
    const live = await bed.session('live', ['hello'])
    const before = await bed.query.searchSessions({ query: 'hello' })
    live.say('farewell')
    const during = await found(bed, 'farewell')
    await live.leave()
    const after = await bed.query.searchSessions({ query: 'farewell' })

    expect(before.items).toMatchObject([{ live: true, header: { id: 'live', cwd: '/inn' } }])
    expect(during).toEqual(['live'])
    expect(after.items).toMatchObject([{ live: false, persisted: true }])
  })

  it('forgets a session whose log is gone', async () => {
    const bed = await openBed({ engine })
    await bed.stored('gone', ['hello'])
    await bed.stored('kept', ['hello'])
    expect((await found(bed, 'hello')).toSorted()).toEqual(['gone', 'kept'])

    rmSync(join(bed.home, 'sessions', '--inn--', 'gone'), { recursive: true })

    expect(await found(bed, 'hello')).toEqual(['kept'])
  })

  it('tells what is current from what was replaced', async () => {
    const bed = await openBed({ engine })
    const { session } = await bed.session('one', ['old words', 'more old words'])
    await found(bed, 'old')
    const content = [{ type: 'text' as const, text: 'summary words' }]
    session.append('user/message', createUserMessage({ content, source: { kind: 'user' } }), {
      surfaceOp: { op: 'replace', start: 0, end: 1 },
      sourceEventSeqs: [0, 1],
    })

    const { items } = await bed.query.searchEvents({
      sessionId: SessionId('one'),
      query: 'words',
    })
    expect(items.map(({ seq, surface }) => `${seq} ${surface}`).toSorted()).toEqual([
      '0 shadowed',
      '1 shadowed',
      '2 current',
    ])
  })

  it('works without persistence, over what is live', async () => {
    const bed = await openBed({ engine, persistence: false })
    await bed.session('one', ['hello'])

    expect(await found(bed, 'hello')).toEqual(['one'])
  })

  it('opens nothing before the first search', async () => {
    const bed = await openBed({ engine })
    const file = join(bed.home, 'index', `${engine}.sqlite`)
    await bed.session('one', ['hello'])
    await bed.query.listSessions()
    await bed.query.readEvent({ sessionId: SessionId('one'), seq: 0 })
    expect(existsSync(file)).toBe(false)

    await found(bed, 'hello')

    expect(existsSync(file)).toBe(true)
  })

  it('opens at start-up, or never, when told so', async () => {
    const eager = await openBed({ engine, config: { openAt: 'startup' } })
    const never = await openBed({ engine, config: { openAt: 'never' } })
    await never.session('one', ['hello'])

    expect(existsSync(join(eager.home, 'index', `${engine}.sqlite`))).toBe(true)
    expect(await codeOf(found(never, 'hello'))).toBe('SESSION_QUERY_SEARCH_DISABLED')
    const within = never.query.searchEvents({ sessionId: SessionId('one'), query: 'hello' })
    expect(await codeOf(within)).toBe('SESSION_QUERY_SEARCH_DISABLED')
    expect(await never.query.listEvents(SessionId('one'))).toHaveLength(1)
  })

  it('refuses what it cannot answer by the host’s codes', async () => {
    const bed = await openBed({ engine })
    const { query } = bed
    await bed.session('one', ['hello'])
    const sessionId = SessionId('one')

    expect(await codeOf(query.searchEvents({ sessionId: SessionId('no'), query: 'a' }))).toBe(
      'SESSION_QUERY_SESSION_NOT_FOUND',
    )
    expect(await codeOf(query.readEvent({ sessionId, seq: 7 }))).toBe(
      'SESSION_QUERY_EVENT_NOT_FOUND',
    )
    expect(await codeOf(query.readEvent({ sessionId, seq: 0, after: 51 }))).toBe(
      'SESSION_QUERY_INVALID_WINDOW',
    )
    const signal = AbortSignal.abort()
    expect(await codeOf(query.searchSessions({ query: 'a' }, { signal }))).toBe(
      'SESSION_QUERY_ABORTED',
    )
    await bed.close()
    expect(await codeOf(query.searchSessions({ query: 'a' }))).toBe('SESSION_QUERY_INDEX_FAILED')
  })

  it('many searches at once, some given up, all answer', async () => {
    const bed = await openBed({ engine })
    for (let index = 0; index < 5; index += 1) await bed.session(`s${index}`, ['hello'])
    const controller = new AbortController()
    const searches = Array.from({ length: 20 }, async (_none, index) =>
      index % 4 === 3
        ? await codeOf(bed.query.searchSessions({ query: 'hello' }, controller))
        : (await found(bed, 'hello')).length,
    )
    controller.abort()

    const expected = Array.from({ length: 20 }, (_none, index) =>
      index % 4 === 3 ? 'SESSION_QUERY_ABORTED' : 5,
    )
    expect(await Promise.all(searches)).toEqual(expected)
  })
})

/** Every one of these is searched for as it stands. */
const injections = [
  'hello OR world',
  'hello AND missing',
  'NOT hello',
  'hel*',
  '^hello',
  'terms:hello',
  '{terms}: hello',
  'NEAR(hello world)',
  '"hello',
  'hello" OR "world',
  "hello' OR 1=1 --",
  '(hello',
  'hello)',
  'hello + world',
  '-hello',
  '\u0001hello',
  '\ufdd0hello\ufdd1',
  "'); DROP TABLE stored_terms; --",
  '\ud800hello',
  '"'.repeat(500),
  'x '.repeat(5_000),
]

it.each(injections.map((query) => [query.slice(0, 40), query] as const))(
  'nothing in a query is syntax: %j',
  async (_name, query) => {
    const bed = await openBed()
    await bed.session('plain', ['hello world'])
    await bed.session('same', [`so they typed ${query} and went`])

    const hits = await found(bed, query)

    const words = query.replaceAll(/[^\p{L}\p{N}]/gu, '')
    const isInPlain = ['hello', 'helloworld'].includes(words)
    expect(hits.toSorted()).toEqual(words === '' ? [] : isInPlain ? ['plain', 'same'] : ['same'])
    expect(await found(bed, 'hello world')).toContain('plain')
  },
)

async function bedWith(texts: Readonly<Record<string, string>>): Promise<Bed> {
  const bed = await openBed()
  for (const [id, text] of Object.entries(texts)) await bed.session(id, [text])
  return bed
}

it('where all stands as asked comes before where the words are scattered; a word is never torn', async () => {
  const bed = await bedWith({
    scattered: '酒馆，地图；地图，酒馆；酒馆，地图。',
    phrase: '很久很久以前，在很远很远的地方，有人把它叫做地图酒馆，后来没有人再去。',
    torn: '地上的图，酒和馆。',
    one: '地图。',
  })

  expect(await found(bed, '地图 酒馆')).toEqual(['scattered', 'phrase'])
  expect(await found(bed, '地图酒馆')).toEqual(['scattered', 'phrase'])
  expect(await found(bed, '酒馆 地图 很久')).toEqual(['phrase'])
})
