/** What the tool refuses: with a closed code, naming the argument, and with what the caller needs to go on. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { describe, expect, it } from 'vitest'
import * as MeshTool from 'dsh-fabric-mesh/tool'
import { call, execute, type Host, openHost, refusal, shared, textOf } from './host.ts'

async function desk(row: object = {}): Promise<{ readonly host: Host; readonly agent: Agent }> {
  const host = await openHost({ row })
  const agent = await host.agent('coder')
  await call(host, agent, { action: 'create_topic', id: 'news', label: 'News' })
  await call(host, agent, { action: 'create_actor', id: 'desk', label: 'Desk' })
  return { host, agent }
}

const long = 'é'.repeat(129) // 258 bytes

describe('an argument', () => {
  it.each([
    ['topic_id', { action: 'read_topic' }],
    ['topic_id', { action: 'read_topic', topic_id: '  ' }],
    ['topic_id', { action: 'read_topic', topic_id: long }],
    ['topic_id', { action: 'publish', topic_id: '\ud800', payload: 1 }],
    ['payload', { action: 'publish', topic_id: 'news' }],
    ['to', { action: 'publish', topic_id: 'news', payload: 1, to: [long] }],
    ['id', { action: 'create_topic', id: long, label: 'A' }],
    ['label', { action: 'create_topic', id: 'a' }],
    ['label', { action: 'create_actor', label: 'x'.repeat(513) }],
    ['key', { action: 'get_state', key: '' }],
    ['expected_version', { action: 'cas_state', key: 'a', value: 1 }],
    ['expected_version', { action: 'cas_state', key: 'a', value: 1, expected_version: -1 }],
    ['value', { action: 'cas_state', key: 'a', expected_version: 0 }],
    ['limit', { action: 'snapshot', limit: 0 }],
    ['limit', { action: 'snapshot', limit: 501 }],
    ['limit', { action: 'list_state', limit: 501 }],
    ['after', { action: 'read_topic', topic_id: 'news', after: -1 }],
    ['after', { action: 'read_topic', topic_id: 'news', after: 'news' }],
    ['after', { action: 'list_state', after: 3 }],
    ['retain', { action: 'prune_topic', topic_id: 'news' }],
    ['retain', { action: 'prune_topic', topic_id: 'news', retain: 10_001 }],
    ['lease_ms', { action: 'create_actor', label: 'A', lease_ms: 99 }],
    ['max_attempts', { action: 'create_actor', label: 'A', max_attempts: 0 }],
    ['priority', { action: 'send_actor', actor_id: 'desk', payload: 1, priority: 101 }],
    ['delay_ms', { action: 'send_actor', actor_id: 'desk', payload: 1, delay_ms: -1 }],
    ['timeout_ms', { action: 'wait', topic_id: 'news', timeout_ms: 60_001 }],
    [
      'claim_token',
      { action: 'settle_actor_message', message_id: 'm', claim_token: 'x', value: 1 },
    ],
    ['reason', { action: 'release_actor_message', actor_id: 'desk', message_id: 'm' }],
    ['payload', { action: 'publish', topic_id: 'news', payload: 'x'.repeat(2000) }],
    ['payload', { action: 'send_actor', actor_id: 'desk', payload: 'x'.repeat(2000) }],
    ['value', { action: 'cas_state', key: 'a', expected_version: 0, value: 'x'.repeat(2000) }],
  ])('%s out of bounds is named: %j', async (argument, args) => {
    const host = await openHost({ payloadLimitBytes: 1024 })
    const agent = await host.agent('coder')
    await call(host, agent, { action: 'create_topic', id: 'news', label: 'News' })
    await call(host, agent, { action: 'create_actor', id: 'desk', label: 'Desk' })

    const refused = await refusal(host, agent, args)

    const code = JSON.stringify(args).length > 1500 ? 'payload-too-large' : 'invalid-argument'
    expect(refused).toMatchObject({ code, argument })
    expect(refused.message).not.toContain('\n')
  })

  it('that is too long is told with its bounds and its length in bytes', async () => {
    const { host, agent } = await desk()

    const { message } = await refusal(host, agent, { action: 'read_topic', topic_id: long })

    expect(message).toBe('topic_id must have 1 to 256 UTF-8 bytes: found 258 bytes')
  })

  it('that is not in the schema, or of another type, is refused in the same way', async () => {
    const { host, agent } = await desk()

    expect((await refusal(host, agent, { action: 'destroy' })).code).toBe('invalid-argument')
    expect((await refusal(host, agent, {})).code).toBe('invalid-argument')
    const mistyped = { action: 'snapshot', limit: 'ten' }
    expect((await refusal(host, agent, mistyped)).message).toContain('limit')
  })
})

describe('a code', () => {
  it.each([
    ['not-found', { action: 'read_topic', topic_id: 'old' }],
    ['not-found', { action: 'publish', topic_id: 'old', payload: 1 }],
    ['not-found', { action: 'prune_topic', topic_id: 'old', retain: 0 }],
    ['not-found', { action: 'wait', topic_id: 'old', timeout_ms: 5 }],
    ['not-found', { action: 'read_mailbox', actor_id: 'old' }],
    ['not-found', { action: 'send_actor', actor_id: 'old', payload: 1 }],
    ['not-found', { action: 'claim_actor_message', actor_id: 'old' }],
    ['not-found', { action: 'prune_mailbox', actor_id: 'old', retain: 0 }],
    ['not-found', { action: 'wait', actor_id: 'desk', message_id: 'old', timeout_ms: 5 }],
    [
      'not-found',
      { action: 'settle_actor_message', message_id: 'old', claim_token: 'ab@desk', value: 1 },
    ],
    ['already-exists', { action: 'create_topic', id: 'news', label: 'Again' }],
    ['already-exists', { action: 'create_actor', id: 'desk', label: 'Again' }],
  ])('%s is in the text of %j and in the error of a program', async (code, args) => {
    const { host, agent } = await desk()

    const result = await execute(host, agent, args)

    expect(JSON.parse(textOf(result)).error.code).toBe(code)
    if (!result.isError) throw new Error('not refused')
    expect(result.error.info).toEqual({ name: 'MeshToolError', code })
    expect(JSON.parse(result.error.message).error.code).toBe(code)
  })

  it('of a call without an agent says so', async () => {
    const { host } = await desk()

    expect(await refusal(host, undefined, { action: 'snapshot' })).toMatchObject({
      code: 'no-agent',
      message: expect.stringContaining('only for an agent'),
    })
  })

  it('of a closed store is told, and nothing is written', async () => {
    const { host, agent } = await desk()
    await host.ctx.mesh.close()

    const refused = await refusal(host, agent, {
      action: 'publish',
      topic_id: 'news',
      payload: 1,
    })

    expect(refused.code).toBe('closed')
  })

  it('of a fault that is nobody’s argument tells nothing of it', async () => {
    const { host, agent } = await desk()
    host.ctx.on('mesh/access', () => {
      throw new Error('the password is heron')
    })

    const result = await execute(host, agent, { action: 'snapshot' })

    expect(JSON.parse(textOf(result)).error.code).toBe('internal')
    expect(JSON.stringify(result)).not.toContain('heron')
  })
})

describe('a version conflict', () => {
  it('carries the current record, or that there is none', async () => {
    const { host, agent } = await desk()
    const swap = { action: 'cas_state', key: 'head', value: 'mine' }
    await call(host, agent, { ...swap, expected_version: 0, value: { by: 'other' } })

    const stale = await refusal(host, agent, { ...swap, expected_version: 0 })
    const ahead = await refusal(host, agent, { ...swap, key: 'new', expected_version: 4 })

    expect(stale).toMatchObject({
      code: 'version-conflict',
      current: { key: 'head', version: 1, value: { by: 'other' }, by: 'coder' },
    })
    expect(ahead).toMatchObject({ code: 'version-conflict', current: null })
    expect((await (await shared(host)).states.find('head'))?.value).toEqual({ by: 'other' })
  })
})

describe('a claim', () => {
  const claim = { action: 'claim_actor_message', actor_id: 'desk' }

  it('is only from an actor that the agent made or was given', async () => {
    const { host, agent } = await desk({ claims: ['inbox/*', 'exact'] })
    const other = await host.agent('other')
    for (const id of ['inbox/a', 'exact', 'exactly', 'my-inbox/a']) {
      await call(host, agent, { action: 'create_actor', id, label: id })
      await call(host, agent, { action: 'send_actor', actor_id: id, payload: id })
    }

    const codes = await Promise.all(
      ['desk', 'exactly', 'my-inbox/a'].map(async (actor_id) => [
        (await refusal(host, other, { ...claim, actor_id })).code,
        (await refusal(host, other, { action: 'wait', actor_id, timeout_ms: 5 })).code,
      ]),
    )

    expect(codes.flat()).toEqual(codes.flat().map(() => 'forbidden'))
    for (const actor_id of ['inbox/a', 'exact']) {
      const given = await call(host, other, { ...claim, actor_id })
      expect(given).toMatchObject({ payload: actor_id, claimedBy: 'other' })
    }
    const { mailboxes } = await shared(host)
    expect(await mailboxes.find('desk')).toMatchObject({ queued: 0, claimed: 0 })
    expect(await mailboxes.find('exactly')).toMatchObject({ queued: 1, claimed: 0 })
  })

  it('of another is taken back by an operator only', async () => {
    const { host, agent } = await desk()
    const other = await host.agent('other')
    await call(host, agent, { action: 'send_actor', actor_id: 'desk', id: 'm', payload: 1 })
    await call(host, agent, claim)
    const release = { action: 'release_actor_message', actor_id: 'desk', message_id: 'm' }

    const refused = await refusal(host, other, { ...release, reason: 'I want it' })

    expect(refused).toMatchObject({ code: 'forbidden', argument: 'message_id' })
    const own = await call(host, agent, { ...release, reason: 'not for me' })
    expect(own.status).toBe('queued')
  })

  it('an operator takes back any claim and revives the dead, with its name and reason', async () => {
    const { host, agent } = await desk({ operator: true })
    const operator = await host.agent('operator')
    const once = { action: 'create_actor', id: 'once', label: 'Once', max_attempts: 1 }
    await call(host, agent, once)
    await call(host, agent, { action: 'send_actor', actor_id: 'once', id: 'm', payload: 1 })
    const claimed = await call(host, agent, { ...claim, actor_id: 'once' })
    const release = { action: 'release_actor_message', actor_id: 'once', message_id: 'm' }

    const dead = await call(host, operator, { ...release, reason: 'it hangs' })
    const revived = await call(host, operator, { ...release, reason: 'once more' })

    expect([dead.status, revived.status]).toEqual(['dead', 'queued'])
    const late = await refusal(host, agent, {
      action: 'settle_actor_message',
      message_id: 'm',
      claim_token: claimed.claimToken,
      value: 1,
    })
    expect(late).toMatchObject({
      code: 'claim-lost',
      since: expect.arrayContaining([
        expect.objectContaining({ by: 'operator', reason: 'it hangs', claimedBy: 'coder' }),
      ]),
    })
  })

  it('is settled by its token alone: another mailbox, or a token made up, is refused', async () => {
    const { host, agent } = await desk()
    await call(host, agent, { action: 'create_actor', id: 'beside', label: 'Beside' })
    await call(host, agent, { action: 'send_actor', actor_id: 'desk', id: 'm', payload: 1 })
    const { claimToken } = await call(host, agent, claim)
    const settle = { action: 'settle_actor_message', message_id: 'm', value: 1 }

    const elsewhere = await refusal(host, agent, {
      ...settle,
      claim_token: claimToken,
      actor_id: 'beside',
    })
    const madeUp = await refusal(host, agent, { ...settle, claim_token: `${'0'.repeat(64)}@desk` })

    expect(elsewhere).toMatchObject({ code: 'invalid-argument', argument: 'actor_id' })
    expect(madeUp.code).toBe('claim-lost')
  })
})

describe('a row', () => {
  it.each([
    ['a star within', { claims: ['in*box'] }],
    ['nothing', { claims: [''] }],
    ['two stars', { claims: ['a**'] }],
  ])('with %s in a claim does not load', async (_what, row) => {
    await expect(openHost({ row })).rejects.toThrow(/claims: '/)
  })

  it('whose key is damaged does not load, and names the file', async () => {
    const { host } = await desk()
    const folder = join(host.home, 'broken')
    mkdirSync(folder)
    writeFileSync(join(folder, 'worker.key'), 'abc')

    await expect(async () => await host.ctx.plugin(MeshTool, { folder })).rejects.toThrow(
      join(folder, 'worker.key'),
    )
  })
})
