/** A provider that fails: one clear failed performance, nothing of it remembered or overheard, and the scene goes on. */
import type { RequestOutcome } from 'dsh-tavern-protocol'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Protocol, WireRequest } from './chat.ts'
import { Players, playedBy, saying } from './players.ts'
import { type Exchange, ProviderServer } from './provider-server.ts'
import { briefingsIn, ownWordsIn } from './reading.ts'
import type { Call, WireAnswer } from './replies.ts'
import { flash, keys, large, outcomeOf, pro, sitDown, small, type Table } from './table.ts'

/** Milliseconds a boot may take on a busy machine. */
const SLOW = 60_000
const HALF = 'Half-said quincunx'
const NOTE = '(You were cut off before you spoke.)'

interface Fault {
  readonly answer: (protocol: Protocol) => WireAnswer
  readonly code: Readonly<Record<Protocol, string>>
  readonly message: RegExp
}

const both = (code: string) => ({ deepseek: code, openai: code })

const faults: Readonly<Record<string, Fault>> = {
  'too many requests': {
    answer: () => refusal(429, 'Slow down, please', { 'retry-after': '30' }),
    code: both('RATE_LIMIT'),
    message: /Slow down/,
  },
  'an error of the server': {
    answer: () => refusal(500, 'The kiln went out'),
    code: both('SERVER'),
    message: /kiln went out/,
  },
  'a page of a gateway': {
    answer: () => ({
      kind: 'plain',
      status: 503,
      headers: { 'content-type': 'text/html' },
      body: '<html>No healthy upstream</html>',
    }),
    code: both('SERVER'),
    message: /503/,
  },
  'a key it does not take, repeated in its answer': {
    answer: (protocol) => refusal(401, `Incorrect API key provided: ${keys[protocol]}.`),
    code: both('AUTH'),
    message: /Incorrect API key/,
  },
  'an empty purse': {
    answer: () => refusal(402, 'Insufficient Balance'),
    code: both('QUOTA'),
    message: /Insufficient Balance/,
  },
  'a request it refuses': {
    answer: () => refusal(400, 'This model takes no tools'),
    code: both('INVALID_REQUEST'),
    message: /takes no tools/,
  },
  'an error of a million characters': {
    answer: () => refusal(500, 'Traceback! '.repeat(100_000)),
    code: both('SERVER'),
    message: /Traceback/,
  },
  'a connection lost in the middle': {
    answer: () => ({ kind: 'cut', text: HALF, how: 'reset' }),
    code: both('TRANSPORT'),
    message: /./,
  },
  'a stream over too soon': {
    answer: () => ({ kind: 'cut', text: HALF, how: 'end' }),
    code: { deepseek: 'STREAM_CLOSED', openai: 'TRANSPORT' },
    message: /ended without/,
  },
  'an error in the middle': {
    answer: () => ({ kind: 'broken-off', text: HALF, message: 'The model was unloaded' }),
    code: { deepseek: 'STREAM_CLOSED', openai: 'PI_AI_ERROR' },
    message: /ended without|unloaded/,
  },
  'garbage in the middle': {
    answer: () => ({ kind: 'garbage', text: HALF }),
    code: { deepseek: 'MALFORMED_RESPONSE', openai: 'PI_AI_ERROR' },
    message: /<html>/,
  },
  'no stream at all': {
    answer: () => ({ kind: 'plain', status: 200, body: '{"object":"list","data":[]}' }),
    code: { deepseek: 'STREAM_CLOSED', openai: 'TRANSPORT' },
    message: /ended without/,
  },
  'nothing to say': {
    answer: () => ({ kind: 'say', text: '' }),
    code: both('EMPTY_RESPONSE'),
    message: /no content/,
  },
  'a filter': {
    answer: () => ({ kind: 'say', text: HALF, finish: 'content_filter' }),
    code: { deepseek: 'CONTENT_FILTER', openai: 'PI_AI_ERROR' },
    message: /content_filter/,
  },
}

