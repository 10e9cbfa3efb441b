/** The contract of claims that end: leases, heartbeats, releases, dead letters; and of letters with a priority or a delay. */
import type { Claim, Mailboxes, Worker } from 'dsh-fabric-mesh'
import type { ClaimRelease } from 'dsh-fabric-protocol'
import { expect, it } from 'vitest'
import { type Fixture, by, withCode } from './mesh.ts'

const mara: Worker = { id: 'mara', secret: 'the secret of mara' }
const ivo: Worker = { id: 'ivo', secret: 'the secret of ivo!' }
const done = { status: 'completed', result: 1 } as const
const LEASE_MS = 60_000

/** A clock that tests move. */
interface Clock {
  now: number
}

export function leaseContract(fixture: Fixture): void {
  leaseEndContract(fixture)
  lostClaimContract(fixture)
  deadLetterContract(fixture)
  priorityContract(fixture)
  delayContract(fixture)
  listContract(fixture)
}

/** A mesh whose clock stands still until told. */
async function timed(
  fixture: Fixture,
  terms: { readonly leaseMs?: number; readonly maxAttempts?: number } = {},
): Promise<{ readonly mailboxes: Mailboxes; readonly clock: Clock }> {
  const clock: Clock = { now: 1_700_000_000_000 }
  const mesh = await fixture.open({ now: () => clock.now })
  const { mailboxes } = mesh.workspace('workspace:inn')
  await mailboxes.create({ id: 'box', by, ...terms })
  return { mailboxes, clock }
}

function held(claim: Claim | undefined): Claim {
  if (claim === undefined) throw new Error('nothing was claimed')
  return claim
}

async function claimedPayloads(mailboxes: Mailboxes, count: number): Promise<readonly unknown[]> {
  const payloads: unknown[] = []
  for (let index = 0; index < count; index += 1) {
    payloads.push((await mailboxes.claim('box', mara))?.message.payload)
  }
  return payloads
}

function leaseEndContract(fixture: Fixture): void {
  it('without a lease a claim stays, however long', async () => {
    const { mailboxes, clock } = await timed(fixture)
    await mailboxes.send('box', { payload: 1, by, id: 'cue' })
    const { token, message } = held(await mailboxes.claim('box', mara))

    clock.now += 365 * 24 * 60 * 60 * 1000

    expect(message).not.toHaveProperty('leaseUntil')
    expect(await mailboxes.claim('box', ivo)).toBeUndefined()
    expect(await mailboxes.settle('box', 'cue', { token, outcome: done })).toMatchObject(done)
  })

  it('a claim whose lease ended is given to the next worker, in the place it had', async () => {
    const { mailboxes, clock } = await timed(fixture, { leaseMs: LEASE_MS })
    for (const id of ['one', 'two']) await mailboxes.send('box', { payload: id, by, id })
    const first = held(await mailboxes.claim('box', mara))
    expect(first.message).toMatchObject({ payload: 'one', leaseUntil: clock.now + LEASE_MS })

    clock.now += LEASE_MS
    const again = held(await mailboxes.claim('box', ivo))

    expect(again.message).toMatchObject({ payload: 'one', claimedBy: 'ivo', attempts: 2 })
    expect(again.token).not.toBe(first.token)
    expect(await mailboxes.claimsOf('box', mara)).toEqual([])
    expect(await mailboxes.claim('box', ivo)).toMatchObject({ message: { payload: 'two' } })
  })

  it('a heartbeat keeps the claim', async () => {
    const { mailboxes, clock } = await timed(fixture, { leaseMs: LEASE_MS })
    await mailboxes.send('box', { payload: 1, by, id: 'cue' })
    const { token } = held(await mailboxes.claim('box', mara))

    for (let beat = 0; beat < 3; beat += 1) {
      clock.now += LEASE_MS - 1
      const extended = await mailboxes.extend('box', 'cue', { token })
      expect(extended.leaseUntil).toBe(clock.now + LEASE_MS)
      expect(await mailboxes.claim('box', ivo)).toBeUndefined()
    }

    expect(await mailboxes.settle('box', 'cue', { token, outcome: done })).toMatchObject(done)
  })

  it('a heartbeat needs the token of a claim that stands; without leases it changes nothing', async () => {
    const { mailboxes, clock } = await timed(fixture, { leaseMs: LEASE_MS })
    await mailboxes.create({ id: 'plain', by })
    for (const box of ['box', 'plain']) await mailboxes.send(box, { payload: 1, by, id: 'cue' })
    const plain = held(await mailboxes.claim('plain', mara))
    const { token } = held(await mailboxes.claim('box', mara))

    expect(await mailboxes.extend('plain', 'cue', { token: plain.token })).toEqual(plain.message)
    const extending = mailboxes.extend('box', 'cue', { token: plain.token })
    await expect(extending).rejects.toMatchObject(withCode('claim-lost'))
    clock.now += LEASE_MS
    const late = mailboxes.extend('box', 'cue', { token })
    await expect(late).rejects.toMatchObject(withCode('claim-lost'))
  })

  it('a waiting worker gets a message whose lease ends while it waits', async () => {
    const { mailboxes } = fixture.workspace()
    await mailboxes.create({ id: 'brief', by, leaseMs: 300 })
    await mailboxes.send('brief', { payload: 1, by, id: 'cue' })
    await mailboxes.claim('brief', mara)

    const claim = await mailboxes.claimNext('brief', ivo, AbortSignal.timeout(10_000))

    expect(claim?.message).toMatchObject({ id: 'cue', attempts: 2, claimedBy: 'ivo' })
  })

  it('leases, attempts, priorities and delays have bounds', async () => {
    const { mailboxes } = fixture.workspace()
    const invalid = withCode('invalid-argument')
    await mailboxes.create({ id: 'box', by })

    const refused = [
      mailboxes.create({ id: 'a', by, leaseMs: 99 }),
      mailboxes.create({ id: 'b', by, leaseMs: 1.5 * LEASE_MS + 0.5 }),
      mailboxes.open({ id: 'c', by, maxAttempts: 0 }),
      mailboxes.send('box', { payload: 1, by, priority: 101 }),
      mailboxes.send('box', { payload: 1, by, priority: 0.5 }),
      mailboxes.send('box', { payload: 1, by, delayMs: -1 }),
      mailboxes.list('box', 'dead', { limit: 501 }),
    ]
    for (const each of refused) await expect(each).rejects.toMatchObject(invalid)
    expect(await mailboxes.find('box')).toMatchObject({ queued: 0 })
  })
}

