/** What a snapshot holds: the newest of everything, bounded in count and bytes, whatever else is stored. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Answer, call, execute, type Host, list, openHost, shared, textOf } from './host.ts'

async function openBed(): Promise<{ readonly host: Host; readonly agent: Agent }> {
  const host = await openHost()
  return { host, agent: await host.agent('coder') }
}

const payloads = (messages: readonly { readonly payload: unknown }[]) =>
  messages.map(({ payload }) => payload)

const numbers = (messages: readonly Answer[]) =>
  messages.map(({ payload }) => payload).map((payload) => Object(payload).n)

describe('a snapshot', () => {
  it('of one has one of each list, true totals, and says that there is more', async () => {
    const { host, agent } = await openBed()
    for (const id of ['a', 'b']) {
      await call(host, agent, { action: 'create_topic', id, label: id })
      await call(host, agent, { action: 'publish', topic_id: id, payload: id })
      await call(host, agent, { action: 'cas_state', key: id, expected_version: 0, value: id })
      await call(host, agent, { action: 'create_actor', id, label: id })
      await call(host, agent, { action: 'send_actor', actor_id: id, payload: id })
    }
    await call(host, agent, { action: 'send_actor', actor_id: 'b', payload: 'c' })

    const snapshot = await call(host, agent, { action: 'snapshot', limit: 1 })

    expect(snapshot).toMatchObject({
      topics: [{ id: 'b' }],
      topicMessages: [{ payload: 'b' }],
      states: [{ key: 'b' }],
      actors: [{ id: 'b', status: 'pending', queued: 2 }],
      actorMessages: [{ payload: 'c' }],
      totals: { topics: 2, topicMessages: 2, states: 2, actors: 2, actorMessages: 3 },
      truncated: true,
    })
    const lists = [snapshot.topics, snapshot.topicMessages, snapshot.states, snapshot.actors]
    expect(lists.map(({ length }) => length)).toEqual([1, 1, 1, 1])
  })

  it('has the newest messages of all topics and actors, oldest first', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1 })
    onTestFinished(() => void vi.useRealTimers())
    const { host, agent } = await openBed()
    for (const id of ['a', 'b', 'c']) {
      await call(host, agent, { action: 'create_topic', id, label: id })
      await call(host, agent, { action: 'create_actor', id, label: id })
    }
    const order = ['a', 'b', 'a', 'a', 'c', 'b', 'c', 'a']
    for (const [index, id] of order.entries()) {
      const payload = `${id}${index}`
      vi.setSystemTime(1000 + index)
      await call(host, agent, { action: 'publish', topic_id: id, payload })
      await call(host, agent, { action: 'send_actor', actor_id: id, payload })
    }

    const snapshot = await call(host, agent, { action: 'snapshot', limit: 5 })

    const newest = order.map((id, index) => `${id}${index}`).slice(-5)
    expect(payloads(snapshot.topicMessages)).toEqual(newest)
    expect(payloads(snapshot.actorMessages)).toEqual(newest)
  })

  it('keeps the order of one topic whatever the limit is to the pages', async () => {
    const { host, agent } = await openBed()
    const { topics, mailboxes } = await shared(host)
    await topics.create({ id: 'long', by: 'test' })
    await mailboxes.create({ id: 'long', by: 'test' })
    const all = Array.from({ length: 100 }, (_, index) => index)
    await Promise.all(all.map((payload) => topics.publish('long', { payload, by: 'test' })))
    await Promise.all(all.map((payload) => mailboxes.send('long', { payload, by: 'test' })))

    for (const limit of [1, 15, 16, 17, 50, 100]) {
      const snapshot = await call(host, agent, { action: 'snapshot', limit })
      expect(payloads(snapshot.topicMessages)).toEqual(all.slice(-limit))
      expect(payloads(snapshot.actorMessages)).toEqual(all.slice(-limit))
    }
  })

  it('ends before half a megabyte, with the newest, and says so', async () => {
    const { host, agent } = await openBed()
    const big = 'x'.repeat(30_000)
    await call(host, agent, { action: 'create_topic', id: 'big', label: 'Big' })
    await call(host, agent, { action: 'create_actor', id: 'big', label: 'Big' })
    for (let n = 1; n <= 6; n += 1) {
      const payload = { n, big }
      await call(host, agent, { action: 'publish', topic_id: 'big', payload })
      await call(host, agent, { action: 'send_actor', actor_id: 'big', payload })
      const key = `k${n}`
      await call(host, agent, { action: 'cas_state', key, expected_version: 0, value: payload })
    }

    const result = await execute(host, agent, { action: 'snapshot' })

    expect(Buffer.byteLength(textOf(result))).toBeLessThan(512 * 1024)
    const snapshot: Answer = JSON.parse(textOf(result))
    expect(snapshot.truncated).toBe(true)
    expect(numbers(snapshot.topicMessages)).toEqual([3, 4, 5, 6])
    expect(numbers(snapshot.actorMessages)).toEqual([3, 4, 5, 6])
    expect(snapshot.states.map(({ key }) => key)).toEqual(['k3', 'k4', 'k5', 'k6'])
    expect(snapshot.totals).toMatchObject({ topicMessages: 6, states: 6, actorMessages: 6 })
  })

  it('of something larger than its bound still has the newest', async () => {
    const { host, agent } = await openBed()
    const payload = 'x'.repeat(200_000)
    await call(host, agent, { action: 'create_topic', id: 'big', label: 'Big' })
    await call(host, agent, { action: 'publish', topic_id: 'big', payload: 'small' })
    await call(host, agent, { action: 'publish', topic_id: 'big', payload })

    const snapshot = await call(host, agent, { action: 'snapshot' })

    expect(payloads(snapshot.topicMessages)).toEqual([payload])
    expect(snapshot.truncated).toBe(true)
  })
})

describe('a mailbox', () => {
  it('is read newest first over the gaps that prunes leave', async () => {
    const { host, agent } = await openBed()
    const { mailboxes } = await shared(host)
    await mailboxes.create({ id: 'old', by: 'test' })
    const worker = { id: 'test', secret: 'the secret of the test' }
    await mailboxes.send('old', { payload: 'first', by: 'test', priority: -1 })
    for (let n = 0; n < 700; n += 1) await mailboxes.send('old', { payload: n, by: 'test' })
    for (let n = 0; n < 700; n += 1) {
      const claim = await mailboxes.claim('old', worker)
      if (claim === undefined) throw new Error('nothing to claim')
      const { token, message } = claim
      const outcome = { status: 'completed', result: 1 } as const
      void mailboxes.settle('old', message.id, { token, outcome })
    }
    await mailboxes.prune('old', 3)
    await mailboxes.send('old', { payload: 'last', by: 'test' })

    const read = await list(host, agent, { action: 'read_mailbox', actor_id: 'old' })
    const two = await list(host, agent, { action: 'read_mailbox', actor_id: 'old', limit: 2 })
    const snapshot = await call(host, agent, { action: 'snapshot', limit: 4 })

    expect(payloads(read)).toEqual(['last', 699, 698, 697, 'first'])
    expect(payloads(two)).toEqual(['last', 699])
    expect(payloads(snapshot.actorMessages)).toEqual([697, 698, 699, 'last'])
  })

  it('pages end at a megabyte, and go on after it', async () => {
    const { host, agent } = await openBed()
    await call(host, agent, { action: 'create_actor', id: 'big', label: 'Big' })
    for (let n = 0; n < 6; n += 1) {
      const payload = 'x'.repeat(250_000)
      await call(host, agent, { action: 'send_actor', actor_id: 'big', payload })
    }

    const page = await list(host, agent, { action: 'read_mailbox', actor_id: 'big', after: 0 })
    const after = page.at(-1)?.sequence
    const rest = await list(host, agent, { action: 'read_mailbox', actor_id: 'big', after })

    expect([page.length, rest.length]).toEqual([4, 2])
  })
})
