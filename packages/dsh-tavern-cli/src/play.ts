/** `tavern play`: opens a scene, takes a seat, and plays until the person leaves or all that was asked for is played. */
import type { Context } from '@deepseek-ai/cordis'
import type { OpenScene } from 'dsh-tavern-scene'
import { boot } from './boot.ts'
import { playPipe } from './play-pipe.ts'
import { playTerminal } from './play-terminal.ts'
import { StageView, type Style } from './stage-view.ts'
import { traceRequests } from './trace.ts'

export interface PlayOptions {
  readonly home: string
  readonly scene: string
  readonly start?: 'new' | 'resume'
  readonly seed?: number
  /** Beats the scene may hold in all. */
  readonly beats?: number
  readonly auto: boolean
  readonly as?: string
  readonly provider?: string
  readonly model?: string
  readonly json: boolean
  readonly all: boolean
  readonly trace?: string
  readonly pace: number
}

/** Beats shown again when a scene goes on. */
const RECAP = 12

/** The exit code. */
export async function play(options: PlayOptions): Promise<number> {
  const interactive = process.stdin.isTTY && process.stdout.isTTY && !options.json
  const ctx = await boot({ home: options.home, pace: interactive ? options.pace : 0 })
  try {
    if (options.trace !== undefined) traceRequests(ctx, options.trace)
    const scene = await open(ctx, options, interactive)
    const asked = {
      auto: options.auto,
      ...(options.beats === undefined ? {} : { beats: options.beats }),
    }
    return interactive ? await playTerminal(scene, asked) : await playPipe(scene, asked)
  } finally {
    await ctx.fiber.dispose()
  }
}

async function open(ctx: Context, options: PlayOptions, interactive: boolean): Promise<OpenScene> {
  const { scene: id, start, seed, as, provider, model, beats } = options
  const route = { ...(provider ? { provider } : {}), ...(model ? { model } : {}) }
  const before = start === 'new' ? undefined : await ctx.scenes.findRun(id)
  const scene = await ctx.scenes.open(id, {
    route,
    limits: beats === undefined ? {} : { beats },
    ...(start ? { start } : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(as ? { persona: as } : {}),
  })
  const style: Style = options.json ? 'json' : interactive ? 'terminal' : 'plain'
  const view = new StageView({
    style,
    seat: scene.speaker().id,
    all: options.all,
    nameOf: (participant) => scene.cast.nameOf(participant),
    write: (text) => process.stdout.write(text),
  })
  if (before && seed !== undefined && seed !== scene.run.seed) {
    process.stderr.write(
      `This scene goes on with seed ${scene.run.seed}; --new begins again with ${seed}.\n`,
    )
  }
  const shown = await recap(scene, { view, began: before === undefined, style })
  view.follow(ctx, scene.run.id)
  for (const placed of await scene.run.read(shown, 500)) view.show(placed)
  return scene
}

/** What came before; the sequence up to which it was shown. A program gets only what is new. */
async function recap(
  scene: OpenScene,
  {
    view,
    began,
    style,
  }: { readonly view: StageView; readonly began: boolean; readonly style: Style },
): Promise<number> {
  if (began) return 0
  const beats = style === 'json' ? [] : await scene.run.tail(RECAP)
  for (const placed of beats) view.show(placed)
  return scene.run.stage.sequence
}
