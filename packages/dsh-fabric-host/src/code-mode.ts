/** The row of a preset whose agents write checked programs. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { isAgentLoopRequest } from '@deepseek-ai/dsh-llm'
import { scopeChainOf, scopeOf } from '@deepseek-ai/dsh-scope'
import { SessionId } from '@deepseek-ai/dsh-session'
import type {} from '@deepseek-ai/dsh-system-prompt'
import { RUN_CODE_NAME } from '@deepseek-ai/dsh-tools'
import type {} from 'dsh-fabric-code-runtime-quickjs'
import type {} from './code-runs.ts'
import { withOneArgument } from './one-argument.ts'
import { titledCalls } from './titled-calls.ts'
import { toolContracts } from './tool-contracts.ts'

export const name = 'fabric-code-mode'
export const inject = ['tools', 'codeRuns', 'checkedCode', 'llm', 'agents', 'systemPrompt']

export function apply(ctx: Context): void {
  ctx.on('tools/execute', async (exec, next) => {
    const { agent } = exec
    if (exec.name !== RUN_CODE_NAME || exec.parent !== undefined || !agent) return await next()
    return await ctx.codeRuns.within({ contracts: toolContracts(ctx.tools, agent) }, next)
  })
  ctx.on('system-prompt/assemble', async (_assembly, _context, next) => {
    const assembly = await next()
    return { ...assembly, tools: assembly.tools.map(withOneArgument) }
  })
  // the host tells these listeners of every agent's requests, whatever their scope
  ctx.on('llm/stream', (options, next) => {
    const agent = options.sessionId && ctx.agents.get(SessionId(options.sessionId))
    const isOurs = isAgentLoopRequest(options) && agent && isWithin(ctx, agent)
    return isOurs ? titledCalls(next()) : next()
  })
}

function isWithin(ctx: Context, agent: Agent): boolean {
  const scope = scopeOf(ctx)
  return scope === undefined || scopeChainOf(agent).includes(scope)
}
