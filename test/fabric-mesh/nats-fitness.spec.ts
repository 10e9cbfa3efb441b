/** What the NATS engine refuses, and how it is let in. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import { nkeys } from '@nats-io/transport-node'
import NatsMesh, {
  type Credentials,
  type NatsMeshOptions,
  openNatsMesh,
} from 'dsh-fabric-mesh/nats'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withCode } from '../contract/mesh.ts'
import { freePorts, type Nats, natsServer, startCluster, startNats } from '../nats/server.ts'
import { streamsOf, watchStreams } from '../nats/streams.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const by = 'narrator'
const tls = join(import.meta.dirname, '../nats/tls')
const unfit = withCode('store-unfit')

let running: Nats[]
let folder: string
beforeEach(() => {
  running = []
  folder = mkdtempSync(join(tmpdir(), 'nats-secrets-'))
})
afterEach(async () => {
  await Promise.all(running.map((nats) => nats.stop()))
  rmSync(folder, { recursive: true, force: true })
  vi.unstubAllEnvs()
})

async function server(options: Parameters<typeof startNats>[0] = {}): Promise<Nats> {
  const nats = await startNats(options)
  running.push(nats)
  return nats
}

function as(env: string): Credentials {
  return { kind: 'password', user: 'mara', password: { env } }
}

/** Opens, writes, reads and closes. */
async function used(options: NatsMeshOptions): Promise<number> {
  const mesh = await openNatsMesh({ replicas: 1, ...options })
  const { topics } = mesh.workspace('workspace:inn')
  await topics.open({ id: 'scene', by })
  const { sequence } = await topics.publish('scene', { payload: 1, by })
  await mesh.close()
  return sequence
}

function secretFile(text: string): { readonly file: string } {
  const file = join(folder, 'secret')
  writeFileSync(file, `${text}\n`)
  return { file }
}

it('refuses a server older than 2.10.27, and says why', async () => {
  const { servers } = await server({ program: natsServer('old'), sync: false })

  const opening = openNatsMesh({ servers, replicas: 1 })

  await expect(opening).rejects.toMatchObject(unfit)
  await expect(opening).rejects.toThrow(/is 2\.9\.\d+, older than 2\.10\.27.*lose updates/)
})

it('refuses a server without JetStream, or whose messages are too small', async () => {
  const plain = await server({ jetStream: false })
  const small = await server({ config: 'max_payload: 200KB' })

  const without = openNatsMesh({ servers: plain.servers, replicas: 1 })
  await expect(without).rejects.toMatchObject(unfit)
  await expect(without).rejects.toThrow(/no JetStream/)
  const tooSmall = openNatsMesh({ servers: small.servers, replicas: 1 })
  await expect(tooSmall).rejects.toMatchObject(unfit)
  await expect(tooSmall).rejects.toThrow(/max_payload/)
})

it('refuses a server whose monitor shows that it does not sync each write', async () => {
  const [good = 0, lax = 0] = await freePorts(2)
  const synced = await server({ config: `http: ${good}` })
  const unsynced = await server({ config: `http: ${lax}`, sync: false })
  const monitors = [`http://127.0.0.1:${good}`]

  const mesh = await openNatsMesh({ servers: synced.servers, replicas: 1, monitors })
  expect((await mesh.check()).findings).toEqual([])
  await mesh.close()
  const opening = openNatsMesh({
    servers: unsynced.servers,
    replicas: 1,
    monitors: [`http://127.0.0.1:${lax}`],
  })
  await expect(opening).rejects.toMatchObject(unfit)
  await expect(opening).rejects.toThrow(/server 'n1' does not sync each write/)
})

it('three replicas are the default, and one server does not do', async () => {
  const { servers } = await server()

  const opening = openNatsMesh({ servers })

  await expect(opening).rejects.toMatchObject(unfit)
  await expect(opening).rejects.toThrow(/3 replicas/)
  expect(await used({ servers, replicas: 1 })).toBe(1)
})

