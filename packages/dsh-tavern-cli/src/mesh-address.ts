/** Where the mesh is, as a person writes it: `sqlite:<path>` for homes of one machine, `nats://…` for several. */
import { resolve } from 'node:path'
import { UsageError } from './exit.ts'

export type MeshAddress =
  | { readonly kind: 'sqlite'; readonly path: string }
  | {
      readonly kind: 'nats'
      /** Without credentials. */
      readonly servers: readonly string[]
      /** How many servers keep each record; the engine's own default when absent. */
      readonly replicas?: number
      readonly tls: boolean
    }

const FORM =
  '--mesh takes sqlite:<path>, or nats://host:port (tls://host:port), several with commas, and ?replicas=1 at the end for a single server'

/** Fails with a `UsageError` that never repeats a password. */
export function meshAddress(text: string): MeshAddress {
  if (text.startsWith('sqlite:') && text.length > 'sqlite:'.length) {
    return { kind: 'sqlite', path: resolve(text.slice('sqlite:'.length)) }
  }
  const [list = '', query = ''] = text.split('?', 2)
  const urls = list.split(',').map((server) => serverUrl(server.trim()))
  const replicas = replicasOf(query)
  return {
    kind: 'nats',
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    tls: urls.some(({ protocol }) => protocol === 'tls:'),
    ...(replicas === undefined ? {} : { replicas }),
  }
}

function serverUrl(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined
  if (!url || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '') {
    throw new UsageError(FORM)
  }
  if (url.username === '' && url.password === '') return url
  throw new UsageError(
    '--mesh has a user or a password in it, which others on this machine can read: give them in the environment (TAVERN_NATS_USER and TAVERN_NATS_PASSWORD, TAVERN_NATS_TOKEN, TAVERN_NATS_NKEY, or TAVERN_NATS_CREDS, the path of a file)',
  )
}

function replicasOf(query: string): number | undefined {
  if (query === '') return undefined
  const [, replicas] = /^replicas=([135])$/.exec(query) ?? []
  if (replicas === undefined) throw new UsageError(FORM)
  return Number(replicas)
}
