/** The tool: what a call shows, who may make it beside others, and what its result leaves in the log. */
import type { Context } from '@deepseek-ai/cordis'
import { defineTool, type ToolDefinition, type ToolRunContext } from '@deepseek-ai/dsh-tools'
import type { JsonValue as HostJson } from '@deepseek-ai/dsh-session'
import {
  asJson,
  fabricMeshResultMeta,
  type JsonValue,
  projectFabricMeshActivity,
} from 'dsh-fabric-protocol'
import { workerNamed } from '../worker-key.ts'
import { onlyReads } from './actions.ts'
import type { Caller } from './caller.ts'
import { MeshToolError, refusalContent, told } from './error.ts'
import type { Grants } from './grants.ts'
import { description } from './guidance.ts'
import type { UnhandedClaims } from './unhanded-claims.ts'
import { TOOL } from './name.ts'
import { type MeshArguments, parameters } from './parameters.ts'
import { perform, storedBy } from './perform.ts'
import { reachOf } from './reach.ts'

export interface MeshToolParts {
  /** The home's key, from which each agent's secret comes. */
  readonly key: string
  readonly grants: Grants
  readonly unhandedClaims: UnhandedClaims
}

export function meshTool(ctx: Context, parts: MeshToolParts): ToolDefinition {
  const report = (text: string) => ctx.logger('fabric-mesh').warn(text)
  return defineTool({
    name: TOOL,
    description,
    parameters,
    output: {
      schema: { type: 'json' },
      render: (_given, value) => [{ type: 'text', text: JSON.stringify(value, null, 2) }],
      presentationMeta: (given, value) => hostJson(metaOf(given, value)),
    },
    presentCall: (given) => ({
      card: 'generic',
      title: `Fabric mesh: ${given.action}`,
      kind: onlyReads(given) ? 'read' : 'other',
    }),
    isConcurrencySafe: onlyReads,
    async execute(given, exec) {
      try {
        return hostJson(await perform(given, callerOf(ctx, exec, parts)))
      } catch (error) {
        throw told(error, { argument: storedBy(given.action), report })
      }
    },
    finalizeContent: (_exec, result) => (result.isError ? refusalContent(result.error) : undefined),
  })
}

function callerOf(ctx: Context, exec: ToolRunContext, parts: MeshToolParts): Caller {
  const { agent, callId, signal } = exec
  if (agent === undefined) {
    throw new MeshToolError({
      code: 'no-agent',
      message: `${TOOL} works only for an agent: this call has none, so no workspace`,
    })
  }
  const { grants, key, unhandedClaims } = parts
  const { id } = agent.session
  return {
    agent,
    reach: reachOf(ctx, agent),
    author: { by: id, ...(isCause(callId) ? { cause: callId } : {}) },
    worker: workerNamed(id, key),
    grants,
    unhandedClaims,
    signal,
  }
}

/** A provider makes these ids up, at any length; one that the mesh cannot hold is left out. */
function isCause(callId: string): boolean {
  return callId.trim() !== '' && callId.isWellFormed() && Buffer.byteLength(callId) <= 256
}

/** Null for a call that changed nothing. */
function metaOf(given: MeshArguments, result: JsonValue): JsonValue {
  const { action } = given
  const seen = projectFabricMeshActivity({ action, args: given, result, fallbackTime: Date.now() })
  return seen === undefined ? null : asJson(fabricMeshResultMeta(seen))
}

/** The one place where our readonly JSON becomes the host's mutable type; the host copies it. */
function hostJson(value: JsonValue): HostJson {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the host checks and copies it
  return value as HostJson
}
