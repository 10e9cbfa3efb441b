/** Exactly one beat per cue: kill -9 at every named point and at random moments, restart, and nothing shows it. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChildRequest, type KillPoint, killPoints } from './child-request.ts'
import { type HomeState, readHome, readTrace } from './home-state.ts'

const SCENE = 'ember-night'
const BEATS = 16
const SEED = 11
const NODE = join(import.meta.dirname, '../../node_modules/.bin/node')
const CHILD = join(import.meta.dirname, 'play-child.ts')

const root = mkdtempSync(join(tmpdir(), 'tavern-crash-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let homes = 0
function requestIn(name: string, kill?: ChildRequest['kill'], pace = 0): ChildRequest {
  const home = join(root, name)
  const plain = { home, scene: SCENE, beats: BEATS, seed: SEED, trace: join(root, `${name}.jsonl`) }
  return kill ? { ...plain, pace, kill } : { ...plain, pace }
}

/** Runs the child to its end, or kills it after so many milliseconds; the signal that ended it. */
function run(request: ChildRequest, killAfterMs?: number): Promise<string | number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(NODE, ['--no-warnings', CHILD, JSON.stringify(request)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.once('data', () => {
      if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(signal ?? code))
  })
}

let undisturbed: HomeState
beforeAll(async () => {
  const request = requestIn('undisturbed')
  expect(await run(request)).toBe(0)
  undisturbed = await readHome(request.home, SCENE)
}, 60_000)

/** Everything that two equal plays must agree on. */
function comparable(state: HomeState): object {
  return {
    beats: state.beats.map(({ sequence, id, beat }) => ({ sequence, id, beat })),
    world: state.world,
    open: state.open,
  }
}

/** Nothing a character is told stands twice in what its model is sent. */
function repeated(trace: string): readonly string[] {
  return readTrace(trace).flatMap(({ character, purpose, messages }) => {
    if (purpose !== undefined) return []
    const texts = messages.map(({ content }) => JSON.stringify(content))
    const twice = texts.filter(
      (text, index) => text.includes('[Your cue]') && texts.indexOf(text) !== index,
    )
    return twice.map((text) => `${character}: ${text.slice(0, 120)}`)
  })
}

async function survive(request: ChildRequest): Promise<void> {
  expect(await run(requestAgain(request))).toBe(0)
  const state = await readHome(request.home, SCENE)

  expect(comparable(state)).toEqual(comparable(undisturbed))
  expect(repeated(request.trace)).toEqual([])
}

function requestAgain({ kill: _kill, ...request }: ChildRequest): ChildRequest {
  return { ...request, pace: 0 }
}

describe('undisturbed', () => {
  it('leaves every message settled, and changed the world', () => {
    expect(undisturbed.beats).toHaveLength(BEATS)
    expect(undisturbed.open).toEqual([])
    expect(undisturbed.world.some(({ version }) => version > 1)).toBe(true)
  })
})

describe('killed at a named point', () => {
  const cases = killPoints.flatMap((point) => [1, 2, 4, 7].map((count) => [point, count] as const))

  it.each(cases)('%s, time %i', async (point: KillPoint, count: number) => {
    const request = requestIn(`point-${(homes += 1)}`, { point, count })
    expect(await run(request)).toBe('SIGKILL')

    await survive(request)
  })

  it('twice at the same cue', async () => {
    const request = requestIn(`point-${(homes += 1)}`, { point: 'performance/delta', count: 1 })
    expect(await run(request)).toBe('SIGKILL')
    expect(await run(request)).toBe('SIGKILL')

    await survive(request)
  })
})

describe('killed at random moments', () => {
  /** Spread over a play, from before the first claim to after the last settle. */
  const moments = Array.from({ length: 36 }, (_, index) => (index * 37) % 900)

  it.each(moments)('%i ms in, then once more', async (moment) => {
    const request = requestIn(`random-${(homes += 1)}`, undefined, 1)
    await run(request, moment)
    await run(request, (moment * 7) % 400)

    await survive(request)
  })
})
