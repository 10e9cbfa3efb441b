/** An agent that comes back has its claims again, and nobody else can read a token anywhere. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { call, execute, newFolder, openHost, refusal, shared, textOf, turn } from './host.ts'

const claim = { action: 'claim_actor_message', actor_id: 'desk' }

async function deskWith(payloads: readonly unknown[]) {
  const home = newFolder()
  const host = await openHost({ home })
  const agent = await host.agent('coder')
  await turn(agent) // a session exists once its log does
  await call(host, agent, { action: 'create_actor', id: 'desk', label: 'Desk' })
  for (const payload of payloads) {
    await call(host, agent, { action: 'send_actor', actor_id: 'desk', payload })
  }
  return { home, host, agent }
}

describe('an agent that comes back', () => {
  it('in a new process is handed what it holds, oldest first, then what is new', async () => {
    const { home, host, agent } = await deskWith(['a', 'b', 'c'])
    const before = [await call(host, agent, claim), await call(host, agent, claim)]
    await host.ctx.sessions.flush(agent.session)
    await host.close()

    const again = await openHost({ home })
    const resumed = await again.resume('coder')
    const handed = []
    for (let count = 0; count < 4; count += 1) handed.push(await call(again, resumed, claim))

    expect(handed.slice(0, 2)).toEqual(before)
    expect(handed.map((message) => message?.payload)).toEqual(['a', 'b', 'c', undefined])
    const settled = await call(again, resumed, {
      action: 'settle_actor_message',
      message_id: before[0]?.id,
      claim_token: before[0]?.claimToken,
      value: 'done',
    })
    expect(settled.status).toBe('completed')
  })

  it('in the same process too, by claiming or by waiting', async () => {
    const { host, agent } = await deskWith(['a', 'b'])
    const before = [await call(host, agent, claim), await call(host, agent, claim)]
    await host.leave(agent)

    const resumed = await host.resume('coder')
    const waited = await call(host, resumed, { action: 'wait', actor_id: 'desk', timeout_ms: 5 })

    expect([waited, await call(host, resumed, claim)]).toEqual(before)
    expect(await call(host, resumed, claim)).toBeNull()
  })

  it('is handed next what a call claimed as it was aborted', async () => {
    const { host, agent } = await deskWith(['a'])
    const reach = await shared(host)
    host.ctx.on('mesh/access', () => ({ kind: 'restricted', reach }))
    const stop = new AbortController()
    const claimNext = reach.mailboxes.claimNext.bind(reach.mailboxes)
    vi.spyOn(reach.mailboxes, 'claimNext').mockImplementation(async (...args) => {
      const won = await claimNext(...args)
      stop.abort()
      return won
    })
    const wait = { action: 'wait', actor_id: 'desk', timeout_ms: 60_000 }
    expect((await execute(host, agent, wait, stop.signal)).isError).toBe(true)
    expect(await reach.mailboxes.find('desk')).toMatchObject({ claimed: 1, queued: 0 })

    const next = await call(host, agent, claim)

    expect(next).toMatchObject({ payload: 'a', attempts: 1 })
    expect(await call(host, agent, claim)).toBeNull()
  })

  it('gets a token that it lost as often as it asks, while it holds the claim', async () => {
    const { host, agent } = await deskWith(['a'])
    const first = await call(host, agent, claim)
    const lost = { ...claim, message_id: first.id }

    expect(await call(host, agent, lost)).toEqual(first)
    expect(await call(host, agent, lost)).toEqual(first)
    const { id: message_id, claimToken: claim_token } = first
    await call(host, agent, { action: 'settle_actor_message', message_id, claim_token, value: 1 })
    expect((await refusal(host, agent, lost)).code).toBe('forbidden')
  })

  it('under another key has lost them: they stay claimed', async () => {
    const { home, host, agent } = await deskWith(['a'])
    await call(host, agent, claim)
    await host.ctx.sessions.flush(agent.session)
    await host.close()

    const again = await openHost({ home, row: { folder: join(home, 'other') } })
    const resumed = await again.resume('coder')

    expect(await call(again, resumed, claim)).toBeNull()
    const read = await call(again, resumed, { action: 'read_mailbox', actor_id: 'desk' })
    expect(read).toMatchObject([{ status: 'claimed', claimedBy: 'coder' }])
  })
})

describe('a claim token', () => {
  it('is in no read of anybody, only in the claimer’s own answer', async () => {
    const { host, agent } = await deskWith(['a', 'b'])
    const other = await host.agent('other')
    const held = await call(host, agent, claim)
    const token = held.claimToken.split('@')[0] ?? ''
    await call(host, agent, {
      action: 'settle_actor_message',
      message_id: held.id,
      claim_token: held.claimToken,
      value: 'done',
    })
    const second = (await call(host, agent, claim)).claimToken.split('@')[0] ?? ''
    const reads = [
      { action: 'snapshot' },
      { action: 'read_mailbox', actor_id: 'desk' },
      { action: 'read_mailbox', actor_id: 'desk', after: 0 },
      { action: 'wait', actor_id: 'desk', message_id: held.id },
      claim,
      { ...claim, message_id: held.id },
      { action: 'release_actor_message', actor_id: 'desk', message_id: held.id, reason: 'x' },
      { action: 'list_state' },
    ]

    const found = []
    for (const reader of [agent, other]) {
      for (const args of reads) {
        const result = await execute(host, reader, args)
        const bytes = textOf(result) + JSON.stringify(result)
        found.push(bytes.includes(token), bytes.includes(second))
      }
    }

    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(second).toMatch(/^[0-9a-f]{64}$/)
    expect(found.filter(Boolean)).toEqual([])
    expect(found).toHaveLength(32)
  })

  it('is not in the store, nor is the key; the key is its owner’s to read', async () => {
    const { home, host, agent } = await deskWith(['a'])
    const { claimToken } = await call(host, agent, claim)
    await host.close()

    const key = readFileSync(join(home, 'fabric/worker.key'), 'utf8')
    const stored = readdirSync(home)
      .filter((name) => name.startsWith('mesh'))
      .map((name) => readFileSync(join(home, name)))

    expect(stored.length).toBeGreaterThan(0)
    const token = claimToken.split('@')[0] ?? ''
    for (const bytes of stored) {
      for (const secret of [token, key]) {
        expect(bytes.includes(secret)).toBe(false)
        expect(bytes.includes(Buffer.from(secret, 'hex'))).toBe(false)
      }
    }
    expect(statSync(join(home, 'fabric/worker.key')).mode & 0o777).toBe(0o600)
  })
})
