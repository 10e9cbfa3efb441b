/** Machines as homes: each runs the real commands, and all share one mesh. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { writeStage } from '../scenes/stage.ts'
import { startTavern, type Tavern, tavern } from '../tavern-cli/tavern.ts'

/** Seconds; short, so that a test sees a host away soon. */
export const LEASE = 1

export interface Machine {
  readonly home: string
  /** A command that runs on; its output is there as it comes. */
  start(...args: string[]): Tavern
  /** A command that ends. */
  run(...args: string[]): Promise<Awaited<ReturnType<typeof tavern>>>
}

/** `address` as after `--mesh`; absent: the home's own file. */
export function machine(address?: string, prefix: readonly string[] = []): Machine {
  const home = mkdtempSync(join(tmpdir(), 'tavern-machine-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const env: Readonly<Record<string, string>> = address ? { TAVERN_MESH: address } : {}
  return {
    home,
    start: (...args) => startTavern(home, args, env, prefix),
    run: (...args) => tavern(home, args, { env, prefix }),
  }
}

export function sqliteMesh(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-mesh-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'mesh.sqlite')}`
}

/** A scene file on this machine. */
export function giveScene({ home }: Machine, id: string, scene: object): void {
  mkdirSync(join(home, 'tavern'), { recursive: true })
  writeStage(join(home, 'tavern'), { scenes: { [id]: scene } })
}

/** A character's preset with its card on this machine. */
export function giveCharacter({ home }: Machine, id: string, card: object): void {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-card-'))
  writeStage(folder, { scenes: {}, characters: { [id]: card } })
  mkdirSync(join(home, '.agent-presets'), { recursive: true })
  rmSync(join(home, '.agent-presets', id), { recursive: true, force: true })
  cpPreset(join(folder, 'presets', id), join(home, '.agent-presets', id))
  rmSync(folder, { recursive: true, force: true })
}

function cpPreset(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const file of readdirSync(from)) {
    writeFileSync(join(to, file), readFileSync(join(from, file)))
  }
}

const told = z.looseObject({
  seq: z.number(),
  id: z.string(),
  kind: z.string(),
  text: z.string(),
  cause: z.string(),
  author: z.object({ id: z.string() }),
})
export type Told = z.infer<typeof told>

export async function beatsOf(from: Machine, scene: string): Promise<readonly Told[]> {
  const { out, err, code } = await from.run('transcript', scene, '--format', 'jsonl')
  if (code !== 0) throw new Error(err)
  return readLines(out)
}

export function readLines(out: string): readonly Told[] {
  return out.split('\n').flatMap((line) => (line === '' ? [] : [told.parse(JSON.parse(line))]))
}

/** Ids that stand there more than once. */
export function twice(beats: readonly Told[]): readonly string[] {
  const ids = beats.map(({ id }) => id)
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

/** Mailboxes with messages that are not settled, and those messages. */
export async function owed(from: Machine): Promise<readonly string[]> {
  const { out } = await from.run('mailboxes', '--json')
  return out.split('\n').filter((line) => line !== '')
}
