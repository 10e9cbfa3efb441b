/** The contract of mailboxes: first in first out, one owner per message, tokens, replay, release, pruning. */
import type { Claim, Worker } from 'dsh-fabric-mesh'
import { expect, it } from 'vitest'
import { type Fixture, by, withCode } from './mesh.ts'

const mara: Worker = { id: 'mara', secret: 'the secret of mara' }
const ivo: Worker = { id: 'ivo', secret: 'the secret of ivo!' }
const done = (result: number) => ({ status: 'completed', result }) as const

export function mailboxContract(fixture: Fixture): void {
  sendContract(fixture)
  claimContract(fixture)
  tokenContract(fixture)
  settleContract(fixture)
  releaseContract(fixture)
  pruneContract(fixture)
}

async function box(fixture: Fixture) {
  const { mailboxes } = fixture.workspace()
  await mailboxes.create({ id: 'box', by })
  return mailboxes
}

/** The claim a test needs to go on. */
function held(claim: Claim | undefined): Claim {
  if (claim === undefined) throw new Error('nothing was claimed')
  return claim
}

function sendContract(fixture: Fixture): void {
  it('creating a mailbox twice is refused; opening it twice gives the first', async () => {
    const { mailboxes } = fixture.workspace()

    const created = await mailboxes.create({ id: 'box', by, label: 'Mara' })

    expect(created).toMatchObject({ headSequence: 0, queued: 0, claimed: 0, completed: 0 })
    await expect(mailboxes.create({ id: 'box', by })).rejects.toMatchObject(
      withCode('already-exists'),
    )
    expect(await mailboxes.open({ id: 'box', by: 'somebody' })).toEqual(created)
  })

  it('the same id twice, also at once, is one message, whatever became of it', async () => {
    const mailboxes = await box(fixture)
    const elsewhere = (await fixture.open()).workspace('workspace:inn').mailboxes

    const sent = await Promise.all(
      [mailboxes, mailboxes, elsewhere].map((door, index) =>
        door.send('box', { payload: index, by, id: 'cue' }),
      ),
    )
    const { message, token } = held(await mailboxes.claim('box', mara))
    await mailboxes.settle('box', 'cue', { token, outcome: done(1) })
    const late = await mailboxes.send('box', { payload: 9, by, id: 'cue' })

    expect(sent[1]).toEqual(sent[0])
    expect(sent[2]).toEqual(sent[0])
    expect(late).toMatchObject({ status: 'completed', payload: message.payload })
    expect(await mailboxes.find('box')).toMatchObject({ headSequence: 1, queued: 0, completed: 1 })
  })

  it('a mailbox counts its messages by status', async () => {
    const mailboxes = await box(fixture)
    for (let index = 1; index <= 4; index += 1) await mailboxes.send('box', { payload: index, by })
    const one = held(await mailboxes.claim('box', mara))
    const two = held(await mailboxes.claim('box', mara))
    await mailboxes.claim('box', ivo)
    await mailboxes.settle('box', one.message.id, { token: one.token, outcome: done(1) })
    await mailboxes.settle('box', two.message.id, {
      token: two.token,
      outcome: { status: 'failed', error: 'no voice' },
    })

    const counts = { headSequence: 4, queued: 1, claimed: 1, completed: 1, failed: 1 }

    expect(await mailboxes.find('box')).toMatchObject(counts)
    expect((await fixture.workspace().snapshot()).mailboxes).toMatchObject([counts])
    const statuses = (await mailboxes.read('box')).map((message) => message.status)
    expect(statuses).toEqual(['completed', 'failed', 'claimed', 'queued'])
    expect(await mailboxes.read('box', { after: 1, limit: 2 })).toMatchObject([
      { sequence: 2, error: 'no voice' },
      { sequence: 3, claimedBy: 'ivo' },
    ])
  })

  it('an unknown mailbox or message is not found', async () => {
    const mailboxes = await box(fixture)
    const missing = withCode('not-found')
    const signal = AbortSignal.timeout(10_000)

    await expect(mailboxes.send('nowhere', { payload: 1, by })).rejects.toMatchObject(missing)
    await expect(mailboxes.claim('nowhere', mara)).rejects.toMatchObject(missing)
    await expect(mailboxes.claimNext('nowhere', mara, signal)).rejects.toMatchObject(missing)
    await expect(mailboxes.claimsOf('nowhere', mara)).rejects.toMatchObject(missing)
    await expect(
      mailboxes.settle('box', 'nothing', { token: 'x', outcome: done(1) }),
    ).rejects.toMatchObject(missing)
    await expect(mailboxes.release('box', 'nothing', { by, reason: 'x' })).rejects.toMatchObject(
      missing,
    )
    await expect(mailboxes.whenSettled('box', 'nothing', signal)).rejects.toMatchObject(missing)
    expect(await mailboxes.findMessage('box', 'nothing')).toBeUndefined()
    expect(await mailboxes.find('nowhere')).toBeUndefined()
  })
}

