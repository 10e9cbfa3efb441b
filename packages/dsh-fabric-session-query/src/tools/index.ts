/** The row of a preset whose agents may look into past sessions: five tools and a section of guidance. */
import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-session-query'
import type {} from '@deepseek-ai/dsh-system-prompt'
import z from '@deepseek-ai/schemastery'
import { guidance } from './guidance.ts'
import { recallTools } from './tools.ts'

export { RecallError, type RecallErrorCode } from './error.ts'

export const name = 'fabric-session-query-tools'
export const inject = ['tools', 'systemPrompt', 'sessionQuery']

export interface Config {
  /** Hits of one search. */
  readonly maxSearchResults?: number
  readonly searchTimeoutMs?: number
}

export const Config: z<Config> = z.object({
  maxSearchResults: z.number().step(1).min(1).max(100).default(100),
  searchTimeoutMs: z.number().step(1).min(1).max(600_000).default(30_000),
})

export function apply(ctx: Context, config: Config): void {
  const { maxSearchResults = 100, searchTimeoutMs = 30_000 } = config
  const tools = recallTools({
    query: () => ctx.sessionQuery,
    bounds: { maxSearchResults, searchTimeoutMs },
    report: (text) => ctx.logger('fabric-session-query').warn(text),
  })
  for (const tool of tools) {
    ctx.effect(() => ctx.tools.register(tool), `fabric-session-query.${tool.name}`)
  }
  ctx.effect(
    () =>
      ctx.systemPrompt.section({
        name: 'fabric:session-query',
        order: 121,
        text: ({ agent, scope }) =>
          agent !== undefined && ctx.tools.get('session_search', scope) !== undefined
            ? guidance
            : '',
      }),
    'fabric-session-query.guidance',
  )
}
