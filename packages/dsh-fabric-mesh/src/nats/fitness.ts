/** What a stream must be to keep what the mesh promises. */
import { MeshError } from '../error.ts'
import type { StreamInfo } from './wire.ts'

/** Older ones lose updates in a cluster. */
const OLDEST_SERVER = [2, 10, 27] as const
/** Room for what stands beside a payload: ids, labels, a settled message's releases. */
const BESIDE_PAYLOAD = 64 * 1024

export interface ServerFacts {
  readonly version: string
  readonly maxPayload: number
}

export function checkServer(server: ServerFacts, where: string, payloadLimitBytes: number): void {
  const { version, maxPayload } = server
  if (isOlder(version)) {
    const oldest = OLDEST_SERVER.join('.')
    const why = 'older ones lose updates in a cluster and cannot sync each write'
    throw unfit(`the server at '${where}' is ${version}, older than ${oldest}: ${why}`, { version })
  }
  const needed = payloadLimitBytes + BESIDE_PAYLOAD
  if (maxPayload < needed) {
    const found = `its max_payload is ${maxPayload}, below the ${needed} bytes that payloads of ${payloadLimitBytes} need`
    throw unfit(`the server at '${where}' takes too little: ${found}`, { maxPayload, needed })
  }
}

function isOlder(version: string): boolean {
  const parts = version.split(/[.-]/).map(Number)
  for (const [index, least] of OLDEST_SERVER.entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return !(part > least)
  }
  return false
}

export function streamConfig(
  name: string,
  root: string,
  request: { readonly replicas: number; readonly metadata: Readonly<Record<string, string>> },
): object {
  return {
    name,
    subjects: [`${root}.>`],
    retention: 'limits',
    storage: 'file',
    discard: 'new',
    max_age: 0,
    max_msgs: -1,
    max_bytes: -1,
    max_consumers: -1,
    max_msg_size: -1,
    max_msgs_per_subject: -1,
    num_replicas: request.replicas,
    allow_direct: true,
    deny_delete: false,
    deny_purge: false,
    metadata: request.metadata,
  }
}

export function checkStream({ config }: StreamInfo, replicas: number, perSubject = -1): void {
  const wrong = [
    config.num_replicas < replicas && `${config.num_replicas} replicas, fewer than ${replicas}`,
    config.storage !== 'file' && `storage '${config.storage}'`,
    config.retention !== 'limits' && `retention '${config.retention}'`,
    config.max_age > 0 && 'a greatest age, after which records are lost',
    config.max_msgs > 0 && 'a greatest number of messages, beyond which records are lost',
    config.max_bytes > 0 &&
      config.discard === 'old' &&
      'a greatest size, beyond which records are lost',
    perSubject === -1 &&
      config.max_msgs_per_subject > 0 &&
      'a greatest number of messages a subject',
  ].filter((text) => text !== false)
  if (wrong.length === 0) return
  const message = `stream '${config.name}' does not keep what the mesh promises: it has ${wrong.join(', ')}`
  throw unfit(message, { stream: config.name, found: wrong })
}

export function unfit(message: string, detail: Readonly<Record<string, unknown>>): MeshError {
  return new MeshError('store-unfit', message, { detail })
}
