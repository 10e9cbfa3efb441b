/** `tavern play`: opens a scene, takes a seat, and plays until the person leaves or all that was asked for is played. */
import type { Context } from '@deepseek-ai/cordis'
import { Company, placedBeat } from 'dsh-tavern-cast'
import type { ParticipantId, PlacedBeat } from 'dsh-tavern-protocol'
import type { OpenScene } from 'dsh-tavern-scene'
import { boot } from './boot.ts'
import { absentHosts, isEmpty, leaveSeat, tellOfCompany } from './company-notes.ts'
import type { MeshAddress } from './mesh-address.ts'
import { playPipe } from './play-pipe.ts'
import { playTerminal } from './play-terminal.ts'
import { printable } from './printable.ts'
import { StageView, type Style } from './stage-view.ts'
import { Interrupted, interruptSignal, unless } from './stopping.ts'
import { traceRequests } from './trace.ts'
import { TypingLine } from './typing-line.ts'

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
  readonly mesh?: MeshAddress
  readonly name?: string
  readonly leaseMs?: number
}

/** Beats shown again when a scene goes on; a program gets only what is new. */
const RECAP = 12

/** The exit code: 128 and the signal's number when one ended it. Fails when the scene's store does. */
export async function play(options: PlayOptions): Promise<number> {
  const interrupted = interruptSignal()
  const interactive = process.stdin.isTTY && process.stdout.isTTY && !options.json
  const { mesh, name, leaseMs } = options
  const ctx = await boot({
    home: options.home,
    pace: interactive ? options.pace : 0,
    ...(mesh ? { mesh } : {}),
    ...(name ? { hostName: name } : {}),
    ...(leaseMs ? { leaseMs } : {}),
  })
  try {
    return await sit(ctx, options, { interactive, interrupted: interrupted.signal })
  } catch (error) {
    if (error instanceof Interrupted) return error.exitCode
    throw error
  } finally {
    await ctx.scenes.leave()
    await ctx.fiber.dispose()
    interrupted.dispose()
  }
}

async function sit(
  ctx: Context,
  options: PlayOptions,
  {
    interactive,
    interrupted,
  }: { readonly interactive: boolean; readonly interrupted: AbortSignal },
): Promise<number> {
  if (options.trace !== undefined) traceRequests(ctx, options.trace)
  const typing = new TypingLine(process.stdout)
  const { scene, view } = await unless(interrupted, open(ctx, options, { interactive, typing }))
  const { auto, beats } = options
  const asked = beats === undefined ? { auto } : { auto, beats }
  const stop = AbortSignal.any([interrupted, scene.cast.broken])
  const code = interactive
    ? await playTerminal(scene, asked, stop, {
        stdin: process.stdin,
        stdout: process.stdout,
        typing,
        screen: view,
      })
    : await playPipe(scene, asked, stop)
  await view.catchUp(scene.run)
  await leaveSeat(scene)
  return code
}

interface Opened {
  readonly scene: OpenScene
  readonly view: StageView
}

async function open(
  ctx: Context,
  options: PlayOptions,
  { interactive, typing }: { readonly interactive: boolean; readonly typing: TypingLine },
): Promise<Opened> {
  const { scene: id, start, seed, as, provider, model, beats } = options
  const route = { ...(provider ? { provider } : {}), ...(model ? { model } : {}) }
  const before = start === 'new' ? undefined : await heldBefore(ctx, id)
  const scene = await ctx.scenes.open(id, {
    route,
    limits: beats === undefined ? {} : { beats },
    ...(start ? { start } : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(as ? { persona: as } : {}),
    attach: true,
  })
  const style: Style = options.json ? 'json' : interactive ? 'terminal' : 'plain'
  const view = new StageView({
    style,
    seat: scene.speaker().id,
    language: scene.run.scene.language,
    all: options.all,
    nameOf: (participant) => scene.cast.nameOf(participant),
    isTyped: (beatId) => scene.isSaidHere(beatId),
    write: (text) => typing.write(text),
  })
  tellOfCompany(ctx, scene, (text) => view.note(text))
  const absent = absentHosts(scene) // of those that go from now on it is told
  if (!scene.isHost) view.note(besideText(scene, before?.seats ?? []))
  if (before && seed !== undefined && seed !== scene.run.seed) {
    process.stderr.write(
      `This scene goes on with seed ${scene.run.seed}; --new begins again with ${seed}.\n`,
    )
  }
  if (before && isStranger(before.recap, scene.speaker().id)) {
    process.stderr.write(
      `${printable(scene.speaker().name)} sits down anew, and has heard nothing of this scene yet.\n`,
    )
  }
  if (style !== 'json') for (const placed of before?.recap ?? []) view.show(placed)
  await view.follow(ctx, scene.run, before?.head ?? 0)
  for (const text of absent) view.note(text)
  return { scene, view }
}

/** Two processes may speak for one seat; who wants another takes another name. */
function besideText(scene: OpenScene, seats: readonly ParticipantId[]): string {
  const { id, name } = scene.speaker()
  const shared = seats.includes(id)
    ? ` You share the seat of ${name}; --as <name> takes one of your own.`
    : ''
  return `Another process of this home hosts the scene; you sit beside it.${shared}`
}

/** Nothing of what went before was for this seat. */
function isStranger(recap: readonly PlacedBeat[], seat: ParticipantId): boolean {
  return recap.length > 0 && recap.every(({ beat }) => !beat.heardBy.includes(seat))
}

/** The end of the newest run as it stood before it is opened: what a dead host left undone lands after it. */
async function heldBefore(ctx: Context, id: string) {
  const stored = await ctx.scenes.findRun(id)
  if (!stored) return undefined
  const { topics } = ctx.scenes.workspace
  const topicId = `run/${stored.id}`
  const head = (await topics.find(topicId))?.headSequence ?? 0
  const company = new Company(ctx.scenes.workspace, stored.id)
  await company.load()
  const seats = company.seats.filter((seat) => !isEmpty(company, seat))
  if (head === 0) return { head, recap: [], seats }
  const recap = await topics.tail(topicId, { limit: RECAP, before: head + 1 })
  return { head, recap: recap.map(placedBeat), seats }
}
