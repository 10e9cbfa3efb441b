/** One scene over three addresses, on NATS: a host that is killed, and one that is cut off for half a minute. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  cardMarksOf,
  foundOn,
  giveEvening,
  giveGuest,
  leaksIn,
  markOf,
  marksOf,
} from './evening.ts'
import { beatsOf, machine, owed, twice } from './machines.ts'
import { type Net, type NetServer, openNet, startServers, whyNoNamespaces } from './net.ts'

const LEASE = ['--lease', '2']
const CUT_MS = 30_000

const traceOf = ({ home }: { readonly home: string }) => ['--trace', join(home, 'trace.jsonl')]

const why = whyNoNamespaces()
if (why !== undefined && process.env['CI'] === 'true') {
  throw new Error(`CI needs network namespaces (root and iproute2), and has none: ${why}`)
}
if (why !== undefined) process.stderr.write(`No network namespaces, so this is skipped: ${why}\n`)

/** Vera's, to what was whispered to her. */
function answersToWhisper(beats: Awaited<ReturnType<typeof beatsOf>>) {
  return beats.filter(
    ({ author, id, cause }) =>
      author.id === 'character:vera' && /^whisper-.*#0$/.test(id) && cause === id,
  )
}

/** `server`: one on a fourth address; `cluster`: three, one on each of the machines that play. */
describe.skipIf(why !== undefined)('a scene over three addresses', () => {
  let net: Net
  let servers: readonly NetServer[] = []
  let players: Net['machines'] = []

  beforeAll(async () => {
    net = openNet(['east', 'west', 'north', 'server'])
    const [server, ...others] = net.machines.toReversed()
    servers = await startServers(server ? [server] : [])
    players = others
  }, 60_000)
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await net?.close()
  })

  /** East plays and hosts Lena; Vera and Otto are on west, the narrator on north: cards where they are hosted alone. */
  async function evening(scene: string, mesh = `${servers[0]?.url}?replicas=1`) {
    const on = (name: string) => {
      const { prefix } = net.machines.find((one) => one.name === name) ?? { prefix: [] }
      return machine(mesh, prefix)
    }
    const [east, west, north] = [on('east'), on('west'), on('north')]
    giveEvening(east, scene)
    giveGuest(east, 'lena')
    for (const id of ['vera', 'otto']) giveGuest(west, id)
    const hostWest = (...args: string[]) =>
      west.start(
        'cast-host',
        '--scene',
        scene,
        '--characters',
        'vera,otto',
        '--name',
        'west',
        ...LEASE,
        ...traceOf(west),
        ...args,
      )
    const hosting = hostWest('--pace', '60')
    const directing = north.start(
      'cast-host',
      '--scene',
      scene,
      '--narrator',
      '--name',
      'north',
      ...LEASE,
      ...traceOf(north),
    )
    await Promise.all([hosting.outHolds('waiting'), directing.outHolds('waiting')])
    const playing = east.start(
      'play',
      scene,
      '--name',
      'east',
      '--json',
      ...LEASE,
      ...traceOf(east),
    )
    const say = (line: string) => playing.child.stdin.write(`${line}\n`)
    await playing.outHolds('Come in, Ellis.')
    const link = net.machines.find(({ name }) => name === 'west')
    if (!link) throw new Error('no west')
    return { east, west, north, hosting, directing, hostWest, playing, say, link, scene }
  }

  /** Every cue one beat, nothing owed, and nobody was sent or keeps what is another's. */
  async function isWhole(
    { east, west, north, scene }: Awaited<ReturnType<typeof evening>>,
    told: ReadonlyMap<string, readonly string[]>,
  ) {
    const beats = await beatsOf(east, scene)
    const guests = ['vera', 'otto', 'lena']
    const marks = new Map<string, readonly string[]>([
      ...guests.flatMap((id) => marksOf(id).map((mark) => [mark, [id]] as const)),
      ...told,
    ])
    const traced = [east, west].map(({ home }) => leaksIn(join(home, 'trace.jsonl'), marks))
    expect(twice(beats)).toEqual([])
    expect(await owed(north)).toEqual([])
    expect(traced.flatMap(({ hits }) => hits)).toEqual([])
    for (const { known } of traced) expect(known).toBeGreaterThan(3)
    expect(foundOn(east, ['vera', 'otto'].flatMap(cardMarksOf))).toEqual([])
    expect(foundOn(north, guests.flatMap(cardMarksOf))).toEqual([])
    return beats
  }

  test(
    'a host killed while it answers, and started again: one beat',
    { timeout: 60_000 },
    async () => {
      const at = await evening('killed')
      const { hosting, hostWest, playing, say } = at
      const whispered = markOf('whisper', 'vera')
      say(`/whisper vera Keep this: ${whispered}`)
      await hosting.outHolds('vera answers')
      hosting.child.kill('SIGKILL')
      await hosting.ended
      await playing.errHolds('west is away (vera, otto)')
      hostWest()
      await playing.errHolds('west is here (vera, otto)')
      say('Good evening, all of you.')
      await playing.outHolds('character:otto')
      say('/leave')

      expect(await playing.ended).toBe(0)
      const beats = await isWhole(at, new Map([[whispered, ['vera']]]))
      expect(answersToWhisper(beats)).toHaveLength(1)
    },
  )

  test(
    'a host cut off for half a minute while it answers, and healed: one beat, and it goes on by itself',
    { timeout: 120_000 },
    async () => {
      const at = await evening('healed')
      const { hosting, playing, say, link } = at
      const whispered = markOf('whisper', 'vera')
      say(`/whisper vera Keep this: ${whispered}`)
      await hosting.outHolds('vera answers')
      link.cut()
      await pause(CUT_MS)
      expect(playing.err()).toContain('west is away (vera, otto)')
      link.heal()
      await playing.errHolds('west is here (vera, otto)')
      say('Good evening, all of you.')
      await playing.outHolds('character:otto')
      say('/leave')

      expect(await playing.ended).toBe(0)
      expect(hosting.out()).toContain('The mesh does not answer')
      expect(hosting.out()).toContain('The mesh answers again.')
      const beats = await isWhole(at, new Map([[whispered, ['vera']]]))
      expect(answersToWhisper(beats)).toHaveLength(1)
    },
  )

  /** The same, whether or not its server led the others, who then choose anew. */
  test.each([
    { server: 'that leads all', leader: 'west' },
    { server: 'that leads nothing', leader: 'east' },
  ])(
    'a host cut off with its server of a cluster, $server, its character moved meanwhile, and healed: the new host’s beat alone',
    { timeout: 120_000 },
    async ({ leader }) => {
      // a cluster of its own: one that was cut a moment ago is not ready yet
      const cluster = await startServers(players)
      onTestFinished(async () => {
        await Promise.all(cluster.map((server) => server.stop()))
      })
      const at = await evening(`moved-${leader}`, cluster.map(({ url }) => url).join(','))
      const { east, hosting, playing, say, link } = at
      giveGuest(east, 'otto')
      await cluster.find(({ name }) => name === leader)?.lead()
      say('/delegate otto')
      await hosting.outHolds('otto answers')
      link.cut()
      say('/cast')
      await playing.errHolds('narrator; host: north')
      await playing.errHolds('west is away (vera, otto)')
      say('/move otto east')
      await playing.outHolds('"author":{"id":"character:otto"')
      link.heal()
      await hosting.outHolds('otto is with east now')
      await playing.errHolds('west is here (vera)')
      say('/delegate vera')
      await playing.outHolds('"cause":"delegate-')
      say('/leave')

      expect(await playing.ended).toBe(0)
      const beats = await beatsOf(east, at.scene)
      expect(twice(beats)).toEqual([])
      const answers = beats.filter(
        ({ author, id, cause }) => author.id === 'character:otto' && cause === id,
      )
      expect(answers).toHaveLength(1)
      expect(await owed(at.north)).toEqual([])
    },
  )
})
