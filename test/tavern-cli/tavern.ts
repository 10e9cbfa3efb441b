/** `tavern` as a process of its own, in a home of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { tellLastWords } from './last-words.ts'

const NODE = join(import.meta.dirname, '../../node_modules/.bin/node')
const MAIN = join(import.meta.dirname, '../../packages/dsh-tavern-cli/src/main.ts')

export interface Tavern {
  readonly child: ChildProcessWithoutNullStreams
  /** All that was written so far. */
  readonly out: () => string
  readonly err: () => string
  /** Resolves once standard output holds the text. */
  outHolds(text: string): Promise<void>
  /** The same of standard error. */
  errHolds(text: string): Promise<void>
  /** The exit code, or the signal that killed it. */
  readonly ended: Promise<number | string | null>
}

export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'tavern-cli-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** Its standard input stays open until the test ends it. `prefix`: a command that runs it, elsewhere. */
export function startTavern(
  home: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  prefix: readonly string[] = [],
): Tavern {
  const command = [...prefix, NODE, MAIN, ...args, '--home', home]
  const child = spawn(command[0] ?? NODE, command.slice(1), { env: { ...process.env, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let err = ''
  child.stdin.on('error', () => {}) // it may have ended
  child.stderr.on('data', (data: Buffer) => (err += data.toString()))
  child.stdout.on('data', (data: Buffer) => (out += data.toString()))
  let end: number | string | null | undefined
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('close', (code, signal) => {
      end = signal ?? code
      resolve(end)
    }),
  )
  const awaited = new Set<string>()
  tellLastWords({ args, out: () => out, err: () => err, awaited, end: () => end })
  const holds =
    (name: string, stream: NodeJS.ReadableStream, written: () => string) =>
    async (text: string): Promise<void> => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const look = () => written().includes(text) && resolve()
      const wait = `${name}: ${text}`
      awaited.add(wait)
      stream.on('data', look)
      look()
      void ended.then((code) => reject(new Error(`ended ${code} without ${wait}: ${err}`)))
      await promise
      stream.off('data', look)
      awaited.delete(wait)
    }
  const outHolds = holds('out', child.stdout, () => out)
  const errHolds = holds('err', child.stderr, () => err)
  return { child, out: () => out, err: () => err, outHolds, errHolds, ended }
}

/** Plays to the end with these lines as its whole standard input. */
export async function tavern(
  home: string,
  args: readonly string[],
  {
    input = '',
    env = {},
    prefix = [],
  }: {
    input?: string
    env?: Readonly<Record<string, string>>
    prefix?: readonly string[]
  } = {},
) {
  const started = startTavern(home, args, env, prefix)
  started.child.stdin.end(input)
  const code = await started.ended
  return { code, out: started.out(), err: started.err() }
}

/** A model provider that takes every request and never answers. */
export async function silentProvider() {
  const asked = Promise.withResolvers<void>()
  const server = createServer(() => asked.resolve())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    asked: asked.promise,
    args: ['--provider', 'deepseek-official', '--model', 'deepseek-v4-flash'],
    env: { DEEPSEEK_API_KEY: 'test', DEEPSEEK_BASE_URL: `http://127.0.0.1:${port}` },
  }
}
