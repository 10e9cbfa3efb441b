/** A cast over several homes on one store, through the real commands. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  cardMarksOf,
  foundOn,
  giveEvening,
  giveGuest,
  leaksIn,
  markOf,
  marksOf,
} from './evening.ts'
import {
  type Machine,
  type Told,
  beatsOf,
  LEASE,
  machine,
  owed,
  readLines,
  sqliteMesh,
  twice,
} from './machines.ts'

const lease = ['--lease', `${LEASE}`]
const traceOf = (name: string, { home }: { readonly home: string }) => [
  '--trace',
  join(home, `${name}.trace`),
]

/** East plays and hosts Lena; west hosts Vera and Otto, in a home of its own. */
async function eastAndWest(...westArgs: string[]) {
  const mesh = sqliteMesh()
  const [east, west] = [machine(mesh), machine(mesh)]
  giveEvening(east)
  giveGuest(east, 'lena')
  for (const id of ['vera', 'otto']) giveGuest(west, id)
  const hostWest = (...args: string[]) =>
    west.start(
      'cast-host',
      '--scene',
      'evening',
      '--characters',
      'vera,otto',
      '--name',
      'west',
      ...lease,
      ...args,
    )
  const hosting = hostWest(...westArgs)
  await hosting.outHolds('waiting')
  const playing = east.start('play', 'evening', '--name', 'east', '--json', ...lease)
  const say = (line: string) => playing.child.stdin.write(`${line}\n`)
  return { mesh, east, west, hostWest, hosting, playing, say }
}

test('a host that was there before the scene takes part as soon as it begins', async () => {
  const { east, hosting, playing, say } = await eastAndWest()
  await playing.outHolds('I am Vera. Come in, Ellis.')
  say('Good evening.')
  await playing.outHolds('character:otto')
  say('/cast')
  say('/leave')

  expect(await playing.ended).toBe(0)
  expect(playing.err()).toMatch(/Vera \(vera\): on stage; host: west since .*, present/)
  expect(playing.err()).toMatch(/Lena \(lena\): on stage; host: east since .*, present/)
  const shown = readLines(playing.out())
  expect(shown.map(({ id }) => id).slice(0, 2)).toEqual(['opening', 'greeting'])
  // each once and in order; what others whisper to each other is not for this seat
  const sequences = shown.map(({ seq }) => seq)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((left, right) => left - right))
  hosting.child.kill('SIGTERM')
  expect(await hosting.ended).toBe(143)
  const { out } = await east.run('cast', 'evening', '--json')
  expect(out).toMatch(/"role":"vera".*"name":"west".*"status":"left"/)
})

/** Of Vera, beside her greeting: without what improv may whisper with it. Nothing is twice, and nothing owed. */
async function expectOneAnswer(east: Machine) {
  const beats = await beatsOf(east, 'evening')
  expect(twice(beats)).toEqual([])
  const lines = beats.filter(
    ({ author, kind }) => kind === 'line' && author.id === 'character:vera',
  )
  expect(lines).toHaveLength(2)
  expect(await owed(east)).toEqual([])
}

describe('a host that is killed while it answers', () => {
  test.each([0, 120, 350])('%i ms in, and started again: one beat', async (ms) => {
    const { east, hostWest, hosting, playing, say } = await eastAndWest('--pace', '40')
    await playing.outHolds('"greeting"')
    say('Good evening.')
    await hosting.outHolds('vera answers')
    await new Promise((resolve) => setTimeout(resolve, ms))
    hosting.child.kill('SIGKILL')
    await hosting.ended

    hostWest()
    await playing.outHolds('character:otto')
    say('/leave')

    expect(await playing.ended).toBe(0)
    await expectOneAnswer(east)
  })

  test('is told of as away; moved, its cue is answered by the other, and its return changes nothing', async () => {
    const { east, hostWest, hosting, playing, say } = await eastAndWest('--pace', '40')
    giveGuest(east, 'vera')
    await playing.outHolds('"greeting"')
    say('Good evening.')
    await hosting.outHolds('vera answers')
    hosting.child.kill('SIGKILL')
    await playing.errHolds('west is away (vera, otto)')
    const moved = await east.run('move', '--scene', 'evening', 'vera', 'east')

    expect(moved).toMatchObject({ code: 0, out: 'vera is with east now.\n' })
    await playing.outHolds('"author":{"id":"character:vera","name":"Vera"},"text":')
    hostWest()
    await playing.outHolds('character:otto')
    say('/leave')
    expect(await playing.ended).toBe(0)
    await expectOneAnswer(east)
  })
})

