/** A scene's slash commands on the host: each acts on the scene of the seat that typed it. */
import type { Context } from '@deepseek-ai/cordis'
import type { CommandInvocation, CommandResult } from '@deepseek-ai/dsh-commands'
import { CastError } from 'dsh-tavern-cast'
import { isSeat, type PlacedBeat } from 'dsh-tavern-protocol'
import { type SceneCommand, sceneCommands, SceneError } from 'dsh-tavern-scene'
import type { Seats } from './seats.ts'

export function registerCommands(ctx: Context, seats: Seats): void {
  for (const command of sceneCommands) {
    ctx.effect(
      () =>
        ctx.commands.register({
          name: command.name,
          description: command.description,
          ...(command.hint === '' ? {} : { input: { hint: command.hint } }),
          handler: async (invocation) => await handle(ctx, command, { seats, invocation }),
        }),
      `tavern-delegate.${command.name}`,
    )
  }
}

interface Handling {
  readonly seats: Seats
  readonly invocation: CommandInvocation
}

async function handle(
  ctx: Context,
  command: SceneCommand,
  { seats, invocation }: Handling,
): Promise<CommandResult> {
  const sceneId = await seats.sceneOf(invocation.agent)
  if (sceneId === undefined) {
    return {
      kind: 'error',
      text: `/${command.name} works in a seat: begin a session with the preset Stage, or choose a scene as this session's model.`,
    }
  }
  try {
    return await run(ctx, command, { sceneId, invocation })
  } catch (error) {
    if (error instanceof SceneError || error instanceof CastError) {
      return { kind: 'error', text: error.message }
    }
    throw error
  }
}

/** The seat's model is not asked, so what the seat hears meanwhile is the command's own result. */
async function run(
  ctx: Context,
  command: SceneCommand,
  {
    sceneId,
    invocation,
  }: { readonly sceneId: string; readonly invocation: Handling['invocation'] },
): Promise<CommandResult> {
  const scene = await ctx.scenes.open(sceneId, { attach: true })
  const speaker = scene.speaker()
  const before = scene.run.stage.sequence
  const { kind, text } = await command.run({
    scene,
    speaker,
    rest: invocation.rawInput.trim(),
    signal: invocation.signal,
    watching: true,
  })
  if (kind === 'error') return { kind, text }
  const placed = await scene.run.read(before, 500)
  const heard = placed.filter(({ beat }) => beat.heardBy.includes(speaker.id)).flatMap(shown)
  return { kind, text: [...heard, ...(heard.includes(text) ? [] : [text])].join('\n\n').trim() }
}

function shown({ beat }: PlacedBeat): readonly string[] {
  if (isSeat(beat.author.id) || beat.text === '') return []
  if (beat.kind === 'line') return [`${beat.author.name}: ${beat.text}`]
  if (beat.kind === 'whisper') return [`${beat.author.name} (whispers): ${beat.text}`]
  return [beat.text]
}