function claimContract(fixture: Fixture): void {
  it('first sent, first claimed; a claimed message is claimed by nobody else', async () => {
    const mailboxes = await box(fixture)
    for (const payload of ['a', 'b', 'c']) await mailboxes.send('box', { payload, by })

    const claims = [
      await mailboxes.claim('box', mara),
      await mailboxes.claim('box', ivo),
      await mailboxes.claim('box', mara),
      await mailboxes.claim('box', ivo),
    ]

    expect(claims.map((claim) => claim?.message.payload)).toEqual(['a', 'b', 'c', undefined])
    expect(claims[1]?.message).toMatchObject({ status: 'claimed', claimedBy: 'ivo', attempts: 1 })
  })

  it('of many claims at once, over two openings, none gets the same message', async () => {
    const mailboxes = await box(fixture)
    const elsewhere = (await fixture.open()).workspace('workspace:inn').mailboxes
    for (let index = 0; index < 30; index += 1) await mailboxes.send('box', { payload: index, by })

    const claims = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? mailboxes : elsewhere).claim('box', { ...mara, id: `worker-${index % 5}` }),
      ),
    )

    const sequences = claims.flatMap((claim) => claim?.message.sequence ?? [])
    expect(sequences.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    )
  })

  it('a restarted worker finds its claims and tokens, oldest first; another secret finds none', async () => {
    const mailboxes = await box(fixture)
    for (const payload of ['a', 'b', 'c']) await mailboxes.send('box', { payload, by })
    const first = await mailboxes.claim('box', mara)
    await mailboxes.claim('box', ivo)
    const third = await mailboxes.claim('box', mara)

    const restarted = (await fixture.open()).workspace('workspace:inn').mailboxes

    expect(await restarted.claimsOf('box', mara)).toEqual([first, third])
    expect(await restarted.claimsOf('box', { ...mara, secret: 'another secret..' })).toEqual([])
    expect(await restarted.claimsOf('box', { id: 'tess', secret: mara.secret })).toEqual([])
    const { token, message } = held(first)
    await restarted.settle('box', message.id, { token, outcome: done(1) })
    expect(await restarted.claimsOf('box', mara)).toEqual([third])
  })

  it('a worker has an id and a secret of at least 16 bytes', async () => {
    const mailboxes = await box(fixture)
    const refused = withCode('invalid-argument')

    await expect(mailboxes.claim('box', { id: 'mara', secret: 'short' })).rejects.toMatchObject(
      refused,
    )
    await expect(mailboxes.claim('box', { ...mara, id: '' })).rejects.toMatchObject(refused)
  })
}

function tokenContract(fixture: Fixture): void {
  it('no read shows a token', async () => {
    const mailboxes = await box(fixture)
    await mailboxes.send('box', { payload: 1, by, id: 'settled' })
    await mailboxes.send('box', { payload: 2, by, id: 'claimed' })
    const one = held(await mailboxes.claim('box', mara))
    const two = held(await mailboxes.claim('box', mara))

    const shown = JSON.stringify([
      one.message,
      await mailboxes.settle('box', 'settled', { token: one.token, outcome: done(1) }),
      await mailboxes.read('box'),
      await mailboxes.findMessage('box', 'claimed'),
      await mailboxes.send('box', { payload: 2, by, id: 'claimed' }),
      await mailboxes.find('box'),
      await fixture.workspace().snapshot(),
    ])

    expect(one.token).not.toBe(two.token)
    expect(shown).not.toContain(one.token)
    expect(shown).not.toContain(two.token)
    expect(shown).not.toContain(mara.secret)
  })

  it('a token is of its workspace, its mailbox, its message and its attempt', async () => {
    const tokens: string[] = []
    for (const identity of ['workspace:inn', 'workspace:mill']) {
      const { mailboxes } = fixture.workspace(identity)
      for (const id of ['box', 'other']) {
        await mailboxes.create({ id, by })
        await mailboxes.send(id, { payload: 1, by, id: 'one' })
        await mailboxes.send(id, { payload: 1, by, id: 'two' })
        tokens.push(held(await mailboxes.claim(id, mara)).token)
        await mailboxes.release(id, 'one', { by, reason: 'again' })
        tokens.push(held(await mailboxes.claim(id, mara)).token)
        tokens.push(held(await mailboxes.claim(id, mara)).token)
      }
    }

    expect(new Set(tokens).size).toBe(12)
  })
}

