/** The cost of one beat, early and late in a scene, beside a bare turn of the host with as long a history. */
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
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { SessionId } from '@deepseek-ai/dsh-session'
import { boot } from 'dsh-tavern-cli'
import type { OpenScene } from 'dsh-tavern-scene'
import { InstantAdapter } from './instant-adapter.ts'
import { atMost, figuresOf, median, type Report } from './report.ts'

const ROUTE = { provider: 'instant', model: 'instant-1' }
const CAST = ['mara', 'brandt', 'pip', 'crane']
/** A line and its four answers. */
const BEATS_PER_LINE = CAST.length + 1
const EARLY = { from: 20, to: 100 }
const LATE = { from: 1940, to: 2020 }
const BARE_TEXT = 'Somebody says something about the rain, and the fire, and the road. '.repeat(12)

const figure = figuresOf('play')

interface Sample {
  /** Milliseconds of one beat of ours, a line's whole cost shared by its answers. */
  readonly beat: number
  /** Milliseconds of one bare turn with as many turns behind it. */
  readonly bare: number
  /** Handed to write calls for one beat: logs, write-ahead log, checkpoints. */
  readonly bytes: number
  /** What the home's files grew by for one beat. */
  readonly stored: number
}

export async function playBench(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tavern-bench-'))
  try {
    const home = join(folder, 'home')
    const ctx = await boot({
      home,
      sceneRoots: [writeScene(folder)],
      retry: false,
    })
    ctx.llm.registerAdapter([ROUTE.provider], new InstantAdapter())
    const scene = await ctx.scenes.open('long', { route: ROUTE })
    const bare = await bareAgent(ctx)
    const early: Sample[] = []
    const late: Sample[] = []
    while (scene.run.stage.beats < LATE.to) {
      const at = scene.run.stage.beats
      const sample = { ...(await lineCost(scene, home)), bare: await bareCost(ctx, bare) }
      if (at >= EARLY.from && at < EARLY.to) early.push(sample)
      if (at >= LATE.from) late.push(sample)
    }
    figures(report, early, late)
    await ctx.fiber.dispose()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function figures(report: Report, early: readonly Sample[], late: readonly Sample[]): void {
  const of = (samples: readonly Sample[], read: (sample: Sample) => number) =>
    median(samples.map(read))
  const [beat, lateBeat] = [of(early, (s) => s.beat), of(late, (s) => s.beat)]
  const [bare, lateBare] = [of(early, (s) => s.bare), of(late, (s) => s.bare)]
  const [own, lateOwn] = [of(early, (s) => s.beat - s.bare), of(late, (s) => s.beat - s.bare)]
  const [bytes, lateBytes] = [of(early, (s) => s.bytes), of(late, (s) => s.bytes)]
  report(figure('one beat at beat 50', beat, 'ms'))
  report(figure('one beat at beat 2,000', lateBeat, 'ms'))
  report(figure('bare host turn beside beat 50', bare, 'ms'))
  report(figure('bare host turn beside beat 2,000', lateBare, 'ms'))
  report(atMost(figure('beat 2,000 against beat 50, in all', lateBeat / beat, 'x'), 2))
  report(atMost(figure('our own share, 2,000 against 50', lateOwn / own, 'x'), 1.3))
  report(atMost(figure('beat 50 against a bare host turn', beat / bare, 'x'), 4))
  report(atMost(figure('written per beat at beat 50', bytes / 1024, 'KB'), 8))
  report(atMost(figure('written per beat at beat 2,000', lateBytes / 1024, 'KB'), 8))
  const [stored, lateStored] = [meanOf(early), meanOf(late)]
  report(atMost(figure('kept per beat at beat 50', stored / 1024, 'KB'), 8))
  report(atMost(figure('kept per beat at beat 2,000', lateStored / 1024, 'KB'), 8))
  report(atMost(figure('written, 2,000 against 50', lateBytes / bytes, 'x'), 1.2))
}

/** A file grows by pages and by batches, so single samples say little. */
function meanOf(samples: readonly Sample[]): number {
  return samples.reduce((sum, { stored }) => sum + stored, 0) / samples.length
}

async function lineCost(scene: OpenScene, home: string): Promise<Omit<Sample, 'bare'>> {
  const kept = bytesStored(home)
  const written = bytesWritten()
  const start = performance.now()
  const id = await scene.nextId('line')
  const { outcome } = await scene.submit(scene.speaker(), { id, text: 'And then what happened?' })
  await outcome
  const beats = CAST.length
  return {
    beat: (performance.now() - start) / beats,
    bytes: (bytesWritten() - written) / BEATS_PER_LINE,
    stored: (bytesStored(home) - kept) / BEATS_PER_LINE,
  }
}

async function bareAgent(ctx: Context): Promise<Agent> {
  const { agent } = await ctx.agents.create({
    sessionId: SessionId('bare'),
    meta: { cwd: tmpdir(), agentPreset: 'mara' },
    agentOptions: ROUTE,
    setup: async (agentCtx) => {
      await ctx.agentPresets.mount(agentCtx, 'mara')
    },
  })
  return agent
}

async function bareCost(ctx: Context, agent: Agent): Promise<number> {
  const start = performance.now()
  const content = [{ type: 'text' as const, text: BARE_TEXT }]
  agent.followup(createUserMessage({ content, source: { kind: 'user' } }))
  await agent.whenIdle()
  await ctx.sessions.flush(agent.session)
  return performance.now() - start
}

/** Bytes this process handed to write calls so far. */
function bytesWritten(): number {
  return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
}

/** Of the sessions and the mesh; its write-ahead log is no growth, it is written over. */
function bytesStored(home: string): number {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
  const kept = files.filter((file) => file.isFile() && !/-(wal|shm)$/.test(file.name))
  return kept.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
}

function writeScene(folder: string): string {
  const scenes = join(folder, 'scenes')
  mkdirSync(join(scenes, 'long'), { recursive: true })
  const scene = {
    title: 'A long night',
    premise: 'It rains.',
    direction: 'rota',
    cast: CAST.map((character) => ({ character })),
    world: { 'hearth.lit': { value: true }, 'river.feet': { value: 11 } },
    caps: { characterTokens: 1_000_000_000, sceneTokens: 4_000_000_000 },
  }
  writeFileSync(join(scenes, 'long', 'scene.yml'), JSON.stringify(scene))
  return scenes
}
