/** Who asks, and what that agent may read: its own past, and the sessions of its own folder. */
import type { Session, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import type { SessionQueryEngine, SessionResultFilter } from '@deepseek-ai/dsh-session-query'
import type { ToolRunContext } from '@deepseek-ai/dsh-tools'
import { notFound, RecallError } from './error.ts'

export interface Caller {
  readonly id: SessionId
  readonly cwd: string | undefined
  /** The step in which it asks begins here; that step is not its past. */
  readonly presentFrom: number
  readonly signal: AbortSignal
}

export function callerOf({ agent, signal }: ToolRunContext): Caller {
  if (agent === undefined) {
    throw new RecallError('no-agent', 'this tool works only for an agent: this call has none')
  }
  const { session } = agent
  return {
    id: session.id,
    cwd: session.header.cwd,
    presentFrom: activeStep(session) ?? session.events.length,
    signal,
  }
}

/** Sessions other than its own; none for an agent that is in no folder. */
export function othersFilter({ cwd }: Caller): SessionResultFilter | undefined {
  return cwd === undefined ? undefined : { kind: 'cwd', values: [cwd] }
}

export function mayRead(caller: Caller, header: SessionHeader): boolean {
  if (header.id === caller.id) return true
  return caller.cwd !== undefined && header.cwd === caller.cwd
}

/** Before anything else is asked of it, so that what is out of reach and what is not there look the same. */
export async function assertMayRead(
  query: SessionQueryEngine,
  caller: Caller,
  id: SessionId,
): Promise<void> {
  if (id === caller.id) return
  const others = othersFilter(caller)
  const filters = others === undefined ? [] : [others, { kind: 'id' as const, values: [id] }]
  const found = others === undefined ? [] : await query.filterSessions(filters, caller.signal)
  if (found.length === 0) throw notFound('session')
}

/** False for what the agent's own present step holds. */
export function isPast(caller: Caller, sessionId: string, seq: number): boolean {
  return sessionId !== caller.id || seq < caller.presentFrom
}

function activeStep({ events }: Session): number | undefined {
  const last = events.findLast(({ type }) => type === 'step/start' || type === 'step/end')
  return last?.type === 'step/start' ? last.seq : undefined
}
