/** The stock `dsh`, in processes and a home of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const repository = resolve(import.meta.dirname, '../..')
const modules = join(repository, 'node_modules')
export const node = join(modules, '.bin/node')
export const dsh = join(modules, '@deepseek-ai/dsh/lib/bin.js')
const START_MS = 60_000
const STOP_MS = 10_000

export interface DshWeb {
  readonly url: string
  /** What it printed so far. */
  output(): string
  settings(): string
  /** Ends the process; its home stays. */
  stop(): Promise<void>
}

/** Starts `dsh web`; fails with what it printed when a row does not activate. */
export async function startDshWeb(
  home: string,
  env: Readonly<Record<string, string>> = {},
): Promise<DshWeb> {
  const child = spawn(node, [dsh, 'web', '--port', '0', '--no-open'], {
    cwd: home,
    // nothing of the developer's own: no key, no display, no settings
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      DSH_HOME: home,
      DSH_TELEMETRY_DISABLED: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const stop = () => end(child)
  try {
    const url = await urlOf(child, () => output)
    const settings = () => readFileSync(join(home, 'settings.yaml'), 'utf8')
    return { url, output: () => output, settings, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A home with no key and no notice to click away, whose default model is improv. */
export function newDshHome(): { readonly home: string; readonly remove: () => void } {
  const home = mkdtempSync(join(tmpdir(), 'tavern-web-'))
  writeFileSync(
    join(home, 'settings.yaml'),
    [
      'ui-onboarding:',
      '  welcomeNoticeVersion: 2026-08-13.1',
      'agent-default-model:',
      '  provider: improv',
      '  model: improv-1',
      '',
    ].join('\n'),
  )
  return { home, remove: () => rmSync(home, { recursive: true, force: true }) }
}

/** As `dsh plugin add` leaves profile `web`, with links to these sources in the place of copies. */
export function linkProfile(
  home: string,
  { pace, patch = '' }: { readonly pace: number; readonly patch?: string },
): void {
  const profile = join(home, 'profiles/web')
  const installed = join(profile, 'node_modules')
  mkdirSync(installed, { recursive: true })
  symlinkSync(repository, join(installed, 'dsh-fabric-tavern'))
  for (const name of readdirSync(join(repository, 'packages'))) {
    symlinkSync(join(repository, 'packages', name), join(installed, name))
  }
  const bundles = ['@deepseek-ai/dsh-base', '@deepseek-ai/dsh-web-app', 'dsh-fabric-tavern']
  const manifest = {
    name: 'dsh-profile-web',
    private: true,
    dependencies: { 'dsh-fabric-tavern': '*' },
    dsh: { profile: { bundles } },
  }
  writeFileSync(join(profile, 'package.json'), JSON.stringify(manifest))
  writeFileSync(
    join(profile, 'cordis.patch.yml'),
    `- id: tavern-improv\n  config:\n    chunkDelayMs: ${pace}\n${patch}`,
  )
}

/** Fails with what the host printed when it ends, or stays silent, before it serves. */
async function urlOf(child: ChildProcess, output: () => string): Promise<string> {
  const stopped = new AbortController()
  const ended = once(child, 'exit', { signal: stopped.signal })
  const late = AbortSignal.timeout(START_MS)
  try {
    for (;;) {
      const url = /dsh web: (http:\S+)/.exec(output())?.[1]
      if (url !== undefined) return url
      if (child.exitCode !== null || late.aborted) break
      await Promise.race([once(child.stdout ?? child, 'data', { signal: late }), ended])
    }
  } catch {
    // late: said below
  } finally {
    stopped.abort()
    ended.catch(() => undefined)
  }
  throw new Error(`dsh web did not start (exit code ${child.exitCode}):\n${output()}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  child.kill('SIGTERM')
  await ended
  clearTimeout(kill)
}
