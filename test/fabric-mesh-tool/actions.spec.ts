/** What the tool has beyond the peer's actions: cursors, lists, deletes, waits, leases, and what a call is attributed to. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { CallId } from '@deepseek-ai/dsh-llm'
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  call,
  execute,
  type Host,
  list as listOf,
  openHost,
  refusal,
  shared,
} from './host.ts'

interface Bed {
  readonly host: Host
  readonly agent: Agent
  readonly run: (args: object) => Promise<Answer>
  readonly list: (args: object) => Promise<readonly Answer[]>
}

async function openBed(id = 'coder'): Promise<Bed> {
  const host = await openHost()
  const agent = await host.agent(id)
  return {
    host,
    agent,
    run: async (args) => await call(host, agent, args),
    list: async (args) => await listOf(host, agent, args),
  }
}

const sequences = (records: readonly { readonly sequence: number }[]) =>
  records.map(({ sequence }) => sequence)

describe('a topic', () => {
  it('is followed by a cursor, oldest first', async () => {
    const { list, run } = await openBed()
    await run({ action: 'create_topic', id: 'news', label: 'News' })
    for (const payload of [1, 2, 3, 4]) {
      await run({ action: 'publish', topic_id: 'news', payload })
    }

    const page = await list({ action: 'read_topic', topic_id: 'news', after: 1, limit: 2 })

    expect(sequences(page)).toEqual([2, 3])
    expect(sequences(await list({ action: 'read_topic', topic_id: 'news', after: 3 }))).toEqual([4])
  })

  it('takes a message with an id once, with its addressees, author and cause', async () => {
    const { host, run, agent } = await openBed()
    await run({ action: 'create_topic', id: 'news', label: 'News' })
    const publish = { action: 'publish', topic_id: 'news', id: 'one', to: ['mara'] }
    const result = await execute(host, agent, { ...publish, payload: 'first' })

    const again = await run({ ...publish, payload: 'second' })

    expect(again).toEqual(result.isError ? undefined : result.value)
    expect(again).toMatchObject({ id: 'one', payload: 'first', to: ['mara'], by: 'coder' })
    expect(again.cause).toMatch(/^call-\d+$/)
  })

  it('is waited for: what is there comes at once, what comes ends the wait', async () => {
    const { list, run } = await openBed()
    await run({ action: 'create_topic', id: 'news', label: 'News' })
    const waiting = run({ action: 'wait', topic_id: 'news', after: 0, timeout_ms: 60_000 })
    await run({ action: 'publish', topic_id: 'news', payload: 'first' })

    expect(await waiting).toMatchObject([{ payload: 'first' }])
    const there = await list({ action: 'wait', topic_id: 'news', after: 0, timeout_ms: 0 })
    expect(sequences(there)).toEqual([1])
    expect(await run({ action: 'wait', topic_id: 'news', timeout_ms: 5 })).toEqual([])
  })
})

describe('state', () => {
  it('is listed by prefix and from a key on', async () => {
    const { list, run } = await openBed()
    for (const key of ['job/a', 'job/b', 'job/c', 'other']) {
      await run({ action: 'cas_state', key, expected_version: 0, value: key })
    }

    const jobs = await list({ action: 'list_state', prefix: 'job/' })
    const rest = await list({ action: 'list_state', prefix: 'job/', after: 'job/a', limit: 1 })

    expect(jobs.map(({ key }) => key)).toEqual(['job/a', 'job/b', 'job/c'])
    expect(rest).toMatchObject([{ key: 'job/b', version: 1, value: 'job/b' }])
    expect(await run({ action: 'list_state' })).toHaveLength(4)
  })

  it('is deleted at its version, which never comes back', async () => {
    const { host, agent, run } = await openBed()
    await run({ action: 'cas_state', key: 'head', expected_version: 0, value: 'a' })

    const early = await refusal(host, agent, {
      action: 'delete_state',
      key: 'head',
      expected_version: 7,
    })
    const gone = await run({ action: 'delete_state', key: 'head', expected_version: 1 })

    expect(early).toMatchObject({ code: 'version-conflict', current: { version: 1, value: 'a' } })
    expect(gone).toEqual({ key: 'head', version: 2, deleted: true })
    expect(await run({ action: 'get_state', key: 'head' })).toBeNull()
    const anew = await run({ action: 'cas_state', key: 'head', expected_version: 0, value: 'b' })
    expect(anew.version).toBe(3)
  })

  it('names who changed it because of which call, and takes a change with an id once', async () => {
    const { host, agent, run } = await openBed()
    const change = { action: 'cas_state', key: 'sum', expected_version: 0, value: 1, id: 'plus-1' }
    await run(change)

    const again = await run(change)

    expect(again).toMatchObject({ version: 1, by: 'coder', cause: expect.stringMatching(/^call-/) })
    const conflict = await refusal(host, agent, { ...change, id: 'plus-2' })
    expect(conflict.code).toBe('version-conflict')
    const { states } = await shared(host)
    expect(await states.find('sum')).toMatchObject({ version: 1, by: 'coder' })
  })
})

describe('an actor', () => {
  it('is claimed by priority, then in order; a delayed message not before its time', async () => {
    const { list, run } = await openBed()
    await run({ action: 'create_actor', id: 'desk', label: 'Desk' })
    const send = { action: 'send_actor', actor_id: 'desk' }
    await run({ ...send, payload: 'plain' })
    await run({ ...send, payload: 'later', delay_ms: 3_600_000, priority: 100 })
    await run({ ...send, payload: 'urgent', priority: 5 })
    await run({ ...send, payload: 'twice', id: 'same' })
    await run({ ...send, payload: 'other', id: 'same' })

    const claimed = []
    for (let count = 0; count < 4; count += 1) {
      claimed.push(await run({ action: 'claim_actor_message', actor_id: 'desk' }))
    }

    expect(claimed.map((message) => message?.payload)).toEqual([
      'urgent',
      'plain',
      'twice',
      undefined,
    ])
    const after = await list({ action: 'read_mailbox', actor_id: 'desk', after: 1 })
    expect(after.map(({ payload }) => payload)).toEqual(['later', 'urgent', 'twice'])
    expect(after[0]).toMatchObject({ status: 'queued', availableAt: expect.any(Number) })
  })

  it('is waited for: the next message is claimed as soon as it is sent', async () => {
    const { host, run } = await openBed()
    const other = await host.agent('other')
    await run({ action: 'create_actor', id: 'desk', label: 'Desk' })
    const waiting = run({ action: 'wait', actor_id: 'desk', timeout_ms: 60_000 })
    await call(host, other, { action: 'send_actor', actor_id: 'desk', payload: 'hello' })

    const message = await waiting

    expect(message).toMatchObject({ payload: 'hello', status: 'claimed', claimedBy: 'coder' })
    const { id: message_id, claimToken: claim_token } = message
    await run({ action: 'settle_actor_message', message_id, claim_token, value: 1 })
    expect(await run({ action: 'wait', actor_id: 'desk', timeout_ms: 5 })).toBeNull()
  })

  it('tells who sent when the message is settled', async () => {
    const { host, run } = await openBed()
    const sender = await host.agent('sender')
    await run({ action: 'create_actor', id: 'desk', label: 'Desk' })
    const send = { action: 'send_actor', actor_id: 'desk', id: 'ask', payload: 'how many?' }
    await call(host, sender, send)
    const wait = { action: 'wait', actor_id: 'desk', message_id: 'ask' }
    expect(await call(host, sender, { ...wait, timeout_ms: 5 })).toBeNull()
    const waiting = call(host, sender, { ...wait, timeout_ms: 60_000 })
    const { claimToken } = await run({ action: 'claim_actor_message', actor_id: 'desk' })

    const settle = { action: 'settle_actor_message', message_id: 'ask', claim_token: claimToken }
    await run({ ...settle, value: 3 })

    expect(await waiting).toMatchObject({ id: 'ask', status: 'completed', result: 3 })
    expect(await waiting).not.toHaveProperty('claimToken')
  })

  it('with leases: a claim is extended, and its end is told to who comes late', async () => {
    const { host, agent, run } = await openBed()
    const actor = await run({
      action: 'create_actor',
      id: 'desk',
      label: 'Desk',
      lease_ms: 60_000,
      max_attempts: 2,
    })
    expect(actor).toMatchObject({ leaseMs: 60_000, maxAttempts: 2 })
    await run({ action: 'send_actor', actor_id: 'desk', id: 'm', payload: 1 })
    const first = await run({ action: 'claim_actor_message', actor_id: 'desk' })
    const held = { message_id: 'm', claim_token: first.claimToken }

    const extended = await run({ action: 'extend_claim', ...held })
    const released = await run({ action: 'release_actor_message', ...held, reason: 'too hard' })
    const late = await refusal(host, agent, { action: 'settle_actor_message', ...held, value: 1 })
    const lost = await refusal(host, agent, { action: 'extend_claim', ...held })

    expect(first.leaseUntil).toBe(first.claimedAt + 60_000)
    expect(extended.leaseUntil).toBeGreaterThanOrEqual(first.leaseUntil)
    expect(released).toMatchObject({ status: 'queued', attempts: 1 })
    expect(late).toMatchObject({
      code: 'claim-lost',
      since: [{ kind: 'operator', attempt: 1, claimedBy: 'coder', reason: 'too hard' }],
    })
    expect(lost.code).toBe('claim-lost')
    const second = await run({ action: 'claim_actor_message', actor_id: 'desk' })
    const given = { message_id: 'm', claim_token: second.claimToken, reason: 'again' }
    const dead = await run({ action: 'release_actor_message', ...given })
    expect(dead).toMatchObject({ status: 'dead', reason: 'again', attempts: 2 })
    expect(await run({ action: 'snapshot' })).toMatchObject({
      actors: [{ id: 'desk', status: 'failed', dead: 1 }],
      actorMessages: [{ id: 'm', status: 'dead', reason: 'again' }],
    })
  })
})

describe('a wait', () => {
  it.each([
    ['a topic', { topic_id: 'news' }],
    ['a mailbox', { actor_id: 'desk' }],
    ['a settlement', { actor_id: 'desk', message_id: 'claimed' }],
  ])('for %s ends when the call is aborted', async (_what, args) => {
    const { host, agent, run } = await openBed()
    await run({ action: 'create_topic', id: 'news', label: 'News' })
    await run({ action: 'create_actor', id: 'desk', label: 'Desk' })
    await run({ action: 'send_actor', actor_id: 'desk', id: 'claimed', payload: 1 })
    await run({ action: 'claim_actor_message', actor_id: 'desk' })
    const stop = new AbortController()
    host.ctx.on('mesh/access', () => {
      setTimeout(() => stop.abort(new Error('the person said stop')), 20) // it waits by then
      return undefined
    })
    const started = performance.now()

    const result = await execute(host, agent, { action: 'wait', ...args }, stop.signal)

    expect(result.isError).toBe(true)
    expect(performance.now() - started).toBeLessThan(5_000) // the wait itself is 30 s
  })

  it('is of one thing only', async () => {
    const { host, agent } = await openBed()

    const both = await refusal(host, agent, { action: 'wait', topic_id: 'a', actor_id: 'b' })
    const none = await refusal(host, agent, { action: 'wait' })

    expect([both.argument, none.argument]).toEqual(['topic_id', 'topic_id'])
  })
})

it('reads run beside each other, mutations alone; waiting on an actor is a mutation', async () => {
  const { host, agent } = await openBed()
  const modeOf = (args: object) =>
    host.ctx.tools.executionMode({
      callId: CallId('mode'),
      name: 'fabric_mesh',
      arguments: args,
      agent,
      signal: new AbortController().signal,
    }).kind
  const reads = ['snapshot', 'read_topic', 'get_state', 'list_state', 'read_mailbox']
  const writes = [
    'create_topic',
    'publish',
    'prune_topic',
    'cas_state',
    'delete_state',
    'create_actor',
    'send_actor',
    'prune_mailbox',
    'claim_actor_message',
    'extend_claim',
    'settle_actor_message',
    'release_actor_message',
  ]

  expect(reads.map((action) => modeOf({ action }))).toEqual(reads.map(() => 'parallel'))
  expect(writes.map((action) => modeOf({ action }))).toEqual(writes.map(() => 'exclusive'))
  expect(modeOf({ action: 'wait', topic_id: 'news' })).toBe('parallel')
  expect(modeOf({ action: 'wait', actor_id: 'desk', message_id: 'm' })).toBe('parallel')
  expect(modeOf({ action: 'wait', actor_id: 'desk' })).toBe('exclusive')
  const described = JSON.stringify(host.ctx.tools.schemas(agent))
  for (const action of [...reads, ...writes, 'wait']) expect(described).toContain(`${action}(`)
  const card = host.ctx.tools.get('fabric_mesh', agent)?.presentCall?.({ action: 'publish' })
  expect(card).toEqual({ card: 'generic', title: 'Fabric mesh: publish', kind: 'other' })
})