function lostClaimContract(fixture: Fixture): void {
  it('a late settle is told what happened since, and changes nothing', async () => {
    const { mailboxes, clock } = await timed(fixture, { leaseMs: LEASE_MS })
    await mailboxes.send('box', { payload: 1, by, id: 'cue' })
    const { token } = held(await mailboxes.claim('box', mara))
    clock.now += LEASE_MS
    await mailboxes.claim('box', ivo)
    await mailboxes.release('box', 'cue', { by: 'operator', reason: 'ivo is gone', cause: 'call' })

    const late = mailboxes.settle('box', 'cue', { token, outcome: done })

    const since: readonly Partial<ClaimRelease>[] = [
      { kind: 'lease', attempt: 1, claimedBy: 'mara', releasedAt: clock.now },
      {
        kind: 'operator',
        attempt: 2,
        claimedBy: 'ivo',
        by: 'operator',
        reason: 'ivo is gone',
        cause: 'call',
      },
    ]
    await expect(late).rejects.toMatchObject({
      ...withCode('claim-lost'),
      detail: { mailboxId: 'box', messageId: 'cue', status: 'queued', since },
    })
    expect(await mailboxes.findMessage('box', 'cue')).toMatchObject({
      status: 'queued',
      attempts: 2,
    })
  })

  it('a claim is void at the end of its lease, whether or not somebody took the message', async () => {
    const { mailboxes, clock } = await timed(fixture, { leaseMs: LEASE_MS })
    await mailboxes.send('box', { payload: 1, by, id: 'cue' })
    const { token } = held(await mailboxes.claim('box', mara))
    clock.now += LEASE_MS

    const late = mailboxes.settle('box', 'cue', { token, outcome: done })

    await expect(late).rejects.toMatchObject(withCode('claim-lost'))
    expect(await mailboxes.claim('box', mara)).toMatchObject({ message: { attempts: 2 } })
  })

  it('a settled message stays settled when its lease would have ended', async () => {
    const { mailboxes, clock } = await timed(fixture, { leaseMs: LEASE_MS, maxAttempts: 1 })
    await mailboxes.send('box', { payload: 1, by, id: 'cue' })
    const { token } = held(await mailboxes.claim('box', mara))
    const settled = await mailboxes.settle('box', 'cue', { token, outcome: done })
    clock.now += 2 * LEASE_MS

    expect(await mailboxes.claim('box', ivo)).toBeUndefined()
    expect(await mailboxes.settle('box', 'cue', { token, outcome: done })).toEqual(settled)
    expect(await mailboxes.find('box')).toMatchObject({ completed: 1, dead: 0 })
  })
}

