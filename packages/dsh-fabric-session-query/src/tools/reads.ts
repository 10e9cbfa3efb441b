/** The exact reads: lineage, what replaced and cited an event, an event with those around it; each within reach only. */
import type { SessionEvent, SessionId } from '@deepseek-ai/dsh-session'
import type {
  SessionLineageNode,
  SessionQueryEngine,
  SessionRecord,
} from '@deepseek-ai/dsh-session-query'
import { type Caller, isPast, mayRead } from './caller.ts'
import { notFound, RecallError } from './error.ts'

export const WINDOW_MAX = 50

interface Asking {
  readonly query: SessionQueryEngine
  readonly caller: Caller
}

export interface SessionView {
  session_id: string
  created_at: string
  live: boolean
  preset?: string
}

export interface LineageNode extends SessionView {
  children: LineageNode[]
}

/** Sessions out of reach are left out, with what hangs on them; `hidden` says only that there are some. */
export async function traceSession({ query, caller }: Asking, sessionId: SessionId) {
  const trace = await query.traceSession(sessionId, caller.signal)
  const reach = trace.ancestors.findIndex(({ header }) => !mayRead(caller, header))
  const ancestors = reach < 0 ? trace.ancestors : trace.ancestors.slice(0, reach)
  const children = childrenOf(caller, trace.descendants)
  return {
    session: view(trace.target),
    ancestors: ancestors.map(view),
    children: children.shown,
    hidden: reach >= 0 || !trace.complete || children.hidden,
  }
}

export async function traceEvent(
  { query, caller }: Asking,
  { sessionId, seq }: { readonly sessionId: SessionId; readonly seq: number },
) {
  assertPast(caller, sessionId, seq)
  const trace = await query.traceEvent({ sessionId, seq }, caller.signal)
  const past = (seqs: readonly number[]) => seqs.filter((other) => isPast(caller, sessionId, other))
  const { type, time, surface } = trace.target
  return {
    session_id: sessionId,
    seq,
    type,
    time: new Date(time).toISOString(),
    surface,
    replaced_by: past(trace.replacementChain),
    replaces: past(trace.replacedEventSeqs),
    cites: past(trace.sourceEventSeqs),
    cited_by: past(trace.derivedEventSeqs),
  }
}

export interface ReadRequest {
  readonly sessionId: SessionId
  readonly seq: number
  readonly before: number
  readonly after: number
}

/** Whole events, as they were logged. */
export async function readEvents({ query, caller }: Asking, request: ReadRequest) {
  const { sessionId, seq, before, after } = request
  assertWindow({ before, after })
  assertPast(caller, sessionId, seq)
  const window = await query.readEvent({ sessionId, seq, before, after }, caller.signal)
  const events: SessionEvent[] = window.events.filter((event) =>
    isPast(caller, sessionId, event.seq),
  )
  return { session_id: sessionId, seq, events }
}

function assertPast(caller: Caller, sessionId: SessionId, seq: number): void {
  if (!Number.isSafeInteger(seq) || seq < 0) {
    throw new RecallError('invalid-argument', `seq must be a whole number from 0: ${seq}`)
  }
  if (!isPast(caller, sessionId, seq)) throw notFound('event')
}

function assertWindow(window: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(window)) {
    if (Number.isSafeInteger(value) && value >= 0 && value <= WINDOW_MAX) continue
    throw new RecallError('invalid-argument', `${name} must be from 0 to ${WINDOW_MAX}: ${value}`)
  }
}

interface Children {
  readonly shown: LineageNode[]
  readonly hidden: boolean
}

function childrenOf(caller: Caller, nodes: readonly SessionLineageNode[]): Children {
  const shown: LineageNode[] = []
  let hidden = false
  for (const { session, descendants } of nodes) {
    if (!mayRead(caller, session.header)) {
      hidden = true
      continue
    }
    const below = childrenOf(caller, descendants)
    hidden ||= below.hidden
    shown.push({ ...view(session), children: below.shown })
  }
  return { shown, hidden }
}

function view({ header, live }: SessionRecord): SessionView {
  const { id, createdAt, agentPreset } = header
  return {
    session_id: id,
    created_at: new Date(createdAt).toISOString(),
    live,
    ...(agentPreset === undefined ? {} : { preset: agentPreset }),
  }
}
