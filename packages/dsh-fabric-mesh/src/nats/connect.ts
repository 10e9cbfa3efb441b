/** Connecting: servers, credentials by file or environment, TLS. No secret is kept, shown or logged. */
import { readFileSync } from 'node:fs'
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node'
import { assertNever } from 'dsh-fabric-protocol'
import { MeshError } from '../error.ts'

/** Where a secret is: in a file, or in a variable of the environment. */
export type Secret = { readonly file: string } | { readonly env: string }

export type Credentials =
  | { readonly kind: 'password'; readonly user: string; readonly password: Secret }
  | { readonly kind: 'token'; readonly token: Secret }
  /** The seed of the user's nkey. */
  | { readonly kind: 'nkey'; readonly seed: Secret }
  /** A file of credentials as the server's tools write it. */
  | { readonly kind: 'creds'; readonly creds: Secret }

/** Paths of PEM files. An empty object asks for TLS with the system's authorities. */
export interface Tls {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

export interface Address {
  /** `nats://host:port` or `tls://host:port` each; no credentials in them. */
  readonly servers: readonly string[]
  readonly credentials?: Credentials
  readonly tls?: Tls
}

const CONNECT_MS = 5000
/** A connection that is silent for three of these is given up, and another server is tried. */
const PING_MS = 3000
const RECONNECT_MS = 250

export function checkServers(servers: readonly string[]): string {
  const wrong = servers.length === 0 || servers.some((server) => server.includes('@'))
  if (!wrong) return servers.join(', ')
  const found = servers.length === 0 ? 'none' : 'one with credentials in it'
  const message = `servers must be addresses, at least one, each without credentials: found ${found}`
  throw new MeshError('invalid-argument', message, { detail: { servers: servers.length } })
}

/** Fails with `store-unavailable`, naming the servers. */
export async function openConnection(address: Address): Promise<NatsConnection> {
  const where = checkServers(address.servers)
  const { credentials, tls } = address
  const authenticator = credentials === undefined ? undefined : authenticatorOf(credentials)
  try {
    return await connect({
      servers: Array.from(address.servers),
      name: 'dsh-fabric-mesh',
      timeout: CONNECT_MS,
      pingInterval: PING_MS,
      maxPingOut: 2,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      ignoreAuthErrorAbort: true,
      noAsyncTraces: true,
      ...(authenticator === undefined ? {} : { authenticator }),
      ...(tls === undefined ? {} : { tls: tlsOf(tls) }),
    })
  } catch (cause) {
    const found = cause instanceof Error ? cause.message : String(cause)
    const message = `the mesh store at '${where}' cannot be reached: ${found}`
    throw new MeshError('store-unavailable', message, { detail: { where }, cause })
  }
}

function authenticatorOf(credentials: Credentials): Authenticator {
  switch (credentials.kind) {
    case 'password':
      return usernamePasswordAuthenticator(credentials.user, secret(credentials.password))
    case 'token':
      return tokenAuthenticator(secret(credentials.token))
    case 'nkey':
      return nkeyAuthenticator(bytes(secret(credentials.seed)))
    case 'creds':
      return credsAuthenticator(bytes(secret(credentials.creds)))
    default:
      return assertNever(credentials)
  }
}

function secret(from: Secret): string {
  const text = 'env' in from ? process.env[from.env] : read(from.file)
  if (text !== undefined && text.trim() !== '') return text.trim()
  const place = 'env' in from ? `variable ${from.env}` : `file '${from.file}'`
  throw new MeshError('invalid-argument', `${place} holds no secret for the mesh store`, {
    detail: { place },
  })
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // reported with its path, never with what is in it
  }
}

function tlsOf({ ca, cert, key }: Tls) {
  return {
    ...(ca === undefined ? {} : { caFile: ca }),
    ...(cert === undefined ? {} : { certFile: cert }),
    ...(key === undefined ? {} : { keyFile: key }),
  }
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
