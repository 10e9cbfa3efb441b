/** What a server's monitoring port tells: whether it syncs each write, which no client connection shows. */
import { z } from 'zod'
import { unfit } from './fitness.ts'

const PATIENCE_MS = 2000

const varz = z.object({
  server_name: z.string(),
  version: z.string(),
  jetstream: z
    .object({ config: z.object({ sync_always: z.boolean().default(false) }).optional() })
    .optional(),
})

export interface Monitored {
  readonly monitor: string
  readonly server: string
  readonly version: string
  readonly syncsEachWrite: boolean
}

/** Undefined where nobody answers. */
export async function lookAt(monitor: string): Promise<Monitored | undefined> {
  try {
    const url = new URL('/varz', monitor)
    const reply = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
    const { jetstream, server_name: server, version } = varz.parse(await reply.json())
    return { monitor, server, version, syncsEachWrite: jetstream?.config?.sync_always ?? false }
  } catch {
    return undefined // check() says so
  }
}

/** Refuses servers that are known to lose acknowledged writes when their machine loses its power. */
export async function checkMonitors(monitors: readonly string[]): Promise<void> {
  const seen = await Promise.all(monitors.map(lookAt))
  const lax = seen.find((each) => each?.syncsEachWrite === false)
  if (lax !== undefined) throw unfit(withoutSync(lax), { server: lax.server })
}

export function withoutSync({ server }: Monitored): string {
  return `server '${server}' does not sync each write to disk: its jetstream block needs sync_interval: always`
}
