/** The command line as programs and people meet it: a process, its streams, its signals, its exit code. */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { newHome, silentProvider, startTavern, tavern } from './tavern.ts'

const beatsIn = (out: string) => out.split('\n').filter((line) => line.startsWith('{'))

test('a reader that goes away ends it quietly', async () => {
  const home = newHome()
  await tavern(home, ['play', '--beats', '8'])

  const reading = startTavern(home, ['transcript', '--format', 'jsonl'])
  reading.child.stdout.destroy()

  expect(await reading.ended).toBe(0)
  expect(reading.err()).toBe('')
})

test('the beats asked for are played though standard input stays open', async () => {
  const playing = startTavern(newHome(), ['play', '--json', '--all', '--beats', '6'])

  expect(await playing.ended).toBe(0)
  expect(beatsIn(playing.out())).toHaveLength(6)
})

test('lines that come while a scene plays on are said, in order', async () => {
  const home = newHome()
  writeLongScene(home)
  const playing = startTavern(home, ['play', 'long', '--auto', '--as', 'Ellis'])
  playing.child.stdin.write('One.\nTwo.\n')
  await playing.outHolds('Ellis: Two.')
  playing.child.stdin.write('Three.\n')
  await playing.outHolds('Ellis: Three.')
  playing.child.stdin.write('/leave\n')

  expect(await playing.ended).toBe(0)
  const said = playing.out().match(/^Ellis: .*$/gm)
  expect(said).toEqual(['Ellis: One.', 'Ellis: Two.', 'Ellis: Three.'])
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while what is owed is played leaves it owed', async (signal, code) => {
  const home = newHome()
  const { asked, args, env } = await silentProvider()
  const killed = startTavern(home, ['play', '--json', ...args], env)
  killed.child.stdin.write('Good evening.\n')
  await asked
  killed.child.kill('SIGKILL')
  await killed.ended

  const again = await silentProvider()
  const going = startTavern(home, ['play', ...again.args], again.env)
  await again.asked
  going.child.kill(signal)

  expect(await going.ended).toBe(code)
  expect(going.out()).toContain('Good evening.')
  expect(going.err()).toBe('')
  const { out } = await tavern(home, ['play', '--json'])
  expect(out).toContain('"kind":"line"')
})

test('an operator sees who holds what since when, and takes it back; the scene then goes on', async () => {
  const home = newHome()
  const { asked, args, env } = await silentProvider()
  const killed = startTavern(home, ['play', '--json', ...args], env)
  killed.child.stdin.write('Good evening.\n')
  await asked
  killed.child.kill('SIGKILL')
  await killed.ended

  const listed = await tavern(home, ['mailboxes'])
  const [, mailbox = ''] =
    /^(run\/\S+\/cast\/\S+): 0 queued, 1 claimed, 0 dead$/m.exec(listed.out) ?? []
  const [, cue = ''] =
    /^ {2}(\S+): claimed by 'tavern' since \S+Z \(attempt 1\)$/m.exec(
      listed.out.slice(listed.out.indexOf(mailbox)),
    ) ?? []
  const release = ['release', mailbox, cue, '--reason', 'its host is gone']
  const released = await tavern(home, release)
  const again = await tavern(home, release)
  const { out } = await tavern(home, ['play', '--json'])

  expect(released.out).toBe(`${cue}: queued (attempt 1)\n`)
  expect([released.code, again.code]).toEqual([0, 2])
  expect(again.err).toMatch(/is not claimed: it is queued/)
  expect(out.match(new RegExp(`"id":"${cue}"`, 'g'))).toHaveLength(1)
  expect((await tavern(home, ['mailboxes'])).out).toBe('')
})

test('a store that fails ends the sitting with one clear line', async () => {
  const home = newHome()
  const playing = startTavern(home, ['play', '--json'])
  await playing.outHolds('"seq":1')
  const store = new DatabaseSync(join(home, 'tavern', 'mesh.sqlite'), { timeout: 5000 })
  store.exec('DROP TABLE desk')
  store.close()
  playing.child.stdin.write('Good evening.\n')

  expect(await playing.ended).toBe(1)
  expect(playing.err()).toMatch(/^tavern: the mesh store '.*' cannot be read: .*\n$/)
})

