/** `node lead.ts <monitor> <server> <name>`: makes the server of that name lead all streams of a cluster, and the cluster. */
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '@nats-io/transport-node'
import { z } from 'zod'

const WITHIN_MS = 30_000

const led = z.object({
  meta_cluster: z.object({ leader: z.string().default('') }),
  account_details: z
    .array(
      z.object({
        stream_detail: z
          .array(
            z.object({
              name: z.string(),
              cluster: z.object({ leader: z.string().default('') }),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
})

/** Calls that step down whoever leads in this one's stead. */
async function othersLead(monitor: string, name: string): Promise<readonly Call[]> {
  const answer = await fetch(`${monitor}/jsz?accounts=1&streams=1`)
  const { meta_cluster: meta, account_details: accounts } = led.parse(await answer.json())
  const streams = accounts.flatMap((account) => account.stream_detail)
  const wrong = streams.filter(({ cluster }) => cluster.leader !== name)
  return [
    ...wrong.map((stream) => ({
      user: 'play' as const,
      subject: `$JS.API.STREAM.LEADER.STEPDOWN.${stream.name}`,
    })),
    ...(meta.leader === name
      ? []
      : [{ user: 'system' as const, subject: '$JS.API.META.LEADER.STEPDOWN' }]),
  ]
}

interface Call {
  readonly user: 'play' | 'system'
  readonly subject: string
}

const [, , monitor = '', servers = '', name = ''] = process.argv
const play = await connect({ servers })
const system = await connect({ servers, user: 'system', pass: 'system' })
const until = performance.now() + WITHIN_MS
for (;;) {
  const calls = await othersLead(monitor, name)
  if (calls.length === 0) break
  if (performance.now() > until) {
    throw new Error(`'${name}' does not lead: ${calls.map(({ subject }) => subject).join(', ')}`)
  }
  for (const { user, subject } of calls) {
    const body = JSON.stringify({ placement: { preferred: name } })
    await (user === 'play' ? play : system)
      .request(subject, body, { timeout: 2000 })
      .catch(() => {})
  }
  await pause(200)
}
await Promise.all([play.close(), system.close()])