describe.each(['deepseek', 'openai'] as const)('a fault on the wire: %s', (protocol) => {
  const own = protocol === 'deepseek' ? pro : large
  let players: Players
  let server: ProviderServer
  let table: Table
  let lines = 0

  beforeAll(async () => {
    // the SDK under the host's OpenAI adapter prints what it cannot parse
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    players = new Players()
    server = await ProviderServer.start(players.script)
    const other = protocol === 'deepseek' ? small : flash
    const routes = { roe: other, lucan: own, bettany: other, crane: own }
    table = await sitDown({ baseUrls: server.baseUrls, routes, talkativeness: 0 })
  }, SLOW)
  afterAll(async () => {
    vi.restoreAllMocks()
    await table.leave()
    await server.stop()
  })

  describe.each(Object.entries(faults))('%s', (_name, fault) => {
    let outcome: RequestOutcome
    let question: string
    let failed: Exchange | undefined
    let next: Exchange | undefined
    let later: readonly Exchange[]

    beforeAll(async () => {
      players.next('Lucan Teague', fault.answer(protocol))
      question = `Lucan, Bettany: what of matter number ${++lines}?`
      const before = server.exchanges.length
      outcome = await say(question)
      failed = server.exchanges[before]
      const between = server.exchanges.length
      await say(`Lucan, Bettany: and then, after number ${lines}?`)
      later = server.exchanges.slice(between)
      next = later.find(({ request }) => playedBy(request) === 'Lucan Teague')
    }, SLOW)

    it('is one failed performance that says what happened, and the others answer', () => {
      const { status, beats, failures } = outcome

      expect(failures).toMatchObject([{ character: 'lucan', code: fault.code[protocol] }])
      const message = failures[0]?.message ?? ''
      expect(message).toMatch(fault.message)
      expect(message.startsWith(`${own.provider} ${own.model}: `)).toBe(true)
      expect(Buffer.byteLength(message)).toBeLessThan(2000)
      expect(message).not.toContain(keys[protocol])
      expect(status).toBe('answered')
      expect(beats).toHaveLength(1)
    })

    it('leaves no beat, and no word of it to anyone', async () => {
      const beats = await table.scene.run.read(0, 500)
      const words = [HALF, outcome.failures[0]?.message ?? HALF]

      expect(beats.filter(({ id }) => id === outcome.failures[0]?.cueId)).toEqual([])
      for (const word of words) {
        expect(beats.filter(({ beat }) => beat.text.includes(word))).toEqual([])
        expect(later.filter(({ request }) => request.raw.includes(word))).toEqual([])
      }
    })

    it('the same character answers the next line, having read the lost one once', () => {
      const request = next?.request
      const texts = briefingsIn(request)

      expect(playedBy(failed?.request ?? never())).toBe('Lucan Teague')
      expect(next?.answer.kind).toBe('say')
      expect(texts.join('\n').split(question)).toHaveLength(2)
      expect(texts.at(-1)).toContain(question)
      expect(texts.at(-2)).toBe(NOTE)
      expect(texts.filter((text) => text.includes('[Your cue]'))).toHaveLength(
        scriptedIn(request) + 1,
      )
    })
  })

  it('a fault after a tool call undoes the call, and it can be made again', async () => {
    const call = {
      name: 'world_set',
      arguments: { key: 'blame', value: 'Ignace', expected_version: 1 },
    }
    const set = calling(call)
    players.next('Lucan Teague', set, refusal(500, 'The kiln went out'))
    const outcome = await say('Lucan: whom do you blame?')
    const unchanged = await blame()
    players.next('Lucan Teague', set)
    const before = server.exchanges.length

    await say('Lucan: so whom do you blame?')

    expect(outcome).toMatchObject({ failures: [{ character: 'lucan', code: 'SERVER' }] })
    expect(unchanged).toMatchObject({ value: 'nobody', version: 1 })
    expect(await blame()).toMatchObject({ value: 'Ignace', version: 2 })
    const request = server.exchanges[before]?.request
    expect(request?.messages.filter(({ role }) => role === 'tool')).toEqual([])
    expect(briefingsIn(request).at(-2)).toBe(NOTE)
  })

  it('a tool call with broken arguments is told to the character, who answers all the same', async () => {
    const broken = { name: 'world_set', arguments: '{"key": "tide.minutes", "value": ' }
    players.next('Lucan Teague', calling(broken))
    const before = server.exchanges.length

    const { failures, beats } = await say('Lucan: how long until the tide?')

    const answered = server.exchanges[before + 1]?.request
    expect(failures).toEqual([])
    expect(beats.length).toBeGreaterThan(0)
    expect(answered?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringMatching(/invalid|required|arguments/i),
    })
  })

  it('an answer cut by the token limit is said as far as it goes', async () => {
    players.next('Lucan Teague', { kind: 'say', text: 'Seven to two that I', finish: 'length' })

    const { failures, beats } = await say('Lucan: what are the odds?')

    const [first = ''] = beats
    expect(failures).toEqual([])
    expect((await table.scene.run.find(first))?.beat.text).toBe('Seven to two that I')
  })

  it('a model that calls tools and never answers is stopped, and what it did is undone', async () => {
    const call = { name: 'world_set', arguments: { key: 'odds', value: 1, expected_version: 0 } }
    players.next('Lucan Teague', ...Array.from({ length: 16 }, (): WireAnswer => calling(call)))

    const { failures } = await say('Lucan: count them all.')
    const next = await say('Lucan: enough.')

    expect(failures).toMatchObject([{ character: 'lucan', code: 'TOOL_LOOP' }])
    expect(players.unplayed).toBe(0)
    expect((await table.scene.world()).map(({ key }) => key)).not.toContain('odds')
    expect(next.failures).toEqual([])
  })

  it('an answer without an end is said as far as a beat holds', async () => {
    players.next('Lucan Teague', { kind: 'say', text: 'Evens. '.repeat(10_000) })

    const { failures, beats } = await say('Lucan: what are the odds, exactly?')

    const placed = await table.scene.run.find(beats[0] ?? '')
    expect(failures).toEqual([])
    expect(placed?.beat.text).toMatch(/^Evens\. Evens\. .*…$/)
    expect(Buffer.byteLength(placed?.beat.text ?? '')).toBeLessThanOrEqual(32 * 1024)
  })

  it('a model nobody serves fails its one turn by name', async () => {
    const speaker = table.scene.speaker()
    const unknown = { provider: 'nowhere', model: 'void-1' }

    const outcome = await outcomeOf(
      table.scene.delegate(speaker, { actor: 'lucan', route: unknown }),
    )
    const next = await say('Lucan: are you there?')

    expect(outcome.failures).toMatchObject([
      { character: 'lucan', code: 'NO_ADAPTER', message: expect.stringContaining('nowhere') },
    ])
    expect(next.failures).toEqual([])
  })

  it('whatever was sent in all of this is what a provider takes, and every fault was met', () => {
    expect(server.complaints).toEqual([])
    expect(players.unplayed).toBe(0)
  })

  async function say(text: string): Promise<RequestOutcome> {
    const { scene } = table
    const id = await scene.nextId('line')
    return await outcomeOf(scene.submit(scene.speaker(), { id, text }))
  }

  async function blame() {
    return (await table.scene.world()).find(({ key }) => key === 'blame')
  }
})

function calling(call: Call): WireAnswer {
  return { kind: 'say', text: '', calls: [call] }
}

function refusal(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): WireAnswer {
  return { kind: 'plain', status, headers, body: JSON.stringify({ error: { message } }) }
}

/** How often it finds that it answered; what other tests had it say is no such answer. */
function scriptedIn(request: WireRequest | undefined): number {
  const [mark = ''] = saying('Lucan Teague', 0).split('0⟩')
  return ownWordsIn(request).filter((content) => content.includes(mark)).length
}

function never(): never {
  throw new Error('there was no such request')
}
