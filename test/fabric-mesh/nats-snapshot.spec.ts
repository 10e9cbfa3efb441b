/** What a snapshot of many mailboxes asks of the servers. */
import { connect } from '@nats-io/transport-node'
import { openNatsMesh } from 'dsh-fabric-mesh/nats'
import { expect, it } from 'vitest'
import { startNats } from '../nats/server.ts'

const MAILBOXES = 30
const by = 'narrator'

it('a snapshot looks into the newest mailboxes, and into others only where something changed', async () => {
  const nats = await startNats()
  const options = { servers: nats.servers, replicas: 1 }
  const writer = await openNatsMesh(options)
  const reader = await openNatsMesh(options)
  const { mailboxes } = writer.workspace('workspace:inn')
  const ids = Array.from({ length: MAILBOXES }, (_, index) => `box-${index + 100}`)
  for (const id of ids) {
    await mailboxes.create({ id, by })
    await mailboxes.send(id, { payload: 1, by })
  }
  const looking = reader.workspace('workspace:inn')
  const connection = await connect({ servers: Array.from(nats.servers) })
  let looks = 0
  connection.subscribe('$JS.API.STREAM.MSG.GET.>', { callback: () => void (looks += 1) })
  await connection.flush()

  const first = await looking.snapshot(3)
  await connection.flush()
  const firstLooks = looks
  await mailboxes.send('box-100', { payload: 2, by })
  await mailboxes.send('box-129', { payload: 2, by })
  looks = 0
  const second = await looking.snapshot(1)
  await connection.flush()

  expect(first.mailboxes.map(({ id }) => id)).toEqual(['box-127', 'box-128', 'box-129'])
  expect(first).toMatchObject({
    totals: { mailboxes: MAILBOXES, mailboxMessages: MAILBOXES },
    truncated: true,
  })
  expect(second.mailboxes).toMatchObject([{ id: 'box-129', queued: 2 }])
  expect(second.totals.mailboxMessages).toBe(MAILBOXES + 2)
  expect(firstLooks).toBeGreaterThanOrEqual(MAILBOXES)
  expect(looks).toBeLessThan(10)
  await Promise.all([writer.close(), reader.close(), connection.close()])
  await nats.stop()
}, 30_000)