function settleContract(fixture: Fixture): void {
  it('settling keeps the outcome; settling again returns it, whatever is offered', async () => {
    const mailboxes = await box(fixture)
    await mailboxes.send('box', { payload: 'act', by, id: 'cue', cause: 'line' })
    const { token } = held(await mailboxes.claim('box', mara))

    const settled = await mailboxes.settle('box', 'cue', { token, outcome: done(7) })
    const again = await mailboxes.settle('box', 'cue', { token, outcome: done(8) })
    const failed = await mailboxes.settle('box', 'cue', {
      token,
      outcome: { status: 'failed', error: 'changed my mind' },
    })

    expect(settled).toMatchObject({
      status: 'completed',
      result: 7,
      payload: 'act',
      cause: 'line',
      claimedBy: 'mara',
      attempts: 1,
    })
    expect(again).toEqual(settled)
    expect(failed).toEqual(settled)
    expect(await mailboxes.findMessage('box', 'cue')).toEqual(settled)
    expect(await mailboxes.find('box')).toMatchObject({ completed: 1, failed: 0, claimed: 0 })
  })

  it('only the token of the claim settles, before and after', async () => {
    const mailboxes = await box(fixture)
    await mailboxes.send('box', { payload: 1, by, id: 'one' })
    await mailboxes.send('box', { payload: 2, by, id: 'two' })
    await mailboxes.send('box', { payload: 3, by, id: 'queued' })
    const one = held(await mailboxes.claim('box', mara))
    const two = held(await mailboxes.claim('box', ivo))
    const lost = withCode('claim-lost')
    const wrong = { token: two.token, outcome: done(1) }

    await expect(mailboxes.settle('box', 'one', wrong)).rejects.toMatchObject(lost)
    await expect(mailboxes.settle('box', 'queued', wrong)).rejects.toMatchObject(
      withCode('not-claimed'),
    )
    await mailboxes.settle('box', 'one', { token: one.token, outcome: done(1) })
    await expect(mailboxes.settle('box', 'one', wrong)).rejects.toMatchObject(lost)

    expect(await mailboxes.find('box')).toMatchObject({ queued: 1, claimed: 1, completed: 1 })
  })

  it('a result has at most 256 KiB, an error text 8 KiB', async () => {
    const mailboxes = await box(fixture)
    await mailboxes.send('box', { payload: 1, by, id: 'cue' })
    const { token } = held(await mailboxes.claim('box', mara))

    await expect(
      mailboxes.settle('box', 'cue', {
        token,
        outcome: { status: 'completed', result: 'x'.repeat(256 * 1024) },
      }),
    ).rejects.toMatchObject(withCode('payload-too-large'))
    await expect(
      mailboxes.settle('box', 'cue', {
        token,
        outcome: { status: 'failed', error: 'x'.repeat(8 * 1024 + 1) },
      }),
    ).rejects.toMatchObject(withCode('invalid-argument'))
    expect(
      await mailboxes.settle('box', 'cue', {
        token,
        outcome: { status: 'failed', error: 'x'.repeat(8 * 1024) },
      }),
    ).toMatchObject({ status: 'failed' })
  })
}

