/** The five tools. All only read, so all may run beside others. */
import { type JsonValue, SessionId } from '@deepseek-ai/dsh-session'
import type { SessionQueryEngine } from '@deepseek-ai/dsh-session-query'
import { defineTool, type ToolDefinition, type ToolRunContext } from '@deepseek-ai/dsh-tools'
import { assertMayRead, callerOf } from './caller.ts'
import { told } from './error.ts'
import {
  descriptions,
  searchParameters,
  seqParameter,
  sessionParameter,
  windowParameters,
} from './guidance.ts'
import { readEvents, traceEvent, traceSession } from './reads.ts'
import { type Bounds, searchEvents, searchSessions } from './search.ts'

export interface ToolParts {
  readonly query: () => SessionQueryEngine
  readonly bounds: Bounds
  readonly report: (text: string) => void
}

export function recallTools(parts: ToolParts): readonly ToolDefinition[] {
  const { bounds } = parts
  const asking = (exec: ToolRunContext) => ({
    query: parts.query(),
    caller: callerOf(exec),
    bounds,
  })
  /** Its own session, or one that is named and within its reach. */
  const target = async (
    { query, caller }: ReturnType<typeof asking>,
    given: { readonly session_id?: string },
  ): Promise<SessionId> => {
    const id = given.session_id === undefined ? caller.id : SessionId(given.session_id)
    await assertMayRead(query, caller, id)
    return id
  }
  return [
    defineTool({
      ...common('session_search'),
      parameters: searchParameters,
      output: foundOutput,
      execute: (given, exec) => answered(parts, exec, () => searchSessions(asking(exec), given)),
    }),
    defineTool({
      ...common('session_event_search'),
      parameters: { ...searchParameters, ...sessionParameter },
      output: foundOutput,
      execute: (given, exec) =>
        answered(parts, exec, async () => {
          const asked = asking(exec)
          return await searchEvents(asked, given, await target(asked, given))
        }),
    }),
    defineTool({
      ...common('session_trace'),
      parameters: sessionParameter,
      output: jsonOutput,
      execute: (given, exec) =>
        answered(parts, exec, async () => {
          const asked = asking(exec)
          return json(await traceSession(asked, await target(asked, given)))
        }),
    }),
    defineTool({
      ...common('session_event_trace'),
      parameters: { ...seqParameter, ...sessionParameter },
      output: jsonOutput,
      execute: (given, exec) =>
        answered(parts, exec, async () => {
          const asked = asking(exec)
          const sessionId = await target(asked, given)
          return json(await traceEvent(asked, { sessionId, seq: given.seq }))
        }),
    }),
    defineTool({
      ...common('session_event_read'),
      parameters: { ...seqParameter, ...windowParameters, ...sessionParameter },
      output: jsonOutput,
      execute: (given, exec) =>
        answered(parts, exec, async () => {
          const asked = asking(exec)
          const { seq, before = 0, after = 0 } = given
          const sessionId = await target(asked, given)
          return json(await readEvents(asked, { sessionId, seq, before, after }))
        }),
    }),
  ]
}

const text = { type: 'string' } as const

const foundOutput = {
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      matches: {
        type: 'array',
        required: true,
        items: {
          type: 'object',
          additionalProperties: false,
          properties: {
            session_id: { ...text, required: true },
            seq: { type: 'integer', required: true },
            type: { ...text, required: true },
            time: { ...text, required: true },
            surface: { ...text, required: true },
            excerpt: { ...text, required: true },
          },
        },
      },
      more: { type: 'boolean', required: true },
    },
  },
  render: (_given: unknown, value: unknown) => shown(value),
} as const

const jsonOutput = {
  schema: { type: 'json' },
  render: (_given: unknown, value: unknown) => shown(value),
} as const

function common<Name extends keyof typeof descriptions>(name: Name) {
  return {
    name,
    description: descriptions[name],
    isConcurrencySafe: () => true,
    presentCall: (given: Readonly<Record<string, unknown>>) => ({
      card: 'generic' as const,
      title: [name, given['query'], given['session_id'], given['seq']]
        .join(' ')
        .trim()
        .slice(0, 120),
      kind: 'search' as const,
    }),
  }
}

/** The agent's own cancel passes with its reason; everything else becomes ours. */
async function answered<Value>(
  { report }: ToolParts,
  { signal }: ToolRunContext,
  ask: () => Promise<Value>,
): Promise<Value> {
  try {
    return await ask()
  } catch (error) {
    signal.throwIfAborted()
    throw told(error, report)
  }
}

function shown(value: unknown) {
  return [{ type: 'text' as const, text: JSON.stringify(value, null, 2) }]
}

/** Out of the host's own records, which are JSON already. */
function json(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value))
}