it('refuses streams that keep less than it promises, and names them', async () => {
  const nats = await startCluster()
  running.push(nats)
  const { servers } = nats
  await used({ servers, name: 'single', replicas: 1 })
  const fewer = openNatsMesh({ servers, name: 'single', replicas: 3 })
  await expect(fewer).rejects.toMatchObject(unfit)
  await expect(fewer).rejects.toThrow(/single-mesh.*1 replicas, fewer than 3/)

  await used({ servers, name: 'aged', replicas: 3 })
  const watch = await watchStreams(nats, 'aged')
  const topic = (await streamsOf(watch)).find(({ config }) => config.name.includes('-t-'))
  await watch.manager.streams.update(topic?.config.name ?? '', { max_age: 3_600_000_000_000 })
  const mesh = await openNatsMesh({ servers, name: 'aged' })
  const { topics } = mesh.workspace('workspace:inn')

  const publishing = topics.publish('scene', { payload: 1, by })
  await expect(publishing).rejects.toMatchObject(unfit)
  await expect(publishing).rejects.toThrow(/greatest age/)
  const { findings, facts } = await mesh.check()
  expect(findings).toContainEqual({ kind: 'damage', text: expect.stringContaining('greatest age') })
  expect(facts).toMatchObject({ replicas: 3, servers: 'n1, n2, n3', topics: 1, workspaces: 1 })
  await mesh.close()
  await watch.close()
})

it('a server that is not there is named', async () => {
  const nats = await server()
  const { servers } = nats
  await nats.stop()

  const opening = openNatsMesh({ servers, replicas: 1 })
  await expect(opening).rejects.toMatchObject(withCode('store-unavailable'))
  await expect(opening).rejects.toThrow(servers[0])
  const mounting = async () =>
    new Context().plugin(NatsMesh, { servers: [...servers], replicas: 1 })
  await expect(mounting()).rejects.toThrow(servers[0])
})

it('credentials have no place in an address', async () => {
  const opening = openNatsMesh({ servers: ['nats://user:hunter2@127.0.0.1:4222'] })

  await expect(opening).rejects.toMatchObject(withCode('invalid-argument'))
  await expect(opening).rejects.not.toThrow(/hunter2/)
})

it('is let in by user and password, and never shows the password', async () => {
  const { servers } = await server({ config: 'authorization { user: mara, password: "hunter2" }' })
  vi.stubEnv('MESH_PASSWORD', 'hunter2')
  vi.stubEnv('WRONG_PASSWORD', 'hunter3')

  expect(await used({ servers, credentials: as('MESH_PASSWORD') })).toBe(1)

  const wrong = await openNatsMesh({
    servers,
    replicas: 1,
    credentials: as('WRONG_PASSWORD'),
  }).catch((error: unknown) => error)
  expect(wrong).toMatchObject(withCode('store-unavailable'))
  expect(everythingIn(wrong)).not.toContain('hunter3')
  const none = openNatsMesh({ servers, replicas: 1, credentials: as('NO_SUCH_VARIABLE') })
  await expect(none).rejects.toThrow(/variable NO_SUCH_VARIABLE holds no secret/)
})

it('is let in by a token', async () => {
  const { servers } = await server({ config: 'authorization { token: "open sesame" }' })
  const credentials = { kind: 'token', token: secretFile('open sesame') } as const

  expect(await used({ servers, credentials })).toBe(1)
})

it('is let in by an nkey', async () => {
  const user = nkeys.createUser()
  const nkey = user.getPublicKey()
  const { servers } = await server({ config: `authorization { users: [ { nkey: ${nkey} } ] }` })
  const seed = secretFile(new TextDecoder().decode(user.getSeed()))

  expect(await used({ servers, credentials: { kind: 'nkey', seed } })).toBe(1)
  await expect(used({ servers })).rejects.toMatchObject(withCode('store-unavailable'))
})

it('speaks TLS with an authority of its own, and shows its certificate', async () => {
  const [ca, cert, key] = ['ca.pem', 'server.pem', 'server-key.pem'].map((file) => join(tls, file))
  const config = `tls { cert_file: "${cert}", key_file: "${key}", ca_file: "${ca}", verify: true }`
  const { servers } = await server({ config })

  expect(await used({ servers, tls: { ca: ca ?? '', cert: cert ?? '', key: key ?? '' } })).toBe(1)
  await expect(used({ servers, tls: {} })).rejects.toMatchObject(withCode('store-unavailable'))
})

it('provides ctx.mesh once connected, and takes it away with the last write done', async () => {
  const { servers } = await server()
  const ctx = new Context()
  const fiber = await ctx.plugin(NatsMesh, { servers: [...servers], replicas: 1 })
  const { topics } = ctx.mesh.workspace('workspace:inn')
  await topics.create({ id: 'scene', by })

  const admitted = topics.publish('scene', { payload: 'last words', by })
  await fiber.dispose()

  expect(await admitted).toMatchObject({ sequence: 1 })
  await expect(topics.read('scene')).rejects.toMatchObject(withCode('closed'))
  expect(ctx.get('mesh')).toBeUndefined()
})

/** Message, detail, causes and stack. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = Object.getOwnPropertyNames(error).map((name) => String(Reflect.get(error, name)))
  return [JSON.stringify(error), ...own, everythingIn(error.cause)].join('\n')
}