function releaseContract(fixture: Fixture): void {
  it('a released message is queued again in its place, and its old token is void', async () => {
    const mailboxes = await box(fixture)
    for (const id of ['one', 'two', 'three']) await mailboxes.send('box', { payload: id, by, id })
    const old = held(await mailboxes.claim('box', mara))
    await mailboxes.claim('box', ivo)

    const released = await mailboxes.release('box', 'one', { by: 'operator', reason: 'stuck' })
    const lost = withCode('claim-lost')
    const settling = { token: old.token, outcome: done(1) }

    expect(released).toMatchObject({ status: 'queued', attempts: 1, sequence: 1 })
    await expect(mailboxes.settle('box', 'one', settling)).rejects.toMatchObject(lost)
    expect(await mailboxes.claimsOf('box', mara)).toEqual([])
    const next = held(await mailboxes.claim('box', mara))
    expect(next.message).toMatchObject({ id: 'one', attempts: 2 })
    expect(next.token).not.toBe(old.token)
    await expect(mailboxes.settle('box', 'one', settling)).rejects.toMatchObject(lost)
    await mailboxes.settle('box', 'one', { token: next.token, outcome: done(2) })
    await expect(mailboxes.settle('box', 'one', settling)).rejects.toMatchObject(lost)
    expect(await mailboxes.find('box')).toMatchObject({ queued: 1, claimed: 1, completed: 1 })
  })

  it('only a claimed message is released', async () => {
    const mailboxes = await box(fixture)
    await mailboxes.send('box', { payload: 1, by, id: 'cue' })
    const refused = withCode('not-claimed')
    const request = { by: 'operator', reason: 'stuck' }

    await expect(mailboxes.release('box', 'cue', request)).rejects.toMatchObject(refused)
    const { token } = held(await mailboxes.claim('box', mara))
    await mailboxes.settle('box', 'cue', { token, outcome: done(1) })
    await expect(mailboxes.release('box', 'cue', request)).rejects.toMatchObject(refused)
  })
}

function pruneContract(fixture: Fixture): void {
  it('prunes settled messages only, and keeps the newest of them', async () => {
    const mailboxes = await box(fixture)
    for (let index = 1; index <= 12; index += 1) {
      await mailboxes.send('box', { payload: index, by, id: `cue-${index}` })
    }
    const stuck = held(await mailboxes.claim('box', ivo))
    for (let index = 2; index <= 10; index += 1) {
      const { token, message } = held(await mailboxes.claim('box', mara))
      const outcome = index % 2 ? done(index) : ({ status: 'failed', error: 'no voice' } as const)
      await mailboxes.settle('box', message.id, { token, outcome })
    }

    expect(await mailboxes.prune('box', 2)).toEqual({ deleted: 7, retained: 2 })

    const left = (await mailboxes.read('box')).map(({ sequence, status }) => [sequence, status])
    expect(left).toEqual([
      [1, 'claimed'],
      [9, 'completed'],
      [10, 'failed'],
      [11, 'queued'],
      [12, 'queued'],
    ])
    const counts = { headSequence: 12, queued: 2, claimed: 1, completed: 1, failed: 1 }
    expect(await mailboxes.find('box')).toMatchObject(counts)
    expect(await mailboxes.findMessage('box', 'cue-5')).toBeUndefined()
    await mailboxes.settle('box', 'cue-1', { token: stuck.token, outcome: done(1) })
    expect(await mailboxes.prune('box', 0)).toEqual({ deleted: 3, retained: 0 })
    const anew = await mailboxes.send('box', { payload: 13, by, id: 'cue-5' })
    expect(anew).toMatchObject({ status: 'queued', payload: 13 })
    expect(anew.sequence).toBeGreaterThan(12)
    expect((await fixture.workspace().snapshot()).totals.mailboxMessages).toBe(3)
  })

  it('an empty mailbox goes on where it was', async () => {
    const mailboxes = await box(fixture)
    await mailboxes.send('box', { payload: 1, by, id: 'cue' })
    const { token } = held(await mailboxes.claim('box', mara))
    await mailboxes.settle('box', 'cue', { token, outcome: done(1) })

    expect(await mailboxes.prune('box', 0)).toEqual({ deleted: 1, retained: 0 })

    expect(await mailboxes.read('box')).toEqual([])
    expect(await mailboxes.find('box')).toMatchObject({ headSequence: 1 })
    const next = await mailboxes.send('box', { payload: 2, by })
    expect(next.sequence).toBeGreaterThan(1)
    expect(await mailboxes.find('box')).toMatchObject({ headSequence: next.sequence })
  })
}
