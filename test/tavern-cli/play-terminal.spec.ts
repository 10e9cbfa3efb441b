/** A seat at a terminal, its streams given: what happens when the store fails, and when a person leaves at once. */
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { DatabaseSync } from 'node:sqlite'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { complete } from '../../packages/dsh-tavern-cli/src/completing.ts'
import { playTerminal } from '../../packages/dsh-tavern-cli/src/play-terminal.ts'
import { printable } from '../../packages/dsh-tavern-cli/src/printable.ts'
import { TypingLine } from '../../packages/dsh-tavern-cli/src/typing-line.ts'
import { openStage, say, transcriptOf, trio } from '../scenes/stage.ts'

/** `isTTY` makes it one that readline edits lines at. */
function terminal({ isTTY = false } = {}) {
  const stdin = new PassThrough()
  const stdout = Object.assign(new PassThrough(), { isTTY, columns: 80 })
  const typing = new TypingLine(stdout)
  const screen = {
    note: (text: string) => typing.write(`${printable(text)}\n`),
    cutOff: () => {},
  }
  return { stdin, stdout, typing, screen }
}

test('a store that fails ends the sitting with its error', async () => {
  const stage = await openStage(trio)
  const scene = await stage.open('room')
  const seat = terminal()
  const { stdin } = seat
  const playing = playTerminal(scene, { auto: false }, scene.cast.broken, seat)
  const store = new DatabaseSync(join(stage.home, 'tavern', 'mesh.sqlite'), { timeout: 5000 })
  store.exec('DROP TABLE desk')
  store.close()

  stdin.write('Good evening.\n')

  await expect(playing).rejects.toMatchObject({ name: 'MeshError', code: 'store-invalid' })
})

test('a line that cannot be said is told, and the sitting goes on', async () => {
  const stage = await openStage(trio)
  const scene = await stage.open('room')
  const seat = terminal()
  const { stdin, stdout } = seat
  const playing = playTerminal(scene, { auto: false }, scene.cast.broken, seat)

  stdin.write('/whisper nobody Psst.\n/whisper cy Psst.\n/leave\n')

  expect(await playing).toBe(0)
  const shown = String(stdout.read())
  expect(shown).toContain("no character 'nobody'")
  expect(shown).toContain("'cy' is not on stage")
})

test('who leaves is not kept by lines that wait, and they are not said', async () => {
  const stage = await openStage(trio)
  const scene = await stage.open('room')
  stage.model.script(() => ({ hang: 'I was about to' }))
  const seat = terminal()
  const { stdin } = seat
  const playing = playTerminal(scene, { auto: false }, scene.cast.broken, seat)
  const begun = new Promise<void>((resolve) => stage.ctx.once('performance/delta', () => resolve()))
  stdin.write('One.\nTwo.\n')
  await begun

  stdin.end()

  expect(await playing).toBe(0)
  const said = await transcriptOf(scene)
  expect(said).toContain('Ellis: One.')
  expect(said).not.toContain('Ellis: Two.')
})

test('a character is moved while its answer is waited for: /move, /cast, and /help do not wait for it', async () => {
  const stage = await openStage(trio)
  const scene = await stage.open('room')
  stage.model.script(() => ({ hang: 'I was about to' }))
  const seat = terminal()
  const { stdin, stdout } = seat
  const playing = playTerminal(scene, { auto: false }, scene.cast.broken, seat)
  const begun = new Promise<void>((resolve) => stage.ctx.once('performance/delta', () => resolve()))
  stdin.write('One.\n')
  await begun
  let shown = ''
  stdout.on('data', (text: Buffer) => (shown += text.toString()))

  stdin.write('/move ann west\n')

  await expect.poll(() => shown).toContain('this scene is played by one home alone')
  stdin.write('/cast\n/help\n')
  await expect.poll(() => shown).toContain('Ann (ann): on stage')
  await expect.poll(() => shown).toContain('/help: This list')
  stdin.end()
  expect(await playing).toBe(0)
})

