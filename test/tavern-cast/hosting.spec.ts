import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { host } from '../../packages/dsh-tavern-cast/src/hosting.ts'

const self = { pid: process.pid, startedAt: '2026-11-30T00:00:00.000Z' }

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-hosting-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'runs', 'inn.1.lock')
}

type Child = ChildProcessByStdio<Writable, Readable, null>

/** Another process that tried to take the place, and the lines it says. */
class Holder {
  readonly child: Child
  readonly #lines: Interface

  constructor(path: string) {
    const script = join(import.meta.dirname, 'hosting-holder.ts')
    this.child = spawn(process.execPath, [script, path], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#lines = createInterface({ input: this.child.stdout })
    onTestFinished(() => this.kill('SIGKILL'))
  }

  async says(): Promise<string> {
    const [text]: unknown[] = await once(this.#lines, 'line')
    return String(text)
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const exited = once(this.child, 'exit')
    this.child.kill(signal)
    await exited
  }
}

function taken(path: string) {
  const hosting = host(path, self)
  if (hosting.status === 'held') hosting.release()
  return hosting.status === 'taken' ? hosting : undefined
}

test('the first takes the place, and makes its folder', () => {
  const path = place()

  const hosting = host(path, self)

  expect(hosting.status).toBe('held')
  expect(existsSync(path)).toBe(true)
  if (hosting.status === 'held') hosting.release()
})

test('a second process is refused and told who has it', async () => {
  const path = place()
  const holder = new Holder(path)
  expect(await holder.says()).toBe('held')

  expect(taken(path)?.host).toEqual({ pid: holder.child.pid, startedAt: 'at the start' })
})

test('a process is refused what this one holds', async () => {
  const path = place()
  const hosting = host(path, self)

  expect(await new Holder(path).says()).toBe('taken')

  if (hosting.status === 'held') hosting.release()
  expect(await new Holder(path).says()).toBe('held')
})

test('a second taking in one process is refused too, and the first keeps the place', async () => {
  const path = place()
  const hosting = host(path, self)

  expect(host(path, self)).toEqual({ status: 'taken', host: self })
  expect(await new Holder(path).says()).toBe('taken')
  if (hosting.status === 'held') hosting.release()
})

test('kill -9 of the holder frees the place at once', async () => {
  const path = place()
  const holder = new Holder(path)
  await holder.says()

  await holder.kill('SIGKILL')

  expect(taken(path)).toBeUndefined()
})

test('a stopped holder keeps the place', async () => {
  const path = place()
  const holder = new Holder(path)
  await holder.says()

  holder.child.kill('SIGSTOP')

  expect(taken(path)?.host?.pid).toBe(holder.child.pid)
  holder.child.kill('SIGCONT')
})

test('release frees the place while the holder lives on, and may be called again', async () => {
  const path = place()
  const holder = new Holder(path)
  await holder.says()

  const released = holder.says()
  holder.child.stdin.write('release\n')
  await released

  const hosting = host(path, self)
  expect(hosting.status).toBe('held')
  if (hosting.status === 'held') {
    hosting.release()
    hosting.release()
  }
  expect(await new Holder(path).says()).toBe('held')
})

test('of many that come at once one takes the place', async () => {
  const path = place()
  const holders = Array.from({ length: 4 }, () => new Holder(path))

  const said = await Promise.all(holders.map((holder) => holder.says()))

  expect(said.toSorted()).toEqual(['held', 'taken', 'taken', 'taken'])
})

test.each(['', 'not json', '{"pid":"x"}', '[]'])('an owner file of %j says nothing', (text) => {
  const path = place()
  const hosting = host(path, self)
  writeFileSync(`${path}.owner`, text)

  expect(host(path, self)).toEqual({ status: 'taken', host: undefined })
  if (hosting.status === 'held') hosting.release()
})

test('who takes the place says so in its owner file', () => {
  const path = place()

  const hosting = host(path, self)

  expect(JSON.parse(readFileSync(`${path}.owner`, 'utf8'))).toEqual(self)
  if (hosting.status === 'held') hosting.release()
})

test('a place whose owner cannot be written is not held', () => {
  const path = place()
  mkdirSync(`${path}.owner.tmp`, { recursive: true })

  expect(() => host(path, self)).toThrow(/EISDIR/)

  rmSync(`${path}.owner.tmp`, { recursive: true })
  expect(taken(path)).toBeUndefined()
})

test('a file that is no lock is refused, and left as it is', () => {
  const path = place()
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, 'a letter, not a lock'.repeat(100))

  expect(() => host(path, self)).toThrow(/not a database/)

  expect(readFileSync(path, 'utf8')).toMatch(/^a letter/)
})
