/** A program written for the peer's thirteen actions: its arguments, its shapes, its order. */
import { expect, it } from 'vitest'
import { call, list, openHost, refusal } from './host.ts'

const some = expect.any(String)
const time = expect.any(Number)

it('runs through all thirteen actions', async () => {
  const host = await openHost()
  const agent = await host.agent('coder')
  const run = async (args: object) => await call(host, agent, args)

  const topic = await run({ action: 'create_topic', label: 'Builds' })
  expect(topic).toMatchObject({ id: some, label: 'Builds', createdAt: time, updatedAt: time })
  const first = await run({ action: 'publish', topic_id: topic.id, payload: { n: 1 } })
  expect(first).toMatchObject({
    id: some,
    topicId: topic.id,
    payload: { n: 1 },
    publishedAt: time,
  })
  await run({ action: 'publish', topic_id: topic.id, payload: { n: 2 } })
  await run({ action: 'publish', topic_id: topic.id, payload: { n: 3 } })
  const newest = { action: 'read_topic', topic_id: topic.id, limit: 2 }
  const newestFirst = await list(host, agent, newest)
  expect(newestFirst.map(({ payload }) => payload)).toEqual([{ n: 3 }, { n: 2 }])
  expect(await run({ action: 'prune_topic', topic_id: topic.id, retain: 1 })).toEqual({
    deleted: 2,
    retained: 1,
  })

  expect(await run({ action: 'get_state', key: 'head' })).toBeNull()
  const created = await run({ action: 'cas_state', key: 'head', expected_version: 0, value: 'a' })
  expect(created).toMatchObject({ key: 'head', version: 1, value: 'a', updatedAt: time })
  const swapped = await run({ action: 'cas_state', key: 'head', expected_version: 1, value: null })
  expect(swapped).toMatchObject({ version: 2, value: null })
  expect(await run({ action: 'get_state', key: 'head' })).toEqual(swapped)

  const actor = await run({ action: 'create_actor', id: 'builder', label: 'Builder' })
  expect(actor).toMatchObject({ id: 'builder', label: 'Builder', createdAt: time, updatedAt: time })
  const sent = await run({ action: 'send_actor', actor_id: 'builder', payload: { task: 'a' } })
  expect(sent).toMatchObject({
    id: some,
    actorId: 'builder',
    payload: { task: 'a' },
    status: 'queued',
    createdAt: time,
    updatedAt: time,
  })
  await run({ action: 'send_actor', actor_id: 'builder', payload: { task: 'b' } })
  const claimed = await run({ action: 'claim_actor_message', actor_id: 'builder' })
  expect(claimed).toMatchObject({
    id: sent.id,
    status: 'claimed',
    claimToken: expect.any(String),
    claimedAt: time,
  })
  const done = await run({
    action: 'settle_actor_message',
    message_id: claimed.id,
    claim_token: claimed.claimToken,
    value: { ok: true },
  })
  expect(done).toMatchObject({ id: sent.id, status: 'completed', result: { ok: true } })
  const second = await run({ action: 'claim_actor_message', actor_id: 'builder' })
  expect(second.payload).toEqual({ task: 'b' })
  const failed = await run({
    action: 'settle_actor_message',
    message_id: second.id,
    claim_token: second.claimToken,
    error: 'no disk',
  })
  expect(failed).toMatchObject({ status: 'failed', error: 'no disk' })
  expect(await run({ action: 'claim_actor_message', actor_id: 'builder' })).toBeNull()
  const mailbox = await list(host, agent, { action: 'read_mailbox', actor_id: 'builder' })
  expect(mailbox.map(({ status }) => status)).toEqual(['failed', 'completed'])
  expect(await run({ action: 'prune_mailbox', actor_id: 'builder', retain: 1 })).toEqual({
    deleted: 1,
    retained: 1,
  })

  const snapshot = await run({ action: 'snapshot' })
  expect(Object.keys(snapshot)).toEqual([
    'topics',
    'topicMessages',
    'states',
    'actors',
    'actorMessages',
    'totals',
    'truncated',
  ])
  expect(snapshot).toMatchObject({
    topics: [{ id: topic.id }],
    topicMessages: [{ payload: { n: 3 } }],
    states: [{ key: 'head', version: 2 }],
    actors: [{ id: 'builder', status: 'failed', queued: 0, claimed: 0 }],
    actorMessages: [{ id: second.id, status: 'failed' }],
    totals: { topics: 1, topicMessages: 1, states: 1, actors: 1, actorMessages: 1 },
    truncated: false,
  })
})

it('a loop that claims until null claims each message once', async () => {
  const host = await openHost()
  const agent = await host.agent('coder')
  await call(host, agent, { action: 'create_actor', id: 'builder', label: 'Builder' })
  for (const payload of [1, 2, 3]) {
    await call(host, agent, { action: 'send_actor', actor_id: 'builder', payload })
  }

  const claimed = []
  for (;;) {
    const message = await call(host, agent, { action: 'claim_actor_message', actor_id: 'builder' })
    if (message === null) break
    claimed.push(message.payload)
  }

  expect(claimed).toEqual([1, 2, 3])
})

it('a settle again with the same token is the stored outcome, whatever it says now', async () => {
  const host = await openHost()
  const agent = await host.agent('coder')
  await call(host, agent, { action: 'create_actor', id: 'builder', label: 'Builder' })
  await call(host, agent, { action: 'send_actor', actor_id: 'builder', payload: 1 })
  const { id, claimToken } = await call(host, agent, {
    action: 'claim_actor_message',
    actor_id: 'builder',
  })
  const settle = { action: 'settle_actor_message', message_id: id, claim_token: claimToken }

  const first = await call(host, agent, { ...settle, value: 'done', error: '' })

  expect(await call(host, agent, { ...settle, error: 'late' })).toEqual(first)
  expect(await call(host, agent, { ...settle, value: 'other' })).toEqual(first)
  expect((await refusal(host, agent, settle)).code).toBe('invalid-argument')
})

it('one workspace is one folder: what is made in another, or in none, is not there', async () => {
  const host = await openHost()
  const [here, beside, alone] = await Promise.all([
    host.agent('here'),
    host.agent('beside'),
    host.agent('alone', { cwd: undefined }),
  ])
  await call(host, here, { action: 'create_actor', id: 'builder', label: 'Builder' })

  expect((await call(host, beside, { action: 'snapshot' })).totals.actors).toBe(1)
  expect((await call(host, alone, { action: 'snapshot' })).totals.actors).toBe(0)
  await call(host, alone, { action: 'create_actor', id: 'builder', label: 'Another' })
})