test('names and failures bring no escapes to the screen', async () => {
  const stage = await openStage({
    ...trio,
    characters: { ...trio.characters, ann: { name: 'Ann\u001b[2J' } },
  })
  const scene = await stage.open('room')
  await say(scene, 'Hello.')
  const seat = terminal()
  const { stdin, stdout } = seat
  const playing = playTerminal(scene, { auto: false }, scene.cast.broken, seat)

  stdin.write('/cast\n/leave\n')

  expect(await playing).toBe(0)
  const shown = String(stdout.read())
  expect(shown).toContain('Ann')
  expect(shown).not.toContain('\u001b[2J')
})

test('each thing is told once, and the first line says how to begin', async () => {
  const stage = await openStage(trio)
  const scene = await stage.open('room')
  const seat = terminal()
  const playing = playTerminal(scene, { auto: false }, scene.cast.broken, seat)

  seat.stdin.write('/delegate\n/dance\n/enter cy\n/help\n/leave\n')

  expect(await playing).toBe(0)
  const shown = String(seat.stdout.read())
  expect(shown).toContain('Type a line, or /help.')
  expect(shown).toContain('usage: /delegate <character>')
  expect(shown).toContain("no command '/dance' (commands: /delegate,")
  expect(shown).toContain('/enter <character>: Bring a character on stage')
  expect(shown).not.toContain('Cy comes in.') // its beat shows it
  expect(shown.match(/The scene is kept/g)).toHaveLength(1)
})

test('Ctrl-Z does nothing; Ctrl-C takes a half-typed line back, and leaves an empty one', async () => {
  const stage = await openStage(trio)
  const scene = await stage.open('room')
  const seat = terminal({ isTTY: true })
  const playing = playTerminal(scene, { auto: false }, scene.cast.broken, seat)
  await new Promise<void>((resolve) =>
    seat.stdout.on('data', (data: Buffer) => String(data).includes('Ellis') && resolve()),
  )
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())

  seat.stdin.write('Half a\u001a line\u0003')
  vi.advanceTimersByTime(5000)
  seat.stdin.write('\u0003')

  expect(await playing).toBe(0)
  expect(await transcriptOf(scene)).toEqual(['Narrator: A room with one lamp.'])
})

test('what comes while a line is typed is written above it, and prompt and line stand below again', async () => {
  const stage = await openStage(trio)
  const scene = await stage.open('room')
  const seat = terminal({ isTTY: true })
  const playing = playTerminal(scene, { auto: false }, scene.cast.broken, seat)
  let shown = ''
  seat.stdout.on('data', (data: Buffer) => (shown += String(data)))
  await expect.poll(() => shown).toContain('Ellis')
  seat.stdin.write('Half a li')
  await expect.poll(() => shown).toContain('Half a li')

  shown = ''
  seat.typing.write('Nora: ')
  seat.typing.write('Hello.\n\n')
  const first = rows(shown)
  seat.stdin.write('ne')
  shown = ''
  seat.screen.note('Ben sits down.')

  expect(first).toEqual(['Nora: Hello.', '', 'Ellis> Half a li'])
  expect(rows(shown)).toEqual(['Ben sits down.', 'Ellis> Half a line'])
  seat.stdin.end()
  expect(await playing).toBe(0)
})

/** What was written, without its escapes. */
function rows(text: string): readonly string[] {
  return stripVTControlCharacters(text).replaceAll('\r', '').split('\n')
}

test('Tab offers ids after a command, found by any name, and names in a line', async () => {
  const stage = await openStage({
    ...trio,
    characters: { ...trio.characters, bo: { name: '罗阿满', nickname: '阿满' } },
  })
  const scene = await stage.open('room')

  const completed = ['/whisper 罗', '/whisper 阿', '/enter C', '/delegate ', 'Hello a', '/he'].map(
    (line) => complete(scene, line),
  )

  expect(completed).toEqual([
    [['bo '], '罗'],
    [['bo '], '阿'],
    [['cy '], 'C'],
    [['ann ', 'bo ', 'cy '], ''],
    [['Ann'], 'a'],
    [['/help '], '/he'],
  ])
})
