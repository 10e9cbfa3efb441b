/** Child processes of the tests, and what they report. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Acknowledged } from './process-work.ts'

const script = join(import.meta.dirname, 'process-child.ts')

export interface Child {
  readonly acknowledged: readonly Acknowledged[]
  /** Lets it work; resolves when it has ended, by itself or not. */
  run(onReport?: (child: Child) => void): Promise<void>
  kill(): void
}

export interface ChildOptions {
  readonly path: string
  readonly work:
    | 'increment'
    | 'empty'
    | 'publish-same'
    | 'publish-own'
    | 'meet'
    | 'live-on'
    | 'fill'
  readonly name: string
  /** The largest file it may write, in units of 512 bytes. */
  readonly largestFile?: number
  /** The program that runs it; default: this process's own. */
  readonly runtime?: string
}

/** Resolves when the child has the store open and waits to work. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { path, work, name, largestFile, runtime = process.execPath } = options
  const command = [runtime, script, path, work, name]
  const child =
    largestFile === undefined
      ? spawn(runtime, command.slice(1))
      : spawn('sh', ['-c', `ulimit -f ${largestFile}; exec "$@"`, 'sh', ...command])
  await opened(child)
  return childOf(child)
}

async function opened(child: ChildProcessWithoutNullStreams): Promise<void> {
  let said = ''
  child.stderr.setEncoding('utf8')
  for await (const text of child.stderr.iterator({ destroyOnReturn: false })) {
    said += String(text)
    if (said.includes('ready\n')) return
  }
  throw new Error(`the child did not open the store: ${said}`)
}

function childOf(child: ChildProcessWithoutNullStreams): Child {
  const acknowledged: Acknowledged[] = []
  const self: Child = {
    acknowledged,
    run: async (onReport) => {
      let said = ''
      child.stderr.on('data', (text) => (said += String(text)))
      const ended = once(child, 'close')
      createInterface(child.stdout).on('line', (line) => {
        // A killed child may leave half a line, which promises nothing.
        if (!line.endsWith('}')) return
        acknowledged.push(JSON.parse(line))
        onReport?.(self)
      })
      child.stdin.on('error', () => undefined) // it ended before it read
      child.stdin.write('go\n')
      await ended
      if (said !== '' && child.signalCode === null) throw new Error(said)
    },
    kill: () => void child.kill('SIGKILL'),
  }
  return self
}

/** All acknowledgements of a kind, of any child. */
export function all<Kind extends Acknowledged['kind']>(children: readonly Child[], kind: Kind) {
  const every = children.flatMap((child) => child.acknowledged)
  return every.filter((one): one is Extract<Acknowledged, { kind: Kind }> => one.kind === kind)
}

/** Starts them all, lets them go together, and waits for the last. */
export async function runTogether(options: readonly ChildOptions[]): Promise<readonly Child[]> {
  const children = await Promise.all(options.map(startChild))
  await Promise.all(children.map((child) => child.run()))
  return children
}
