/** Pages of a stream. Any replica may answer for the bulk; what one that lags does not have yet, the leader is asked for. */
import type { Link } from './link.ts'
import type { Entry } from './wire.ts'

const BATCH_MS = 2000
const EACH_AT_ONCE = 64
const BATCH_SINCE = [2, 11] as const

export interface PageOf {
  /** Without one, the stream has no gaps between `from` and `head`. */
  readonly filter?: string
  /** The first sequence wanted. */
  readonly from: number
  /** What the leader had when asked: nothing after is wanted, everything before is there. */
  readonly head: number
  readonly limit: number
}

export async function readPage(
  link: Link,
  stream: string,
  page: PageOf,
): Promise<readonly Entry[]> {
  const found: Entry[] = []
  const add = (entries: readonly Entry[]): number => {
    const before = found.length
    for (const entry of entries) {
      if (entry.sequence > page.head || found.length === page.limit) break
      if (page.filter === undefined && entry.sequence !== nextOf(found, page)) break
      found.push(entry)
    }
    return found.length - before
  }
  const missing = (): number => page.limit - found.length

  while (hasBatches(link) && missing() > 0 && nextOf(found, page) <= page.head) {
    if (
      add(await batch(link, stream, { ...page, from: nextOf(found, page), limit: missing() })) === 0
    )
      break
  }
  while (missing() > 0 && nextOf(found, page) <= page.head) {
    const from = nextOf(found, page)
    if (add(await fromLeader(link, stream, { ...page, from, limit: missing() })) === 0) break
  }
  return found
}

function nextOf(found: readonly Entry[], page: PageOf): number {
  return (found.at(-1)?.sequence ?? page.from - 1) + 1
}

async function fromLeader(link: Link, stream: string, page: PageOf): Promise<readonly Entry[]> {
  const { filter, from, head, limit } = page
  if (filter !== undefined) {
    const next = await link.findNext(stream, filter, from)
    return next === undefined ? [] : [next]
  }
  const count = Math.min(limit, head - from + 1, EACH_AT_ONCE)
  const sequences = Array.from({ length: count }, (_, index) => from + index)
  const entries = await Promise.all(sequences.map((each) => link.findAt(stream, each)))
  return entries.filter((entry) => entry !== undefined)
}

/** Whether the server gives many messages for one request. */
function hasBatches(link: Link): boolean {
  const [major = 0, minor = 0] = (link.connection.info?.version ?? '').split('.').map(Number)
  return major > BATCH_SINCE[0] || (major === BATCH_SINCE[0] && minor >= BATCH_SINCE[1])
}

async function batch(link: Link, stream: string, page: PageOf): Promise<readonly Entry[]> {
  const { filter, from, limit } = page
  const body = JSON.stringify({ seq: from, batch: limit, next_by_subj: filter })
  const entries: Entry[] = []
  try {
    const options = { strategy: 'sentinel', maxWait: BATCH_MS } as const
    const replies = await link.connection.requestMany(`$JS.API.DIRECT.GET.${stream}`, body, options)
    for await (const { data, headers } of replies) {
      const sequence = Number(headers?.get('Nats-Sequence'))
      const subject = headers?.get('Nats-Subject') ?? ''
      if (data.length > 0 && sequence > 0) entries.push({ subject, sequence, data })
    }
  } catch {
    return entries // the leader is asked for the rest
  }
  return entries
}
