/** What doctor shows of the servers and the streams, and what is wrong there. */
import { MeshError } from '../error.ts'
import type { MeshFinding, MeshReport } from '../mesh.ts'
import { checkStream } from './fitness.ts'
import type { Link } from './link.ts'
import { lookAt, withoutSync } from './monitor.ts'
import { kindOf } from './names.ts'
import type { StreamInfo } from './wire.ts'

/** A replica so far behind is worth a word. */
const LAG = 1000
const SYNC_UNSEEN =
  'whether the servers sync each write to disk was not seen: set sync_interval: always in their configuration, and name their monitors here'

export interface Checked {
  readonly link: Link
  readonly where: string
  readonly name: string
  readonly replicas: number
  readonly monitors: readonly string[]
}

export async function checkMesh(checked: Checked): Promise<MeshReport> {
  const { link, monitors, name, replicas, where } = checked
  const streams = await link.streams(`${name}.>`)
  const { info } = link.connection
  const count = (kind: 'topic' | 'mailbox' | 'states'): number =>
    streams.filter(({ config }) => kindOf(config.name) === kind).length
  const total = (of: (info: StreamInfo) => number): number =>
    streams.reduce((all, each) => all + of(each), 0)
  return {
    engine: 'nats',
    where,
    findings: [
      ...(await syncFindings(monitors)),
      ...streams.flatMap((stream) => findingsOf(stream, replicas)),
    ],
    facts: {
      server: info?.server_name ?? '',
      version: info?.version ?? '',
      cluster: info?.cluster ?? 'none',
      servers: peersOf(streams),
      replicas: Math.min(...streams.map(({ config }) => config.num_replicas)),
      'greatest lag': Math.max(
        0,
        ...streams.flatMap((stream) => peers(stream).map(({ lag }) => lag)),
      ),
      workspaces: new Set(streams.map(({ config }) => config.name.split('-').at(-3))).size - 1,
      topics: count('topic'),
      mailboxes: count('mailbox'),
      'workspaces with state': count('states'),
      messages: total(({ state }) => state.messages),
      bytes: total(({ state }) => state.bytes),
    },
  }
}

async function syncFindings(monitors: readonly string[]): Promise<readonly MeshFinding[]> {
  if (monitors.length === 0) return [{ kind: 'warning', text: SYNC_UNSEEN }]
  const findings = monitors.map(async (monitor): Promise<readonly MeshFinding[]> => {
    const seen = await lookAt(monitor)
    if (seen === undefined)
      return [{ kind: 'warning', text: `monitor '${monitor}' does not answer` }]
    return seen.syncsEachWrite ? [] : [{ kind: 'damage', text: withoutSync(seen) }]
  })
  return (await Promise.all(findings)).flat()
}

function findingsOf(stream: StreamInfo, replicas: number): readonly MeshFinding[] {
  const { name } = stream.config
  const findings: MeshFinding[] = []
  const warn = (text: string): void => void findings.push({ kind: 'warning', text })
  try {
    const states = kindOf(name) === 'states'
    checkStream(stream, replicas, states ? stream.config.max_msgs_per_subject : -1)
  } catch (error) {
    if (!(error instanceof MeshError)) throw error
    findings.push({ kind: 'damage', text: error.message })
  }
  if (stream.config.num_replicas > 1 && stream.cluster?.leader === undefined) {
    warn(`stream '${name}' has no leader: nothing can be written to it`)
  }
  for (const { current, lag, name: peer, offline } of peers(stream)) {
    if (offline) warn(`server '${peer}' is offline: stream '${name}' has one copy fewer`)
    else if (!current || lag > LAG) warn(`server '${peer}' is ${lag} behind in stream '${name}'`)
  }
  return findings
}

function peers(stream: StreamInfo) {
  return stream.cluster?.replicas ?? []
}

function peersOf(streams: readonly StreamInfo[]): string {
  const names = streams.flatMap((stream) => [
    stream.cluster?.leader ?? '',
    ...peers(stream).map(({ name }) => name),
  ])
  return Array.from(new Set(names.filter((name) => name !== '')))
    .toSorted()
    .join(', ')
}