test('a trace is for the user alone', async () => {
  const home = newHome()
  const trace = join(home, 'trace.jsonl')

  await tavern(home, ['play', '--beats', '3', '--trace', trace])

  expect(statSync(trace).mode & 0o777).toBe(0o600)
  expect(readFileSync(trace, 'utf8')).toContain('"messages"')
})

test('nothing is coloured where no terminal reads it', async () => {
  const env = { FORCE_COLOR: '1', CI: '1' }

  const { out, err } = await tavern(newHome(), ['play', '--beats', '4'], { input: '/cast\n', env })

  expect(out).not.toBe('')
  expect(`${out}${err}`).not.toContain('\u001b')
})

test('equal plays print equal beats but for their ids and times', async () => {
  const args = ['play', '--json', '--beats', '8', '--seed', '3']
  const plays = await Promise.all([newHome(), newHome()].map((home) => tavern(home, args)))

  const [first, second] = plays.map(({ out }) =>
    beatsIn(out).map((line): object => ({ ...JSON.parse(line), id: '', at: 0 })),
  )

  expect(first?.length).toBeGreaterThan(2)
  expect(second).toEqual(first)
})

test('a refused line is told, the next ones are said, and the end is counted as bad input', async () => {
  const input = `${'x'.repeat(33 * 1024)}\n/dance\n/help\nGood evening.\n`

  const { code, out, err } = await tavern(newHome(), ['play', '--as', 'Ellis'], { input })

  expect(code).toBe(2)
  expect(err).toContain('a line may have 32768 bytes')
  expect(err).toContain("no command '/dance' (commands: ")
  expect(err).toContain('/whisper <character> <text>: ')
  expect(out).toContain('Ellis: Good evening.')
})

test('a pipe is told which cap ended the play', async () => {
  const home = newHome()
  writeScene(home, 'short', { ...longScene, caps: { autoBeats: 2 } })

  const { code, err } = await tavern(home, ['play', 'short', '--auto'])
  const commanded = await tavern(home, ['play', 'short'], { input: '/auto 3\n' })

  expect(code).toBe(0)
  expect(err).toBe("The cap 'auto-beats' is reached.\n")
  expect(commanded.err).toBe("0 beats (the cap 'auto-beats' is reached).\n")
})

test.each([
  [['play', '--as', ''], "option '--as <name>'"],
  [['play', '--trace', join(import.meta.dirname, 'no', 'such')], '--trace '],
  [['import', 'card.json', '--as', 'x'.repeat(49)], "option '--as <id>'"],
  [['import', 'card.json', '--as', 'Not An Id'], "option '--as <id>'"],
] as const)('%j is bad input, and names its option', async (args, named) => {
  const { code, err } = await tavern(newHome(), [...args])

  expect(code).toBe(2)
  expect(err).toContain(named)
})

test('an empty home is bad input', async () => {
  const { code, err } = await tavern('', ['scenes'])

  expect(code).toBe(2)
  expect(err).toContain("option '--home <dir>'")
})

test('every scene is listed and checked, the broken ones with their error', async () => {
  const home = newHome()
  writeScene(home, 'broken', { title: 'No cast' })
  writeScene(home, 'ghosts', { ...longScene, cast: [{ character: 'nobody-here' }] })
  writeScene(home, 'wrong', { ...longScene, cast: 'mara' })

  const listed = await tavern(home, ['scenes'])
  const checked = await tavern(home, ['doctor'])

  expect(listed.code).toBe(2)
  expect(listed.out).toMatch(/^broken: BROKEN: .*^ember-night: .*^wrong: BROKEN: /ms)
  expect(checked.code).toBe(1)
  expect(checked.out).toMatch(/^FAIL scenes: broken: .*; ghosts: .*; wrong: /m)
})

