/** The host's JSON store as the peer uses it, one put for each publish, beside the mesh. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Context } from '@deepseek-ai/cordis'
import Storage from '@deepseek-ai/dsh-storage'
import * as StorageDomain from '@deepseek-ai/dsh-storage-domain'
import * as StorageJson from '@deepseek-ai/dsh-storage-json'
import { z } from 'zod'
import { bytesWritten } from './mesh-sizes.ts'
import { type Bench, figure, publish, timed } from './mesh-store.ts'
import { atLeast, median, type Report } from './report.ts'

const BLOCKS = 4
const PUBLISHES = 40
/** Until the disk has written what the puts left it. */
const CALM_MS = 400

/** In turns, so that what slows the machine slows both. */
export async function compareJsonStore(
  report: Report,
  folder: string,
  bench: Bench,
): Promise<void> {
  for (const stored of [0, 1000, 10_000]) {
    const json = await jsonStore(join(folder, `json-${stored}`), stored)
    const puts: number[] = []
    const publishes: number[] = []
    let bytes = 0
    for (let block = 0; block < BLOCKS; block += 1) {
      await pause(CALM_MS)
      for (let round = 0; round < PUBLISHES; round += 1) {
        publishes.push(await timed(() => publish(bench, 'scene')))
      }
      const before = bytesWritten() ?? 0
      for (let round = 0; round < 5; round += 1) {
        puts.push(await timed(() => json.put(`new-${block}-${round}`)))
      }
      bytes += (bytesWritten() ?? 0) - before
    }
    await json.close()
    const shown = stored.toLocaleString('en')
    report(figure(`host's JSON store, one put at ${shown}`, median(puts), 'ms'))
    const perPut = bytes / puts.length
    report(figure(`host's JSON store, bytes per put at ${shown}`, perPut, 'B'))
    report(figure(`mesh, one publish beside ${shown}`, median(publishes), 'ms'))
    const ratio = median(puts) / median(publishes)
    const faster = figure(`publish against that put at ${shown}`, ratio, 'times')
    report(stored === 10_000 ? atLeast(faster, 100) : faster)
  }
}

const message = z.object({ topicId: z.string(), payload: z.object({ text: z.string() }) })
type Message = z.infer<typeof message>

function messageOf(text: string): Message {
  return { topicId: 'scene', payload: { text } }
}

async function jsonStore(root: string, stored: number) {
  const records = Array.from({ length: stored }, (_, index) => [
    `old-${index}`,
    messageOf('t'.repeat(480)),
  ])
  const document = {
    unit: { name: 'bench', version: 1 },
    global: null,
    tables: { messages: Object.fromEntries(records) },
  }
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, 'bench.json'), `${JSON.stringify(document, null, 2)}\n`)

  const ctx = new Context()
  await ctx.plugin(Storage)
  await ctx.plugin(StorageJson, { root })
  await ctx.plugin(StorageDomain, { backend: 'json' })
  const tables = { messages: StorageDomain.domainTable<string, Message>(message) }
  const domain = await ctx.storageDomain.open(
    StorageDomain.defineDomain({ name: 'bench', version: 1, tables }),
  )
  return {
    put: (id: string) => domain.table('messages').put(id, messageOf('t'.repeat(480))),
    close: async () => {
      await domain.close()
      await ctx.fiber.dispose()
    },
  }
}
