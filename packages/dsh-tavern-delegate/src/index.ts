/** A seat's slash commands on the host: each acts on the seat's scene, and none wakes the seat's model. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-commands'
import {
  type CommandResult,
  type SceneCommand,
  sceneCommands,
  SceneError,
  stageProvider,
} from 'dsh-tavern-scene'

export const name = 'tavern-delegate'
export const inject = ['commands', 'scenes']

export function apply(ctx: Context): void {
  for (const command of sceneCommands) {
    ctx.effect(
      () =>
        ctx.commands.register({
          name: command.name,
          description: command.description,
          ...(command.hint === '' ? {} : { input: { hint: command.hint } }),
          handler: async ({ agent, rawInput, signal }) =>
            await run(ctx, command, { agent, rest: rawInput.trim(), signal }),
        }),
      `tavern-delegate.${command.name}`,
    )
  }
}

async function run(
  ctx: Context,
  command: SceneCommand,
  call: { readonly agent: Agent; readonly rest: string; readonly signal: AbortSignal },
): Promise<Pick<CommandResult, 'kind' | 'text'>> {
  const seat = seatScene(call.agent)
  if (seat === undefined) {
    return {
      kind: 'error',
      text: `/${command.name} works in a seat: choose a scene as this session's model.`,
    }
  }
  try {
    const scene = await ctx.scenes.open(seat)
    const { kind, text } = await command.run({
      scene,
      speaker: scene.speaker(),
      rest: call.rest,
      signal: call.signal,
    })
    return { kind, text }
  } catch (error) {
    if (error instanceof SceneError) return { kind: 'error', text: error.message }
    throw error
  }
}

/** The scene of a seat: the model its last request used, or the one it was made with. */
function seatScene({ session, options }: Agent): string | undefined {
  const config = session.requestHeader()?.config ?? options
  return config.provider === stageProvider ? config.model : undefined
}