function deadLetterContract(fixture: Fixture): void {
  it('after its attempts a message is dead, whoever took the claim back', async () => {
    const { mailboxes, clock } = await timed(fixture, { leaseMs: LEASE_MS, maxAttempts: 2 })
    for (const id of ['one', 'two']) await mailboxes.send('box', { payload: id, by, id })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await mailboxes.claim('box', mara)
      await mailboxes.claim('box', mara)
      if (attempt === 0) clock.now += LEASE_MS
    }
    await mailboxes.release('box', 'two', { by: 'operator', reason: 'it hangs' })
    clock.now += LEASE_MS

    expect(await mailboxes.claim('box', ivo)).toBeUndefined()
    const dead = await mailboxes.list('box', 'dead')
    expect(dead).toMatchObject([
      { status: 'dead', id: 'one', attempts: 2, claimedBy: 'mara', diedAt: clock.now },
      { status: 'dead', id: 'two', attempts: 2, reason: 'it hangs' },
    ])
    expect(await mailboxes.find('box')).toMatchObject({
      queued: 0,
      claimed: 0,
      dead: 2,
      failed: 0,
      leaseMs: LEASE_MS,
      maxAttempts: 2,
    })
  })

  it('a dead message is told to who waits for it, kept by a prune, and settled by no old token', async () => {
    const { mailboxes } = await timed(fixture, { maxAttempts: 1 })
    await mailboxes.send('box', { payload: 1, by, id: 'cue' })
    const waiting = mailboxes.whenSettled('box', 'cue', AbortSignal.timeout(10_000))
    const { token } = held(await mailboxes.claim('box', mara))
    await mailboxes.release('box', 'cue', { by: 'operator', reason: 'gone' })

    expect(await waiting).toMatchObject({ status: 'dead', reason: 'gone' })
    expect(await mailboxes.prune('box', 0)).toMatchObject({ deleted: 0 })
    const late = mailboxes.settle('box', 'cue', { token, outcome: done })
    await expect(late).rejects.toMatchObject({ code: 'claim-lost', detail: { status: 'dead' } })
  })

  it('an operator gives a dead message one more attempt', async () => {
    const { mailboxes } = await timed(fixture, { maxAttempts: 1 })
    const operator = { by: 'operator', reason: 'again' }
    await mailboxes.send('box', { payload: 1, by, id: 'cue' })
    await mailboxes.claim('box', mara)
    await mailboxes.release('box', 'cue', operator)

    expect(await mailboxes.release('box', 'cue', operator)).toMatchObject({ status: 'queued' })
    const { token, message } = held(await mailboxes.claim('box', ivo))
    expect(message).toMatchObject({ attempts: 2 })
    expect(await mailboxes.release('box', 'cue', operator)).toMatchObject({ status: 'dead' })
    const late = mailboxes.settle('box', 'cue', { token, outcome: done })
    await expect(late).rejects.toMatchObject(withCode('claim-lost'))
    await mailboxes.release('box', 'cue', operator)
    const last = held(await mailboxes.claim('box', mara))
    await mailboxes.settle('box', 'cue', { token: last.token, outcome: done })
    expect(await mailboxes.find('box')).toMatchObject({ completed: 1, dead: 0, queued: 0 })
  })
}

