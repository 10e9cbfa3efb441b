/** Where the mesh is, as a person writes it: `sqlite:<path>` for homes of one machine, `nats://…` for several. */
import { resolve } from 'node:path'
import { UsageError } from './exit.ts'

export type MeshAddress =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'nats'; readonly servers: readonly string[] }

/** Fails with a `UsageError` that never repeats a password. */
export function meshAddress(text: string): MeshAddress {
  if (text.startsWith('sqlite:') && text.length > 'sqlite:'.length) {
    return { kind: 'sqlite', path: resolve(text.slice('sqlite:'.length)) }
  }
  const servers = text.split(',').map((server) => server.trim())
  const urls = servers.map((server) => (URL.canParse(server) ? new URL(server) : undefined))
  if (urls.some((url) => url === undefined || !['nats:', 'tls:'].includes(url.protocol))) {
    throw new UsageError('--mesh takes sqlite:<path>, or nats://host:port, several with commas')
  }
  if (urls.some((url) => url?.username || url?.password)) {
    throw new UsageError(
      '--mesh has a user or a password in it, which others on this machine can read: give them in the environment (TAVERN_NATS_USER and TAVERN_NATS_PASSWORD, TAVERN_NATS_TOKEN, or TAVERN_NATS_CREDS, a file)',
    )
  }
  return { kind: 'nats', servers }
}
