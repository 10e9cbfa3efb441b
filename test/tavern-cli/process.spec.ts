/** The command line as programs and people meet it: a process, its streams, its signals, its exit code. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
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

/** It plays on until it is told to stop. */
function writeLongScene(home: string): void {
  const folder = join(home, 'tavern', 'scenes', 'long')
  mkdirSync(folder, { recursive: true })
  const scene = {
    title: 'A long night',
    premise: 'Rain.',
    cast: [{ character: 'mara' }, { character: 'brandt' }],
    caps: { autoBeats: 10_000 },
  }
  writeFileSync(join(folder, 'scene.yml'), JSON.stringify(scene))
}