test('a living host keeps its role, and one that is away gets none', async () => {
  const { east, hosting, playing } = await eastAndWest()
  await playing.outHolds('"greeting"')

  const taken = await east.run('move', '--scene', 'evening', 'otto', 'east')
  const none = await east.run('move', '--scene', 'evening', 'otto', 'south')
  hosting.child.kill('SIGKILL')
  await playing.errHolds('west is away')
  const toAway = await east.run('move', '--scene', 'evening', 'lena', 'west')

  expect([taken.code, none.code, toAway.code]).toEqual([3, 2, 3])
  expect(taken.err).toContain("'otto' is with west, which is here")
  expect(none.err).toContain("no host 'south' (hosts: ")
  expect(toAway.err).toContain('west is away')
})

test('a host that stands still while its character is moved loses the cue, and goes on with the rest', async () => {
  const { east, hosting, playing, say } = await eastAndWest('--pace', '40')
  giveGuest(east, 'vera')
  await playing.outHolds('"greeting"')
  say('Good evening.')
  await hosting.outHolds('vera answers')
  hosting.child.kill('SIGSTOP')
  await playing.errHolds('west is away')
  expect((await east.run('move', '--scene', 'evening', 'vera', 'east')).code).toBe(0)
  const before = playing.out().length
  await playing.outHolds('"author":{"id":"character:vera"')
  hosting.child.kill('SIGCONT')
  await hosting.outHolds('vera is with east now')
  await playing.outHolds('character:otto')
  say('And you, Vera?')
  await playing.outHolds('And you, Vera?')
  say('/leave')

  expect(await playing.ended).toBe(0)
  expect(playing.out().length).toBeGreaterThan(before)
  const beats = await beatsOf(east, 'evening')
  expect(twice(beats)).toEqual([])
  expect(beats.filter(({ cause }) => cause === firstCue(beats))).toHaveLength(1)
  expect(await owed(east)).toEqual([])
  expect(hosting.out()).not.toMatch(/opening the scene again/)
})

/** The cue of the first answer to the first line. */
function firstCue(beats: readonly Told[]): string | undefined {
  return beats.find(({ cause }) => cause.endsWith('#0'))?.cause
}

test('all that was asked for is with another host: it stays there, and may be moved here later', async () => {
  const { mesh, hosting, playing, say } = await eastAndWest()
  await playing.outHolds('"greeting"')
  const south = machine(mesh)
  giveGuest(south, 'vera')
  const other = south.start(...castHostOf('vera'), '--name', 'south', ...lease)
  await other.outHolds('vera is with west')
  await other.outHolds('evening.1: hosting nothing yet: a seat can /move a role here')
  hosting.child.kill('SIGKILL')
  await playing.errHolds('west is away')

  say('/move vera south')
  await other.outHolds('vera is with south now')
  say('/delegate vera')
  await other.outHolds('vera answers')
  say('/leave')

  expect(await playing.ended).toBe(0)
})

test('a host whose roles were moved away comes back, stays, and is moved to', async () => {
  const { east, hostWest, hosting, playing, say } = await eastAndWest()
  for (const id of ['vera', 'otto']) giveGuest(east, id)
  await playing.outHolds('"greeting"')
  hosting.child.kill('SIGKILL')
  await playing.errHolds('west is away')
  say('/move vera east')
  say('/move otto east')
  await playing.errHolds('otto is with east now')

  const back = hostWest()
  await back.outHolds('hosting nothing yet')
  say('/move vera west')
  await back.outHolds('vera is with west now')
  say('/leave')

  expect(await playing.ended).toBe(0)
  back.child.kill('SIGTERM')
  expect(await back.ended).toBe(143)
})

