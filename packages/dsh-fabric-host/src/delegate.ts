/** The row of a preset that has `/delegate` for work: a session of its own for a task, without a turn of this one. */
import type { Context } from '@deepseek-ai/cordis'
import type { CommandInvocation, CommandResult } from '@deepseek-ai/dsh-commands'
import { DELEGATE_HINT, readDelegateLine } from './delegate-line.ts'
import type {} from './delegation.ts'

export const name = 'fabric-delegate'
export const inject = ['commands', 'delegations']

/** Registered in the preset's scope, it stands before a command of that name of the whole host. */
export function apply(ctx: Context): void {
  ctx.effect(
    () =>
      ctx.commands.register({
        name: 'delegate',
        description: 'Give a task to a session of its own, in the background',
        input: { hint: DELEGATE_HINT },
        handler: async (invocation) => await delegate(ctx, invocation),
      }),
    'fabric-delegate.command',
  )
}

async function delegate(ctx: Context, invocation: CommandInvocation): Promise<CommandResult> {
  const read = readDelegateLine(invocation.rawInput)
  if (read.status === 'refused') return { kind: 'error', text: read.reason }
  const delegation = await ctx.delegations.start({ parent: invocation.agent, ...read.line })
  if (delegation.status === 'refused') return { kind: 'error', text: delegation.reason }
  const { title, route } = delegation
  const text = `"${title}" is at work in the background (${route.provider}/${route.model}). Open it in the list of sessions to follow it or to go on with it.`
  return { kind: 'success', text }
}
