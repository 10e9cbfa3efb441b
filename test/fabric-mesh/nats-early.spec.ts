/** Entries of a log that come too early are kept up to a bound, and none is lost by it. */
import { openNatsMesh } from 'dsh-fabric-mesh/nats'
import { expect, it } from 'vitest'
import { Early } from '../../packages/dsh-fabric-mesh/src/nats/early.ts'
import { startNats } from '../nats/server.ts'

const by = 'narrator'
const mara = { id: 'mara', secret: 'the secret of mara' }

function heard(sequence: number, bytes: number) {
  return { entry: { subject: 'box.l', sequence, data: new Uint8Array(bytes) }, command: undefined }
}

it('so many and so large entries are kept, and always the next one', () => {
  const many = new Early()
  for (let sequence = 2; sequence < 20_000; sequence += 1) many.keep(heard(sequence, 100), 1)
  const large = new Early()
  for (let sequence = 2; sequence < 100; sequence += 1) large.keep(heard(sequence, 256 * 1024), 1)

  expect(many.size).toBe(256)
  expect(large.size).toBe(16)
  many.keep(heard(1, 100), 1)
  expect(many.take(1)?.entry.sequence).toBe(1)
  many.dropThrough(20_000)
  expect(many.size).toBe(0)
})

it('a process that sends much while another claims knows all of it later', async () => {
  const nats = await startNats()
  const options = { servers: nats.servers, replicas: 1 }
  const mesh = await openNatsMesh(options)
  const beside = await openNatsMesh(options)
  const sender = mesh.workspace('workspace:inn').mailboxes
  const worker = beside.workspace('workspace:inn').mailboxes
  await sender.create({ id: 'box', by })
  await sender.send('box', { payload: 0, by })
  expect(await sender.find('box')).toMatchObject({ queued: 1 })

  expect(await worker.claim('box', mara)).toMatchObject({ message: { payload: 0 } })
  const payloads = Array.from({ length: 600 }, (_, index) => index + 1)
  await Promise.all(payloads.map((payload) => sender.send('box', { payload, by })))

  expect(await sender.find('box')).toMatchObject({ queued: 600, claimed: 1, headSequence: 602 })
  expect(await sender.claim('box', mara)).toMatchObject({ message: { payload: 1 } })
  await Promise.all([mesh.close(), beside.close()])
  await nats.stop()
}, 30_000)