test('a second process of one home does not host beside the first: exit 3', async () => {
  const { west, playing } = await eastAndWest()
  await playing.outHolds('"greeting"')

  expect((await west.run(...castHostOf('vera'), ...lease)).code).toBe(3)
})

test('a second host of one scene in one home is refused, and the first is still there', async () => {
  const { east, hosting, hostWest, playing, say } = await eastAndWest()
  await playing.outHolds('"greeting"')

  const second = hostWest()

  expect(await second.ended).toBe(3)
  const { out } = await east.run('cast', 'evening', '--json')
  expect(out).toMatch(/"role":"vera".*"name":"west".*"status":"here"/)
  expect(playing.err()).not.toContain('west has left')
  say('Good evening.')
  await hosting.outHolds('vera answers')
})

test.each([
  [['--characters', 'nobody'], "'nobody' is not in 'evening' (cast: vera, otto, lena)"],
  [['--characters', 'Not An Id'], 'An id is'],
])('a host of %j is refused', async (args, found) => {
  const { mesh, playing } = await eastAndWest()
  await playing.outHolds('"greeting"')

  const refused = await machine(mesh).run('cast-host', '--scene', 'evening', ...args, ...lease)

  expect(refused.code).toBe(2)
  expect(refused.err).toContain(found)
})

test('before a scene begins, its file on this machine says who is in it; without one it is waited for', async () => {
  const here = machine(sqliteMesh())
  giveEvening(here)

  const refused = await here.run(...castHostOf('nobody'), ...lease)
  const waiting = machine(sqliteMesh()).start(...castHostOf('nobody'), ...lease)

  expect(refused.code).toBe(2)
  expect(refused.err).toContain("'nobody' is not in 'evening' (cast: vera, otto, lena)")
  await waiting.outHolds(
    "waiting for 'evening' to begin (no scene of that name is on this machine: another must begin it)",
  )
})

function castHostOf(characters: string): readonly [string, ...string[]] {
  return ['cast-host', '--scene', 'evening', '--characters', characters]
}

test('who sits down after the hosts have left is told so, and may take over', async () => {
  const { mesh, hosting, playing, say } = await eastAndWest()
  await playing.outHolds('"greeting"')
  hosting.child.kill('SIGTERM')
  await hosting.ended
  say('/leave')
  await playing.ended
  const north = machine(mesh)
  for (const id of ['vera', 'otto', 'lena']) giveGuest(north, id)

  const zed = north.start('play', 'evening', '--as', 'Zed', '--name', 'north', ...lease)
  await zed.errHolds('west has left (vera, otto; with it since ')
  await zed.errHolds('east has left (narrator, lena; with it since ')
  expect(zed.err()).toContain('/move <character|narrator> <host> gives it to another.')
  zed.child.stdin.write('Hello?\n')
  await zed.outHolds('Zed: Hello?') // it waits for a narrator that is away
  zed.child.stdin.write('/cast\n')
  await zed.errHolds('narrator; host: east since ')
  zed.child.stdin.write('/move narrator north\n/move vera north\n')
  await zed.outHolds('Vera:')
})

test('a second person sits down on a third machine that has no card and no scene file', async () => {
  const { mesh, playing, say } = await eastAndWest()
  await playing.outHolds('"greeting"')
  const south = machine(mesh).start('play', 'evening', '--as', 'Noor', '--name', 'south', ...lease)
  await playing.errHolds('Noor sits down.')
  south.child.stdin.write('I am Noor.\n')
  await playing.outHolds('I am Noor.')
  await south.outHolds('Vera:')
  say('And I am Ellis.')
  await south.outHolds('Ellis: And I am Ellis.')
  south.child.stdin.write('/whisper otto Between us.\n')
  await south.outHolds('Otto (whispers to you')
  south.child.stdin.write('/leave\n')

  expect(await south.ended).toBe(0)
  say('/leave')
  expect(await playing.ended).toBe(0)
  expect(playing.out()).not.toContain('Between us.')
})

