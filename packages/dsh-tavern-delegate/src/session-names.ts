/** The characters' own sessions carry their names, so that a person finds them among the host's sessions. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-session-title'
import { displayName, runOfSession } from 'dsh-tavern-cast'

export const name = 'tavern-session-names'
export const inject = ['cast', 'sessions', 'sessionTitle']

export function apply(ctx: Context): void {
  ctx.on('agent/created', ({ agent }) => {
    nameSession(ctx, agent).catch((error: unknown) => {
      ctx.logger.warn(`session '${agent.session.id}' could not be named: ${String(error)}`)
    })
  })
}

/** A title that is there already, the person's own perhaps, stays. */
async function nameSession(ctx: Context, { session }: Agent): Promise<void> {
  const runId = runOfSession(session.id)
  if (runId === undefined) return
  const actor = session.id.slice(session.id.lastIndexOf('.') + 1)
  const card = await ctx.cast.cards.get(actor).catch(() => undefined) // the narrator has none
  const isLive = ctx.sessions.get(session.id) === session
  if (!isLive || ctx.sessionTitle.get(session) !== undefined) return
  ctx.sessionTitle.rename(session, `${card ? displayName(card) : actor}, ${runId}`)
}
