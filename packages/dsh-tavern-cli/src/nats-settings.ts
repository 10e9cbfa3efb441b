/** What the environment says of a NATS mesh: who connects, and whom it trusts. Secrets are named here, never read. */
import type { MeshAddress } from './mesh-address.ts'

type Secret = { readonly file: string } | { readonly env: string }

/** How long the engine itself tries before the tavern says that the mesh does not answer, and asks again. */
const PATIENCE_MS = 5000

export function natsSettings({ servers, replicas, tls }: Extract<MeshAddress, { kind: 'nats' }>) {
  const credentials = credentialsFrom(process.env)
  const files = tlsFrom(process.env)
  const isGuarded = tls || Object.keys(files).length > 0
  return {
    servers: [...servers],
    name: 'tavern',
    patienceMs: PATIENCE_MS,
    ...(replicas === undefined ? {} : { replicas }),
    ...(credentials ? { credentials } : {}),
    ...(isGuarded ? { tls: files } : {}),
  }
}

/** The first that is set, of a file, a token, a key, a user. */
function credentialsFrom(env: NodeJS.ProcessEnv) {
  const user = env['TAVERN_NATS_USER']
  if (env['TAVERN_NATS_CREDS']) {
    return { kind: 'creds' as const, creds: { file: env['TAVERN_NATS_CREDS'] } satisfies Secret }
  }
  if (env['TAVERN_NATS_TOKEN']) {
    return { kind: 'token' as const, token: { env: 'TAVERN_NATS_TOKEN' } satisfies Secret }
  }
  if (env['TAVERN_NATS_NKEY']) {
    return { kind: 'nkey' as const, seed: { env: 'TAVERN_NATS_NKEY' } satisfies Secret }
  }
  if (!user) return undefined
  const password: Secret = { env: 'TAVERN_NATS_PASSWORD' }
  return { kind: 'password' as const, user, password }
}

/** PEM files. */
function tlsFrom(env: NodeJS.ProcessEnv) {
  const [ca, cert, key] = ['CA', 'CERT', 'KEY'].map((name) => env[`TAVERN_NATS_${name}`])
  return { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) }
}
