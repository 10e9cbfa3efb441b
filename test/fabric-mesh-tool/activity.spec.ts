/** What a call leaves in the session's log for the activity view: every mutation, no read, no token, no payload. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { buildFabricTopology, readFabricMeshResultMeta } from 'dsh-fabric-protocol'
import { expect, it } from 'vitest'
import { call, execute, type Host, openHost, turn } from './host.ts'

async function seen(host: Host, agent: Agent, args: object) {
  const result = await execute(host, agent, args)
  expect(result.isError).toBe(false)
  const meta = readFabricMeshResultMeta(result.meta)
  if (meta === undefined) return undefined
  expect(JSON.stringify(meta)).not.toMatch(/SECRET|[0-9a-f]{64}/)
  const { kind, action, status, nodeId } = meta.activity
  return [kind, action, status, nodeId].join(' ')
}

it('each mutating action is one activity', async () => {
  const host = await openHost()
  const agent = await host.agent('coder')
  const see = async (args: object) => await seen(host, agent, args)
  const state = { key: 'head', value: 'SECRET' }

  expect(await see({ action: 'create_topic', id: 'news', label: 'News' })).toBe(
    'topic created completed topic:news',
  )
  const publish = { action: 'publish', topic_id: 'news', payload: 'SECRET' }
  expect(await see(publish)).toBe('message published completed topic:news')
  expect(await see({ action: 'prune_topic', topic_id: 'news', retain: 0 })).toBe(
    'topic pruned completed topic:news',
  )
  expect(await see({ action: 'cas_state', ...state, expected_version: 0 })).toBe(
    'state compare-and-swap completed state:head',
  )
  expect(await see({ action: 'delete_state', key: 'head', expected_version: 1 })).toBe(
    'state deleted completed state:head',
  )
  const desk = { action: 'create_actor', id: 'desk', label: 'Desk', max_attempts: 2 }
  expect(await see(desk)).toBe('actor created completed actor:desk')
  const send = { action: 'send_actor', actor_id: 'desk', id: 'm', payload: 'SECRET' }
  expect(await see(send)).toBe('message sent pending actor:desk')
  const claim = { action: 'claim_actor_message', actor_id: 'desk' }
  expect(await see(claim)).toBe('message claimed running actor:desk')
  const held = await call(host, agent, { ...claim, message_id: 'm' })
  const token = { message_id: 'm', claim_token: held.claimToken }
  expect(await see({ action: 'extend_claim', ...token })).toBe(
    'message extended running actor:desk',
  )
  const release = { action: 'release_actor_message', reason: 'SECRET' }
  expect(await see({ ...release, ...token })).toBe('message released pending actor:desk')
  const wait = { action: 'wait', actor_id: 'desk', timeout_ms: 1000 }
  expect(await see(wait)).toBe('message claimed running actor:desk')
  const again = await call(host, agent, { ...claim, message_id: 'm' })
  const last = { message_id: 'm', claim_token: again.claimToken }
  expect(await see({ ...release, ...last })).toBe('message dead failed actor:desk')

  await see({ ...send, id: 'n' })
  const second = await call(host, agent, claim)
  const settle = { action: 'settle_actor_message', message_id: 'n', value: 'SECRET' }
  expect(await see({ ...settle, claim_token: second.claimToken })).toBe(
    'message completed completed actor:desk',
  )
  await see({ ...send, id: 'o' })
  const third = await call(host, agent, claim)
  const fail = { action: 'settle_actor_message', message_id: 'o', error: 'SECRET' }
  expect(await see({ ...fail, claim_token: third.claimToken })).toBe(
    'message failed failed actor:desk',
  )
  expect(await see({ action: 'prune_mailbox', actor_id: 'desk', retain: 0 })).toBe(
    'actor pruned completed actor:desk',
  )
})

it('a read, a claim of nothing and a wait for others leave none', async () => {
  const host = await openHost()
  const agent = await host.agent('coder')
  await call(host, agent, { action: 'create_topic', id: 'news', label: 'News' })
  await call(host, agent, { action: 'publish', topic_id: 'news', payload: 1 })
  await call(host, agent, { action: 'create_actor', id: 'desk', label: 'Desk' })
  const given = [
    { action: 'snapshot' },
    { action: 'read_topic', topic_id: 'news' },
    { action: 'get_state', key: 'head' },
    { action: 'list_state' },
    { action: 'read_mailbox', actor_id: 'desk' },
    { action: 'claim_actor_message', actor_id: 'desk' },
    { action: 'wait', topic_id: 'news', after: 0 },
    { action: 'wait', actor_id: 'desk', timeout_ms: 1 },
  ]

  for (const args of given) expect(await seen(host, agent, args)).toBeUndefined()
})

it('a released message is told after its claim, so that the newest row is the truth', async () => {
  const host = await openHost()
  const agent = await host.agent('coder')
  await call(host, agent, { action: 'create_actor', id: 'desk', label: 'Desk' })
  await call(host, agent, { action: 'send_actor', actor_id: 'desk', id: 'm', payload: 1 })
  const claim = await execute(host, agent, { action: 'claim_actor_message', actor_id: 'desk' })
  const release = await execute(host, agent, {
    action: 'release_actor_message',
    actor_id: 'desk',
    message_id: 'm',
    reason: 'not for me',
  })

  const [claimed, released] = [claim, release].map(({ meta }) => readFabricMeshResultMeta(meta))

  expect(released?.activity.id).toBe(claimed?.activity.id)
  expect(released?.activity.updatedAt).toBeGreaterThanOrEqual(claimed?.activity.updatedAt ?? NaN)
})

it('an agent’s own turn leaves it in its log, and the log draws the actor', async () => {
  const host = await openHost()
  const agent = await host.agent('coder')
  const args = { action: 'create_actor', id: 'builder', label: 'Builder' }
  host.model.script(() =>
    host.model.requests.length > 1 ? 'Done.' : { call: 'fabric_mesh', args },
  )

  await turn(agent)

  const metas = agent.session.events.flatMap((event) =>
    event.type === 'tool/result' ? (readFabricMeshResultMeta(event.data.meta) ?? []) : [],
  )
  expect(metas).toMatchObject([
    {
      activity: { kind: 'actor', action: 'created', nodeId: 'actor:builder' },
      edges: [{ source: '$session', target: 'actor:builder', kind: 'contains' }],
    },
  ])
  const activity = {
    activities: metas.map((meta) => meta.activity),
    nodes: metas.flatMap(({ nodes }) => nodes),
    edges: metas.flatMap(({ edges }) => edges),
  }
  const session = { id: 'coder', label: 'Coder', running: false, updatedAt: 1, activity }
  const topology = buildFabricTopology({ sessions: [session], selectedSessionId: 'coder' })
  expect(topology?.nodes.map(({ label }) => label)).toContain('Builder')
})
