/** Plugin: registers the offline, seeded stand-in for a language model as provider `improv`. */
import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-llm'
import z from '@deepseek-ai/schemastery'
import { ImprovAdapter, type ImprovConfig, improvProvider } from './adapter.ts'

export { ImprovAdapter, type ImprovConfig, improvModel, improvProvider } from './adapter.ts'

export const name = 'tavern-improv'
export const inject = ['llm']

export const Config = z.object({
  contextWindow: z.number().step(1).min(256).default(32_768).description('Tokens in one request.'),
  chunkDelayMs: z
    .number()
    .min(0)
    .max(10_000)
    .default(0)
    .description('Pause between pieces of text.'),
  toolUse: z.number().min(0).max(1).default(0.35).description('How readily it uses its tools.'),
})

export function apply(ctx: Context, config: ImprovConfig): void {
  ctx.effect(
    () => ctx.llm.registerAdapter([improvProvider], new ImprovAdapter(config)),
    'tavern-improv.adapter',
  )
}
