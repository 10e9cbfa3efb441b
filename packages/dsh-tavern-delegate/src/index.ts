/** A person's seat on the host: which scene its session plays, and the slash commands that never wake its model. */
import type { Context } from '@deepseek-ai/cordis'
import z from '@deepseek-ai/schemastery'
import { registerCommands } from './commands.ts'
import { keepDefaultModel } from './default-model.ts'
import { Seats } from './seats.ts'

export const name = 'tavern-delegate'
export const inject = ['commands', 'scenes', 'agentPresets', 'agentDefaultModel', 'systemPrompt']

export interface Config {
  /** The preset whose sessions are seats whatever model they have. */
  readonly preset: string
  /** The scene of a seat for which none was chosen. */
  readonly scene: string
}

export const Config: z<Config> = z.object({
  preset: z.string().default('stage').description('The preset whose sessions are seats.'),
  scene: z.string().default('ember-night').description('Played when no scene was chosen.'),
})

export function apply(ctx: Context, config: Config): void {
  const seats = new Seats(ctx, config)
  ctx.on('agent/request', async ({ agent }, next) => seats.routed(agent, await next()))
  ctx.effect(() => keepDefaultModel(ctx.agentDefaultModel), 'tavern-delegate.default-model')
  registerCommands(ctx, seats)
}
