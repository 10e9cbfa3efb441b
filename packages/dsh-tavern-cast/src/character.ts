/** The one row of a character's preset: its persona as the complete system prompt. */
import { fileURLToPath } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import z from '@deepseek-ai/schemastery'
import type {} from '@deepseek-ai/dsh-system-prompt'
import type {} from './cast.ts'

export const name = 'tavern-character'
export const inject = ['systemPrompt', 'cast']

export interface Config {
  /** Path of the card, relative to the preset's folder. */
  readonly card: string
}

export const Config: z<Config> = z.object({ card: z.string().default('./card.json') })

/** The card reaches the prompt as a variable's value, so nothing in it can be a host template. */
export async function apply(ctx: Context, config: Config): Promise<void> {
  const path = fileURLToPath(new URL(config.card, ctx.baseUrl))
  const card = await ctx.cast.cards.read(path)
  ctx.effect(
    () =>
      ctx.systemPrompt.section({
        name: 'tavern:persona',
        order: 0,
        complete: true,
        text: () => '{{tavern_persona}}',
      }),
    'tavern-character.section',
  )
  ctx.effect(
    () =>
      ctx.systemPrompt.variable('tavern_persona', ({ agent }) =>
        ctx.cast.personaFor(agent?.session.id, card),
      ),
    'tavern-character.variable',
  )
  ctx.systemPrompt.suppressRuntimeContext()
}
