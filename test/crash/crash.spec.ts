/** Exactly one beat per cue: kill -9 at every named point and at random moments, restart, and nothing shows it. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Beat } from 'dsh-tavern-protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChildRequest, type KillPoint, killPoints, ruleKillPoints } from './child-request.ts'
import { type HomeState, readHome, readTrace } from './home-state.ts'

const SCENE = 'ember-night'
const BEATS = 16
const SEED = 9
const HOST_ID = 'a'.repeat(12)
/** Slow enough that six kills fall into one play. */
const PACE = 8
const NODE = join(import.meta.dirname, '../../node_modules/.bin/node')
const CHILD = join(import.meta.dirname, 'play-child.ts')

const root = mkdtempSync(join(tmpdir(), 'tavern-crash-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let kills = 0

function requestIn(name: string, pace = 0): ChildRequest {
  const home = join(root, name)
  return { home, scene: SCENE, beats: BEATS, seed: SEED, trace: join(root, `${name}.jsonl`), pace }
}

/** Runs the child to its end, or kills it after so many milliseconds; the signal that ended it. */
function run(request: ChildRequest, killAfterMs?: number): Promise<string | number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(NODE, ['--no-warnings', CHILD, JSON.stringify(request)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'compiled') },
    })
    child.stdout.once('data', () => {
      if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL') kills += 1
      resolve(signal ?? code)
    })
  })
}

let undisturbed: HomeState
let undisturbedShared: HomeState
beforeAll(async () => {
  undisturbed = await wholePlay(requestIn('undisturbed'))
  undisturbedShared = await wholePlay({ ...requestIn('undisturbed-shared'), hostId: HOST_ID })
}, 60_000)

async function wholePlay(request: ChildRequest): Promise<HomeState> {
  const ended = await run(request)
  if (ended !== 0) throw new Error(`the undisturbed play ended ${ended}`)
  return await readHome(request.home, request.scene)
}

/** Everything that two equal plays must agree on. */
function comparable(state: HomeState): object {
  return {
    beats: state.beats.map(({ sequence, id, beat }) => ({ sequence, id, beat: unpriced(beat) })),
    world: state.world,
    open: state.open,
  }
}

/** Without the tokens: a request after a kill holds one short note more. */
function unpriced(beat: Beat): object {
  return { ...beat, usage: undefined }
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

/** Plays to the end in a home whose players were killed: what it then holds, and what was told twice. */
async function survivor(request: ChildRequest): Promise<object> {
  const ended = await run({ ...request, pace: 0 })
  const state = await readHome(request.home, request.scene)
  return { ended, ...comparable(state), repeated: repeated(request.trace) }
}

const RULED = { scene: 'chenzhong', beats: 30 }

/** As if nobody had been killed. */
function whole(play = undisturbed): object {
  return { ended: 0, ...comparable(play), repeated: [] }
}

describe('undisturbed', () => {
  it('leaves every message settled, and changed the world', () => {
    expect(undisturbed.beats).toHaveLength(BEATS)
    expect(undisturbed.open).toEqual([])
    expect(undisturbed.world.some(({ version }) => version > 1)).toBe(true)
  })
})

describe('killed at a named point', () => {
  it.each(killPoints)('%s, four times over', { timeout: 60_000 }, async (point: KillPoint) => {
    const request = requestIn(`point-${point.replace('/', '-')}`)
    for (const count of [1, 2, 1, 3]) {
      expect(await run({ ...request, kill: { point, count } })).toBe('SIGKILL')
    }

    expect(await survivor(request)).toEqual(whole())
  })
})

describe('killed at a named point, as one of several hosts of a mesh', () => {
  it.each(killPoints)('%s, twice', { timeout: 60_000 }, async (point: KillPoint) => {
    const request = { ...requestIn(`shared-${point.replace('/', '-')}`), hostId: HOST_ID }
    for (const count of [1, 2]) {
      expect(await run({ ...request, kill: { point, count } })).toBe('SIGKILL')
    }

    expect(await survivor(request)).toEqual(whole(undisturbedShared))
  })
})

describe('a scene with rules', () => {
  let undisturbedRules: HomeState
  beforeAll(async () => {
    undisturbedRules = await wholePlay({ ...requestIn('undisturbed-rules'), ...RULED })
  }, 60_000)

  it('has its rules change the world, and each of their beats once', () => {
    const ids = undisturbedRules.beats.map(({ id }) => id)

    expect(undisturbedRules.beats.length).toBeGreaterThanOrEqual(RULED.beats)
    expect(ids.filter((id) => id.includes('@')).length).toBeGreaterThan(5)
    expect(new Set(ids).size).toBe(ids.length)
    expect(undisturbedRules.world.find(({ key }) => key === '离天亮小时')?.value).toBeLessThan(6)
  })

  it.each(ruleKillPoints)('killed at %s, three times over', { timeout: 90_000 }, async (point) => {
    const request = { ...requestIn(`rules-${point.replace('/', '-')}`), ...RULED }
    for (const count of [1, 2, 1]) {
      expect(await run({ ...request, kill: { point, count } })).toBe('SIGKILL')
    }

    expect(await survivor(request)).toEqual(whole(undisturbedRules))
  })

  it.each([1, 2, 3])('killed at random moments, home %i', { timeout: 90_000 }, async (home) => {
    const request = { ...requestIn(`rules-random-${home}`, PACE), ...RULED }
    for (let turn = 0; turn < 5; turn += 1) await run(request, (home * 97 + turn * 173) % 900)

    expect(await survivor(request)).toEqual(whole(undisturbedRules))
  })
})

describe('killed at random moments', () => {
  const homes = Array.from({ length: 13 }, (_, index) => index + 1)

  it.each(homes)('home %i, six times over', { timeout: 60_000 }, async (home) => {
    const request = requestIn(`random-${home}`, PACE)
    for (let turn = 0; turn < 6; turn += 1) await run(request, (home * 67 + turn * 131) % 400)

    expect(await survivor(request)).toEqual(whole())
  })

  it('a hundred kills in all', () => {
    expect(kills).toBeGreaterThanOrEqual(100)
  })
})
