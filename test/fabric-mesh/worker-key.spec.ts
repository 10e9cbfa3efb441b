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
import { workerKey, workerNamed } from 'dsh-fabric-mesh'
import { expect, onTestFinished, test } from 'vitest'

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-worker-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a new home gets a key of 32 bytes that only its owner reads', () => {
  const path = join(home(), 'tavern', 'worker.key')

  expect(workerKey(path)).toMatch(/^[0-9a-f]{64}$/)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('the next start finds the same key', () => {
  const path = join(home(), 'worker.key')

  const first = workerKey(path)

  expect(workerKey(path)).toBe(first)
  expect(workerKey(join(home(), 'worker.key'))).not.toBe(first)
})

test('each worker has a secret of its own, the same after a restart', () => {
  const key = workerKey(join(home(), 'worker.key'))

  const mara = workerNamed('mara', key)

  expect(workerNamed('mara', key)).toEqual(mara)
  expect(mara).toEqual({ id: 'mara', secret: expect.stringMatching(/^[0-9a-f]{64}$/) })
  const others = [workerNamed('pip', key).secret, workerNamed('mara', 'other').secret, key]
  expect(others).not.toContain(mara.secret)
})

test('a key that was copied with a line end is the same key', () => {
  const path = join(home(), 'worker.key')
  const key = workerKey(path)

  writeFileSync(path, `${key}\n`)

  expect(workerKey(path)).toBe(key)
})

test.each(['', 'abc', `${'0'.repeat(63)}g`, '0'.repeat(65)])(
  'a file that holds %j is refused, naming it, and left as it is',
  (held) => {
    const path = join(home(), 'worker.key')
    writeFileSync(path, held)

    expect(() => workerKey(path)).toThrow(`${path} does not hold a worker key`)

    expect(readFileSync(path, 'utf8')).toBe(held)
  },
)

test('nothing but the key stays in the folder', () => {
  const folder = home()

  workerKey(join(folder, 'worker.key'))

  expect(readdirSync(folder)).toEqual(['worker.key'])
})

test('a folder that cannot be made is an error, not another key', () => {
  const folder = home()
  writeFileSync(join(folder, 'tavern'), '')

  expect(() => workerKey(join(folder, 'tavern', 'worker.key'))).toThrow(/ENOTDIR|EEXIST/)
})

test('a folder in the place of the file is an error', () => {
  const path = join(home(), 'worker.key')
  mkdirSync(path)

  expect(() => workerKey(path)).toThrow(/EISDIR/)
})

test('processes that start at once in a new home have one key', async () => {
  const path = join(home(), 'tavern', 'worker.key')
  const script = join(import.meta.dirname, 'worker-key-child.ts')
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, [script, path], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))

  const keys = children.map(async ({ stdout }) => await text(stdout))
  for (const { stdin } of children) stdin.write('go')

  const found = await Promise.all(keys)
  expect(new Set(found)).toEqual(new Set([readFileSync(path, 'utf8')]))
})
