/** A provider that is away, silent or slow to recover: everything ends, nothing is said twice, and the scene goes on. */
import type { RequestOutcome } from 'dsh-tavern-protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Protocol } from './chat.ts'
import { Players, playedBy, saying } from './players.ts'
import { ProviderServer } from './provider-server.ts'
import { briefingsIn, newestIn, timesIn } from './reading.ts'
import type { WireAnswer } from './replies.ts'
import { keys, large, outcomeOf, pro, sitDown, type Table, type TableOptions } from './table.ts'

const HALF = 'Half-said quincunx'
const busy: WireAnswer = { kind: 'plain', status: 429, body: '{"error":{"message":"Busy"}}' }

interface Sitting {
  readonly players: Players
  readonly server: ProviderServer
  readonly table: Table
}

describe.each(['deepseek', 'openai'] as const)('an outage: %s', { timeout: 60_000 }, (protocol) => {
  it('a server that is down fails everyone asked, and auto play ends', async () => {
    const { server, table } = await sit(protocol)
    await server.stop()

    const outcome = await say(table, 'Lucan, Bettany: is anybody there?')
    const auto = await table.scene.auto(6)

    expect(outcome).toMatchObject({ status: 'nobody', beats: [] })
    expect(outcome.failures).toHaveLength(2)
    for (const { code, message } of outcome.failures) {
      expect(code).toBe('TRANSPORT')
      expect(message).toMatch(/^(deepseek-official|local) [\w-]+: .*(failed|error)/i)
      expect(message).not.toContain(keys[protocol])
    }
    expect(auto).toBe('nobody')
  })

  it('a server that comes back is asked again, for all that was missed', async () => {
    const { players, server, table } = await sit(protocol)
    const { port } = server
    await server.stop()
    await say(table, 'Lucan: what fell?')
    await say(table, 'Lucan: who heard it?')
    const again = await ProviderServer.start(players.script, port)
    onTestFinished(() => again.stop())

    const outcome = await say(table, 'Lucan: and now?')

    const told = briefingsIn(again.exchanges[0]?.request)
    expect(outcome.failures).toEqual([])
    expect(told.slice(0, -1)).toEqual(['(You were cut off before you spoke.)'])
    for (const line of ['what fell?', 'who heard it?', 'and now?']) {
      expect(timesIn(told.at(-1) ?? '', `Lucan: ${line}`)).toBe(1)
    }
  })

  it('a missing key is named, not asked for again', async () => {
    const { server, table } = await sit(protocol, { withoutKeys: true })

    const { failures } = await say(table, 'Lucan: have you the key?')

    const wanted = protocol === 'deepseek' ? 'DEEPSEEK_API_KEY' : 'SHOAL_KEY'
    expect(failures[0]).toMatchObject({
      character: 'lucan',
      message: expect.stringContaining(wanted),
    })
    expect(server.exchanges).toEqual([])
  })

  it('a stream that falls silent ends with its time, and its connection is closed', async () => {
    const { players, server, table } = await sit(protocol, {
      settings: { streamIdleTimeoutMs: 1500 },
    })
    players.next('Lucan Teague', { kind: 'hang', text: HALF })
    const hanging = server.next(({ answer }) => answer.kind === 'hang')

    const outcome = await say(table, 'Lucan: why so quiet?')
    await server.over(await hanging)
    const next = await say(table, 'Lucan: go on.')

    expect(outcome.failures).toMatchObject([{ character: 'lucan', code: 'TIMEOUT' }])
    expect(next.failures).toEqual([])
    expect(server.exchanges.at(-1)?.request.raw).not.toContain(HALF)
  })

  it('a person who stops a hanging answer gets the turn back, and nothing was said', async () => {
    const { players, server, table } = await sit(protocol)
    players.next('Lucan Teague', { kind: 'hang', text: HALF })
    const hanging = server.next(({ answer }) => answer.kind === 'hang')

    const asked = say(table, 'Lucan: why so quiet?')
    const exchange = await hanging
    table.scene.cancel()
    const outcome = await asked
    await server.over(exchange)
    const next = await say(table, 'Lucan: go on.')

    expect(outcome).toMatchObject({ status: 'cancelled', beats: [], failures: [] })
    expect(next.failures).toEqual([])
    expect(next.beats.length).toBeGreaterThan(0)
    const later = server.exchanges.slice(server.exchanges.indexOf(exchange) + 1)
    expect(later.filter(({ request }) => request.raw.includes(HALF))).toEqual([])
  })

  it('a scene left while a model hangs answers that line when it is opened again', async () => {
    const first = await sit(protocol)
    const { players, server } = first
    players.next('Lucan Teague', { kind: 'hang', text: HALF })
    const hanging = server.next(({ answer }) => answer.kind === 'hang')
    const { scene } = first.table
    await scene.submit(scene.speaker(), { id: 'quiet', text: 'Lucan: why so quiet?' })
    await server.over(await left(first.table, hanging))

    const { table } = await sit(protocol, { home: first.table.home }, first)
    await table.scene.idle()

    const beats = await table.scene.run.read(0, 500)
    const mine = beats.filter(({ id }) => id === 'quiet#0')
    expect(mine.map(({ beat }) => beat.text)).toEqual([saying('Lucan Teague', 1)])
    const [lost, kept] = server.exchanges.filter(
      ({ request }) => playedBy(request) === 'Lucan Teague',
    )
    expect(newestIn(kept?.request)).toBe(newestIn(lost?.request))
    expect(timesIn(briefingsIn(kept?.request).join('\n'), 'why so quiet?')).toBe(1)
    expect(kept?.request.raw).not.toContain(HALF)
  })

  it('what the server reports is what a budget counts, and a spent one is named', async () => {
    const { server, table } = await sit(protocol, { scene: { caps: { characterTokens: 4000 } } })

    const outcomes = []
    for (const number of [1, 2, 3, 4]) outcomes.push(await say(table, `Lucan: line ${number}.`))
    const other = await say(table, 'Bettany: and you?')

    const costs = server.exchanges.map(
      ({ usage }) => (usage?.prompt ?? 0) + (usage?.completion ?? 0),
    )
    const [first = 0, second = 0] = costs
    expect([first < 4000, first + second >= 4000]).toEqual([true, true])
    expect(outcomes.map(({ status, cap }) => [status, cap])).toEqual([
      ['answered', undefined],
      ['answered', undefined],
      ['capped', 'character-tokens'],
      ['capped', 'character-tokens'],
    ])
    expect(other.status).toBe('answered')
    expect(server.exchanges).toHaveLength(3)
  })

  it('a host that retries sends the same request again, and what comes of it is said once', async () => {
    const { players, server, table } = await sit(protocol, retrying)
    players.next('Lucan Teague', busy, { kind: 'cut', text: HALF, how: 'reset' })

    const { failures, beats } = await say(table, 'Lucan: have patience.')

    const asked = server.exchanges.filter(({ request }) => playedBy(request) === 'Lucan Teague')
    const [mine = ''] = beats
    expect(failures).toEqual([])
    expect(asked).toHaveLength(3)
    expect(new Set(asked.map(({ request }) => request.raw)).size).toBe(1)
    expect((await table.scene.run.find(mine))?.beat.text).toBe(saying('Lucan Teague', 1))
  })

  it('a host that retries gives up, and then it is one failure', async () => {
    const { players, server, table } = await sit(protocol, retrying)
    players.next('Lucan Teague', busy, busy, busy)

    const { failures } = await say(table, 'Lucan: have patience.')

    expect(failures).toMatchObject([{ character: 'lucan', code: 'RATE_LIMIT' }])
    const asked = server.exchanges.filter(({ answer }) => answer === busy)
    expect(asked).toHaveLength(3)
  })
})

