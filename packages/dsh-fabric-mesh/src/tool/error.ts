/** How the tool refuses: an error whose text is JSON with a closed code, for models and programs alike. */
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import { HarnessError } from '@deepseek-ai/dsh-llm'
import type { JsonValue } from 'dsh-fabric-protocol'
import { isMeshError, type MeshError, type MeshErrorCode } from '../error.ts'
import { type Parameter, parameters } from './parameters.ts'

export type MeshToolErrorCode =
  | MeshErrorCode
  /** The state is not at the version that was expected. */
  | 'version-conflict'
  /** The call comes from no agent. */
  | 'no-agent'
  /** A fault that is not the caller's; the host's log has it. */
  | 'internal'

export interface Refusal {
  readonly code: MeshToolErrorCode
  readonly message: string
  readonly argument?: Parameter
  readonly detail?: Readonly<Record<string, JsonValue>>
}

export class MeshToolError extends HarnessError {
  constructor({ code, message, argument, detail = {} }: Refusal) {
    const named = argument === undefined ? {} : { argument }
    super(JSON.stringify({ error: { code, message, ...named, ...detail } }, null, 2), code)
    this.name = 'MeshToolError'
  }
}

export function invalid(argument: Parameter, message: string): MeshToolError {
  return new MeshToolError({ code: 'invalid-argument', message, argument })
}

/** `argument` is the one that carries what the engine found too large. */
export function refusalOf(error: MeshError, argument: Parameter | undefined): MeshToolError {
  const { code, message, detail } = error
  const named =
    parameterNamed(detail['thing']) ?? (code === 'payload-too-large' ? argument : undefined)
  const since = detail['since']
  return new MeshToolError({
    code,
    message,
    ...(named === undefined ? {} : { argument: named }),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the port says what it holds
    ...(since === undefined ? {} : { detail: { since: since as JsonValue } }),
  })
}

/** Refusals pass; what is left is a fault, told to the host's log and never to the agent. */
export function told(
  error: unknown,
  options: { readonly argument: Parameter | undefined; readonly report: (text: string) => void },
): MeshToolError {
  if (error instanceof MeshToolError) return error
  if (isMeshError(error)) return refusalOf(error, options.argument)
  options.report(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return new MeshToolError({ code: 'internal', message: 'the mesh failed unexpectedly' })
}

/** The refusal as the agent reads it: JSON without the host's word in front, also for the host's own refusals. */
export function refusalContent(error: {
  readonly message: string
  readonly info?: { readonly name: string; readonly code: string }
}): ContentBlock[] {
  const { message, info } = error
  if (info?.name === 'MeshToolError') return [{ type: 'text', text: message }]
  const code = info?.code === 'INVALID_ARGS' ? 'invalid-argument' : (info?.code ?? 'refused')
  return [{ type: 'text', text: JSON.stringify({ error: { code, message } }, null, 2) }]
}

function parameterNamed(thing: unknown): Parameter | undefined {
  return Object.keys(parameters).find((name): name is Parameter => name === thing)
}