test('a scene that is begun again is followed by its hosts', async () => {
  const { east, hosting, playing, say } = await eastAndWest()
  await playing.outHolds('"greeting"')
  say('/leave')
  await playing.ended

  const again = east.start('play', 'evening', '--new', '--name', 'east', '--json', ...lease)
  await hosting.outHolds('evening.2: hosting vera, otto')
  await again.outHolds('Come in, Ellis.')
  again.child.stdin.write('Good evening.\n')
  await again.outHolds('character:otto')
  again.child.stdin.end('/leave\n')

  expect(await again.ended).toBe(0)
})

test('a cue that fails on another machine is told of at the seat', async () => {
  const { playing, say } = await eastAndWest(
    '--provider',
    'deepseek-official',
    '--model',
    'deepseek-v4-flash',
  )
  await playing.outHolds('"greeting"')
  say('Good evening.')

  await playing.errHolds('Vera could not answer: ')
  await playing.errHolds('Otto could not answer: ')
  await playing.outHolds('character:lena')

  expect(readLines(playing.out()).some(({ author }) => author.id === 'character:vera')).toBe(true)
  expect(playing.err().match(/Vera could not answer/g)).toHaveLength(1)
})

test('a password in the address is refused, and not repeated', async () => {
  const { code, err } = await machine().run('play', '--mesh', 'nats://ellis:hush@127.0.0.1:4222')

  expect(code).toBe(2)
  expect(err).toContain('TAVERN_NATS_PASSWORD')
  expect(err).not.toContain('hush')
})

test('over three machines, the narrator on one without any card, nobody is sent what is another’s', async () => {
  const mesh = sqliteMesh()
  const machines = {
    east: machine(mesh),
    west: machine(mesh),
    north: machine(mesh),
    south: machine(mesh),
  }
  const { east, west, north, south } = machines
  giveEvening(east)
  giveGuest(east, 'lena')
  giveGuest(west, 'vera')
  giveGuest(south, 'otto')
  const hosts = [
    west.start(
      'cast-host',
      '--scene',
      'evening',
      '--characters',
      'vera',
      '--name',
      'west',
      ...lease,
      ...traceOf('west', west),
    ),
    south.start(
      'cast-host',
      '--scene',
      'evening',
      '--characters',
      'otto',
      '--name',
      'south',
      ...lease,
      ...traceOf('south', south),
    ),
    north.start(
      'cast-host',
      '--scene',
      'evening',
      '--narrator',
      '--name',
      'north',
      ...lease,
      ...traceOf('north', north),
    ),
  ]
  for (const host of hosts) await host.outHolds('waiting')
  const playing = east.start(
    'play',
    'evening',
    '--name',
    'east',
    '--json',
    ...lease,
    ...traceOf('east', east),
  )
  const whispered = markOf('whisper', 'vera')
  const missed = markOf('missed', 'otto')
  playing.child.stdin.end(
    [
      `/whisper vera Keep this: ${whispered}`,
      'Good evening, all of you.',
      '/leave otto',
      `While he is away: ${missed}`,
      '/enter otto',
      'What did we miss?',
      '/delegate lena',
      '/delegate otto',
      '',
    ].join('\n'),
  )

  expect(await playing.ended).toBe(0)
  expect(twice(await beatsOf(north, 'evening'))).toEqual([])
  expect(await owed(north)).toEqual([])
  const guests = ['vera', 'otto', 'lena']
  const marks = new Map<string, readonly string[]>([
    ...guests.flatMap((id) => marksOf(id).map((mark) => [mark, [id]] as const)),
    [whispered, ['vera']],
    [missed, ['vera', 'lena']],
  ])
  const traced = [
    leaksIn(join(west.home, 'west.trace'), marks),
    leaksIn(join(south.home, 'south.trace'), marks),
    leaksIn(join(east.home, 'east.trace'), marks),
  ]
  expect(traced.flatMap(({ hits }) => hits)).toEqual([])
  for (const { known } of traced) expect(known).toBeGreaterThan(5)
  // a card, and what its character remembers, stay where it is hosted
  expect(foundOn(east, [...cardMarksOf('vera'), ...cardMarksOf('otto')])).toEqual([])
  expect(foundOn(north, guests.flatMap(cardMarksOf))).toEqual([])
  expect(foundOn(west, cardMarksOf('vera'))).toEqual(cardMarksOf('vera'))
})