test('a backup is a store: it passes the doctor, and a home with it plays on', async () => {
  const home = newHome()
  const file = join(home, 'copy.sqlite')
  const early = await tavern(home, ['backup', file])
  await tavern(home, ['play', '--beats', '3'])

  const made = await tavern(home, ['backup', file, '--json'])
  const again = await tavern(home, ['backup', file])
  const restored = newHome()
  mkdirSync(join(restored, 'tavern'), { recursive: true })
  copyFileSync(file, join(restored, 'tavern', 'mesh.sqlite'))
  const transcript = await tavern(restored, ['transcript', '--format', 'jsonl'])
  const checked = await tavern(restored, ['doctor'])

  expect([early.code, made.code, again.code]).toEqual([2, 0, 2])
  expect(early.err).toMatch(/there is no mesh store '.*mesh\.sqlite'/)
  expect(again.err).toMatch(/copy\.sqlite' exists already/)
  expect(JSON.parse(made.out)).toMatchObject({ file, bytes: statSync(file).size })
  expect(beatsIn(transcript.out)).toHaveLength(3)
  expect(checked.out).toMatch(/^ok {3}store: sqlite .*mesh\.sqlite: version 2, .*topics 1, /m)
})

test('the doctor names what is damaged in the store, and fails', async () => {
  const home = newHome()
  await tavern(home, ['play', '--beats', '3'])
  const database = new DatabaseSync(join(home, 'tavern', 'mesh.sqlite'))
  database.exec(`UPDATE record SET payload = '{"half' WHERE id = 'opening'`)
  database.close()

  const checked = await tavern(home, ['doctor', '--json'])

  expect(checked.code).toBe(1)
  const checks = checked.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(checks).toContainEqual({
    name: 'store',
    ok: false,
    found: expect.stringMatching(/^record \d+ \(topic 'run\/ember-night\.1', sequence 1\) cannot/),
  })
})

test('another name is told that it has heard nothing', async () => {
  const home = newHome()
  await tavern(home, ['play', '--beats', '3'])

  const other = await tavern(home, ['play', '--as', 'Zed'])
  const same = await tavern(home, ['play'])

  expect(other.err).toBe('Zed sits down anew, and has heard nothing of this scene yet.\n')
  expect(same.err).toBe('')
})

test('a card goes into a folder that is there, and comes in again under a name of its own', async () => {
  const home = newHome()

  const exported = await tavern(home, ['export', 'mara', '--out', home])
  const card = join(home, 'mara.png')
  const shipped = await tavern(home, ['import', card, '--as', 'mara'])
  const imported = await tavern(home, ['import', card, '--as', 'mara-too'])
  const unwritable = await tavern(home, ['export', 'mara', '--out', join(card, 'below.png')])

  expect(exported.out).toBe(`${card}\n`)
  expect(shipped.code).toBe(2)
  expect(shipped.err).toContain("one of the tavern's own presets")
  expect(imported.code).toBe(0)
  expect(unwritable.code).toBe(1)
  expect(readdirSync(home).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('a card that cannot be put into the home is a fault of the machine, a worse one than a missing file', async () => {
  const home = newHome()
  const card = join(home, 'card.json')
  const data = { name: 'Zed', description: 'A smith.' }
  writeFileSync(card, JSON.stringify({ spec: 'chara_card_v2', spec_version: '2.0', data }))
  writeFileSync(join(home, '.agent-presets'), 'a file where a folder must be')

  const both = await tavern(home, ['import', card, join(home, 'missing.json')])
  const missing = await tavern(home, ['import', join(home, 'missing.json')])

  expect(both.code).toBe(1)
  expect(missing.code).toBe(2)
})

test('--version names the tavern and its host', async () => {
  const { code, out } = await tavern(newHome(), ['--version'])

  expect(code).toBe(0)
  expect(out).toMatch(/^tavern \d+\.\d+\.\d+ on DeepSeek Harness \d+\.\d+\.\d+/)
})

const longScene = {
  title: 'A long night',
  premise: 'Rain.',
  cast: [{ character: 'mara' }, { character: 'brandt' }],
}

/** It plays on until it is told to stop. */
function writeLongScene(home: string): void {
  writeScene(home, 'long', { ...longScene, caps: { autoBeats: 10_000 } })
}

function writeScene(home: string, id: string, scene: object): void {
  const folder = join(home, 'tavern', 'scenes', id)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'scene.yml'), JSON.stringify(scene))
}
