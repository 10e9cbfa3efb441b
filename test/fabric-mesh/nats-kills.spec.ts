/** Ten kills of servers, leaders and followers, while four kinds of writers are at work: nothing is lost or done twice. */
import type { Claim, Mesh, MeshWorkspace } from 'dsh-fabric-mesh'
import { openNatsMesh } from 'dsh-fabric-mesh/nats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Nats, startCluster } from '../nats/server.ts'
import { leaderOf, type StreamWatch, untilCurrent, watchStreams } from '../nats/streams.ts'

const KILLS = 10
const name = 'kills'
const by = 'narrator'
const identity = 'workspace:inn'

let nats: Nats
let streams: StreamWatch
const opened: Mesh[] = []
beforeAll(async () => {
  nats = await startCluster()
  streams = await watchStreams(nats, name)
  for (let index = 0; index < 2; index += 1) {
    opened.push(await openNatsMesh({ servers: nats.servers, name }))
  }
}, 60_000)
afterAll(async () => {
  await Promise.all(opened.map((mesh) => mesh.close()))
  await streams.close()
  await nats.stop()
}, 60_000)

interface Done {
  readonly published: Map<string, number>
  swapped: number
  readonly sent: string[]
  readonly claims: Claim[]
  readonly settled: Claim[]
  longestGapMs: number
}

it('of what was acknowledged nothing is lost, no swap is won twice, no message claimed twice', async () => {
  const [here, there] = opened.map((mesh) => mesh.workspace(identity))
  if (here === undefined || there === undefined) throw new Error('two meshes are needed')
  await here.topics.create({ id: 'scene', by })
  await here.mailboxes.create({ id: 'box', by })
  const done: Done = {
    published: new Map(),
    swapped: 0,
    sent: [],
    claims: [],
    settled: [],
    longestGapMs: 0,
  }
  let over = false
  const isOver = (): boolean => over
  const writers = [
    publishing(here, 'a', done, isOver),
    publishing(there, 'b', done, isOver),
    ...[here, there, there].map((workspace) => counting(workspace, done, isOver)),
    sending(here, done, isOver),
    ...[here, there].map((workspace, index) => working(workspace, `worker-${index}`, done, isOver)),
  ]

  for (let kill = 0; kill < KILLS; kill += 1) {
    const kind = kill % 2 === 0 ? 'leader' : 'follower'
    const place = kill % 4 < 2 ? 'topic' : 'mailbox'
    const leader = await leaderOf(streams, place)
    const node = nats.nodes.find((each) => (each.name === leader) === (kind === 'leader'))
    if (node === undefined) throw new Error(`no ${kind} was found`)
    await node.kill()
    await progress(done)
    await node.start()
    await untilCurrent(streams)
  }
  over = true
  await Promise.all(writers)

  await check(here, done)
  await check(there, done)
  const { claims, longestGapMs, published, sent, settled, swapped } = done
  expect(settled).toHaveLength(claims.length)
  const facts = { published: published.size, swapped, sent: sent.length, claimed: claims.length }
  console.info('10 kills:', { ...facts, settled: settled.length, longestGapMs })
}, 240_000)

async function publishing(
  workspace: MeshWorkspace,
  writer: string,
  done: Done,
  isOver: () => boolean,
) {
  for (let index = 1; !isOver(); index += 1) {
    const id = `${writer}-${index}`
    const start = performance.now()
    const { sequence } = await workspace.topics.publish('scene', { payload: id, by, id })
    done.longestGapMs = Math.max(done.longestGapMs, Math.round(performance.now() - start))
    done.published.set(id, sequence)
  }
}

async function counting({ states }: MeshWorkspace, done: Done, isOver: () => boolean) {
  while (!isOver()) {
    const current = await states.find('count')
    const expectedVersion = current?.version ?? 0
    const value = Number(current?.value ?? 0) + 1
    const swap = await states.compareAndSwap({ key: 'count', expectedVersion, value, by })
    if (swap.status === 'swapped') done.swapped += 1
  }
}

async function sending({ mailboxes }: MeshWorkspace, done: Done, isOver: () => boolean) {
  for (let index = 1; !isOver(); index += 1) {
    const id = `cue-${index}`
    await mailboxes.send('box', { payload: index, by, id })
    done.sent.push(id)
  }
}

const secretOf = (id: string): string => `the secret of ${id}!`

async function working(
  { mailboxes }: MeshWorkspace,
  id: string,
  done: Done,
  isOver: () => boolean,
) {
  const controller = new AbortController()
  while (!isOver()) {
    const claim = await mailboxes.claim('box', { id, secret: secretOf(id) })
    if (claim === undefined) continue
    done.claims.push(claim)
    const outcome = { status: 'completed', result: claim.message.payload } as const
    await mailboxes.settle('box', claim.message.id, { token: claim.token, outcome })
    done.settled.push(claim)
  }
  controller.abort()
}

/** Every kind of write has gone on since. */
async function progress(done: Done): Promise<void> {
  const counts = () => [done.published.size, done.swapped, done.sent.length, done.settled.length]
  const before = counts()
  while (counts().some((count, index) => count < (before[index] ?? 0) + 20)) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function check({ mailboxes, states, topics }: MeshWorkspace, done: Done): Promise<void> {
  const stored = new Map<string, number>()
  for (let after = 0; ;) {
    const page = await topics.read('scene', { after, limit: 500 })
    for (const message of page) {
      expect(message.payload).toBe(message.id)
      expect(stored.has(message.id)).toBe(false)
      stored.set(message.id, message.sequence)
    }
    if (page.length === 0) break
    after = page.at(-1)?.sequence ?? after
  }
  expect(stored).toEqual(new Map([...done.published].toSorted(([, a], [, b]) => a - b)))

  expect(await states.find('count')).toMatchObject({ value: done.swapped, version: done.swapped })

  const claimed = done.claims.map(({ message }) => message.id)
  expect(new Set(claimed).size).toBe(claimed.length)
  const sentAndClaimed = done.sent.slice(0, claimed.length)
  expect(new Set(claimed)).toEqual(new Set(sentAndClaimed))
  expect(await mailboxes.find('box')).toMatchObject({
    completed: done.settled.length,
    claimed: 0,
    queued: done.sent.length - done.settled.length,
  })
  const every = Math.max(1, Math.floor(done.settled.length / 300))
  for (const { message, token } of done.settled.filter((_, index) => index % every === 0)) {
    const outcome = { status: 'failed', error: 'again' } as const
    const again = await mailboxes.settle('box', message.id, { token, outcome })
    expect(again).toMatchObject({ status: 'completed', result: message.payload })
  }
}
