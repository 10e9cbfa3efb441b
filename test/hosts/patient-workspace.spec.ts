/** A mesh that is away for a while: what is asked of it is asked again, and nothing is lost or done twice. */
import type { MeshWorkspace } from 'dsh-fabric-mesh'
import { patientWorkspace } from 'dsh-tavern-scene'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newWorkspace } from '../tavern-cast/run-bed.ts'
import { away, awayOnce } from './away.ts'

const worker = { id: 'west', secret: 'a secret of sixteen bytes and more' }

function patient(workspace: MeshWorkspace) {
  const told: string[] = []
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const made = patientWorkspace(workspace, {
    pauseMs: 1,
    signal: closing.signal,
    waiting: ({ message }) => void told.push(`waiting: ${message}`),
    back: () => void told.push('back'),
  })
  return { ...made, told, closing }
}

/** A workspace whose mailboxes or topics do something else first. */
function changed(workspace: MeshWorkspace, parts: Partial<MeshWorkspace>): MeshWorkspace {
  const { identity, topics, states, mailboxes } = workspace
  const snapshot = workspace.snapshot.bind(workspace)
  return { identity, topics, states, mailboxes, snapshot, ...parts }
}

test('a write that fails is made when the mesh is back, and both are told of once', async () => {
  const real = newWorkspace()
  let failures = 3
  const topics = new Proxy(real.topics, {
    get: (target, name) =>
      name === 'publish' && failures-- > 0
        ? () => Promise.reject(away)
        : Reflect.get(target, name).bind(target),
  })
  await real.topics.open({ id: 'scene', by: 'a' })
  const { topics: patientTopics, told } = patient(changed(real, { topics }))

  const message = await patientTopics.publish('scene', { payload: 1, by: 'a', id: 'one' })

  expect(message.sequence).toBe(1)
  expect(told).toEqual(['waiting: no server answers', 'back'])
})

test('what waiting would not mend fails at once', async () => {
  const { topics, told } = patient(newWorkspace())

  const reading = topics.read('nowhere')

  await expect(reading).rejects.toMatchObject({ code: 'not-found' })
  expect(told).toEqual([])
})

test('nothing waits for a mesh once it is closing', async () => {
  const real = newWorkspace()
  const topics = new Proxy(real.topics, { get: () => () => Promise.reject(away) })
  const made = patient(changed(real, { topics }))
  const reading = made.topics.read('scene')
  made.closing.abort()

  await expect(reading).rejects.toBe(away)
})

describe('a claim whose answer was lost', () => {
  test('is given by the next asking, not the message after it', async () => {
    const real = newWorkspace()
    await real.mailboxes.open({ id: 'mara', by: 'a' })
    for (const id of ['one', 'two']) await real.mailboxes.send('mara', { id, payload: id, by: 'a' })
    let isLost = true
    const mailboxes = new Proxy(real.mailboxes, {
      get: (target, name) =>
        name === 'claimNext' && isLost
          ? async () => {
              isLost = false
              await target.claim('mara', worker)
              throw away
            }
          : Reflect.get(target, name).bind(target),
    })
    const made = patient(changed(real, { mailboxes }))
    const { signal } = new AbortController()

    const first = await made.mailboxes.claimNext('mara', worker, signal)
    const second = await made.mailboxes.claimNext('mara', worker, signal)

    expect([first?.message.id, second?.message.id]).toEqual(['one', 'two'])
    expect(first?.message.attempts).toBe(1)
  })
})

test('a watch that breaks off goes on where it was, nothing twice', async () => {
  const real = newWorkspace()
  await real.topics.open({ id: 'scene', by: 'a' })
  for (let index = 1; index <= 5; index += 1) {
    await real.topics.publish('scene', { payload: index, by: 'a' })
  }
  const topics = new Proxy(real.topics, {
    get: (target, name) =>
      name === 'watch'
        ? async function* (id: string, options: { after: number; signal: AbortSignal }) {
            let left = 2
            for await (const message of target.watch(id, options)) {
              yield message
              left -= 1
              if (left === 0) throw away
            }
          }
        : Reflect.get(target, name).bind(target),
  })
  const made = patient(changed(real, { topics }))
  const stop = new AbortController()

  const seen: number[] = []
  for await (const { sequence } of made.topics.watch('scene', { after: 0, signal: stop.signal })) {
    seen.push(sequence)
    if (seen.length === 5) stop.abort()
  }

  expect(seen).toEqual([1, 2, 3, 4, 5])
  expect(made.told).toEqual([
    'waiting: no server answers',
    'back',
    'waiting: no server answers',
    'back',
  ])
})

async function claimed() {
  const real = newWorkspace()
  await real.mailboxes.open({ id: 'mara', by: 'a' })
  await real.mailboxes.send('mara', { id: 'one', payload: 1, by: 'a' })
  await real.mailboxes.claim('mara', worker)
  return real
}

describe('a release whose answer was lost', () => {
  const other = { id: 'east', secret: 'another secret of sixteen bytes' }
  const request = { by: 'a', reason: 'moved' }

  test('leaves the claim that another took meanwhile', async () => {
    const real = await claimed()
    const meanwhile = async () => void (await real.mailboxes.claim('mara', other))
    const made = patient(awayOnce(real, 'mailboxes', 'release', meanwhile))

    await made.mailboxes.release('mara', 'one', request)

    expect(await real.mailboxes.claimsOf('mara', other)).toHaveLength(1)
  })

  test('is made once where nobody took it', async () => {
    const real = await claimed()
    const made = patient(awayOnce(real, 'mailboxes', 'release'))

    const released = await made.mailboxes.release('mara', 'one', request)

    expect(released.status).toBe('queued')
  })

  test('of a message that is not claimed is refused as ever', async () => {
    const real = newWorkspace()
    await real.mailboxes.open({ id: 'mara', by: 'a' })
    await real.mailboxes.send('mara', { id: 'one', payload: 1, by: 'a' })
    const { mailboxes } = patient(real)

    const releasing = mailboxes.release('mara', 'one', request)

    await expect(releasing).rejects.toMatchObject({ code: 'not-claimed' })
  })
})
