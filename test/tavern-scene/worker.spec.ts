import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { homeWorker } from '../../packages/dsh-tavern-scene/src/worker.ts'

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-worker-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a new home gets a secret of 32 bytes that only its owner reads', () => {
  const path = join(home(), 'tavern', 'worker.key')

  const worker = homeWorker(path)

  expect(worker.id).toBe('tavern')
  expect(worker.secret).toMatch(/^[0-9a-f]{64}$/)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('the next start finds the same worker', () => {
  const path = join(home(), 'worker.key')

  const first = homeWorker(path)

  expect(homeWorker(path)).toEqual(first)
  expect(homeWorker(join(home(), 'worker.key')).secret).not.toBe(first.secret)
})

test('a secret that was copied with a line end is the same secret', () => {
  const path = join(home(), 'worker.key')
  const { secret } = homeWorker(path)

  writeFileSync(path, `${secret}\n`)

  expect(homeWorker(path).secret).toBe(secret)
})

test.each(['', 'abc', `${'0'.repeat(63)}g`, '0'.repeat(65)])(
  'a file that holds %j is refused, naming it, and left as it is',
  (held) => {
    const path = join(home(), 'worker.key')
    writeFileSync(path, held)

    expect(() => homeWorker(path)).toThrow(`${path} does not hold a worker secret`)

    expect(readFileSync(path, 'utf8')).toBe(held)
  },
)

test('nothing but the secret stays in the folder', () => {
  const folder = home()

  homeWorker(join(folder, 'worker.key'))

  expect(readdirSync(folder)).toEqual(['worker.key'])
})

test('a folder that cannot be made is an error, not another secret', () => {
  const folder = home()
  writeFileSync(join(folder, 'tavern'), '')

  expect(() => homeWorker(join(folder, 'tavern', 'worker.key'))).toThrow(/ENOTDIR|EEXIST/)
})

test('a folder in the place of the file is an error', () => {
  const path = join(home(), 'worker.key')
  mkdirSync(path)

  expect(() => homeWorker(path)).toThrow(/EISDIR/)
})

test('processes that start at once in a new home are one worker', async () => {
  const path = join(home(), 'tavern', 'worker.key')
  const script = join(import.meta.dirname, 'worker-child.ts')
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, [script, path], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))

  const secrets = children.map(async ({ stdout }) => await text(stdout))
  for (const { stdin } of children) stdin.write('go')

  const found = await Promise.all(secrets)
  expect(new Set(found)).toEqual(new Set([readFileSync(path, 'utf8')]))
})