function priorityContract(fixture: Fixture): void {
  it('higher priorities first, equal ones oldest first', async () => {
    const { mailboxes } = await timed(fixture)
    const letters = [
      [1, 0],
      [2, -5],
      [3, 9],
      [4, 0],
      [5, 9],
      [6, 100],
      [7, -5],
    ] as const
    for (const [payload, priority] of letters) {
      await mailboxes.send('box', { payload, by, ...(priority === 0 ? {} : { priority }) })
    }

    expect(await claimedPayloads(mailboxes, 8)).toEqual([6, 3, 5, 1, 4, 2, 7, undefined])
  })

  it('a released message keeps its priority, a settled one shows it', async () => {
    const { mailboxes } = await timed(fixture)
    await mailboxes.send('box', { payload: 'plain', by })
    await mailboxes.send('box', { payload: 'urgent', by, id: 'urgent', priority: 3 })
    await mailboxes.claim('box', mara)
    await mailboxes.release('box', 'urgent', { by: 'operator', reason: 'gone' })

    const { token, message } = held(await mailboxes.claim('box', ivo))
    expect(message).toMatchObject({ id: 'urgent', priority: 3 })
    await mailboxes.settle('box', 'urgent', { token, outcome: done })
    const read = await mailboxes.read('box')
    expect(read).toMatchObject([{ priority: 0 }, { priority: 3, status: 'completed' }])
  })
}

function delayContract(fixture: Fixture): void {
  it('nobody gets a delayed message before its time; then it has the place of its sending', async () => {
    const { mailboxes, clock } = await timed(fixture)
    const late = await mailboxes.send('box', { payload: 'late', by, delayMs: 5000 })
    await mailboxes.send('box', { payload: 'plain', by })
    await mailboxes.send('box', { payload: 'urgent', by, delayMs: 5000, priority: 1 })
    expect(late).toMatchObject({ status: 'queued', availableAt: clock.now + 5000 })
    expect(await mailboxes.find('box')).toMatchObject({ queued: 3 })

    clock.now += 4999
    expect(await claimedPayloads(mailboxes, 2)).toEqual(['plain', undefined])
    clock.now += 1

    expect(await claimedPayloads(mailboxes, 3)).toEqual(['urgent', 'late', undefined])
  })

  it('a waiting worker gets a delayed message when its time has come', async () => {
    const { mailboxes } = fixture.workspace()
    await mailboxes.create({ id: 'box', by })
    await mailboxes.send('box', { payload: 'late', by, delayMs: 300 })

    const claim = await mailboxes.claimNext('box', mara, AbortSignal.timeout(10_000))

    expect(claim?.message).toMatchObject({ payload: 'late', status: 'claimed' })
  })
}

function listContract(fixture: Fixture): void {
  it('lists what is queued, claimed or dead, oldest first and page by page', async () => {
    const { mailboxes } = await timed(fixture, { maxAttempts: 1 })
    for (let index = 1; index <= 6; index += 1) {
      const letter = { payload: index, by, id: `cue-${index}` }
      await mailboxes.send('box', index === 5 ? { ...letter, delayMs: 1000 } : letter)
    }
    const settled = held(await mailboxes.claim('box', mara))
    await mailboxes.settle('box', 'cue-1', { token: settled.token, outcome: done })
    await mailboxes.claim('box', mara)
    await mailboxes.release('box', 'cue-2', { by: 'operator', reason: 'gone' })
    await mailboxes.claim('box', ivo)

    const ids = async (status: 'queued' | 'claimed' | 'dead', after = 0, limit = 100) =>
      (await mailboxes.list('box', status, { after, limit })).map(({ id }) => id)
    expect(await ids('queued')).toEqual(['cue-4', 'cue-5', 'cue-6'])
    expect(await ids('claimed')).toEqual(['cue-3'])
    expect(await ids('dead')).toEqual(['cue-2'])
    const [first] = await mailboxes.list('box', 'queued', { limit: 1 })
    expect(await ids('queued', first?.sequence, 1)).toEqual(['cue-5'])
    await expect(mailboxes.list('nobody', 'queued')).rejects.toMatchObject(withCode('not-found'))
  })

  it('shows who claimed and since when, and no token', async () => {
    const { mailboxes, clock } = await timed(fixture)
    await mailboxes.send('box', { payload: 1, by })
    const { token } = held(await mailboxes.claim('box', mara))

    const claimed = await mailboxes.list('box', 'claimed')

    expect(claimed).toMatchObject([{ claimedBy: 'mara', claimedAt: clock.now }])
    expect(JSON.stringify(claimed)).not.toContain(token)
  })
}