/** Two more times, at once. */
const retrying: Partial<TableOptions> = {
  retry: true,
  settings: {
    retryPolicy: {
      mode: 'normal',
      maxRetries: 2,
      backoff: { initialDelayMs: 1, maxDelayMs: 1, jitterRatio: 0 },
    },
  },
}

/** Everybody on one server; both are gone when the test has finished. */
async function sit(
  protocol: Protocol,
  options: Partial<TableOptions> = {},
  before?: Pick<Sitting, 'players' | 'server'>,
): Promise<Sitting> {
  const players = before?.players ?? new Players()
  const server = before?.server ?? (await ProviderServer.start(players.script))
  const own = protocol === 'deepseek' ? pro : large
  const routes = { roe: own, lucan: own, bettany: own, crane: own }
  const table = await sitDown({ baseUrls: server.baseUrls, routes, talkativeness: 0, ...options })
  onTestFinished(async () => {
    await table.leave()
    await server.stop()
  })
  return { players, server, table }
}

async function left<T>(table: Table, when: Promise<T>): Promise<T> {
  const value = await when
  await table.leave('keep')
  return value
}

async function say({ scene }: Table, text: string): Promise<RequestOutcome> {
  const id = await scene.nextId('line')
  return await outcomeOf(scene.submit(scene.speaker(), { id, text }))
}
