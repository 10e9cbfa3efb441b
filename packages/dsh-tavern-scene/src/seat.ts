/** The one row of preset `stage`: a seat's session sends its scene nothing but the person's lines. */
import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-system-prompt'

export const name = 'tavern-seat'
export const inject = ['systemPrompt']

export function apply(ctx: Context): void {
  ctx.effect(
    () =>
      ctx.systemPrompt.section({
        name: 'tavern:seat',
        order: 0,
        complete: true,
        text: 'A seat in a scene.',
      }),
    'tavern-seat.section',
  )
  ctx.systemPrompt.suppressRuntimeContext()
}
