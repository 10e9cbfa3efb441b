/** Between the host's code runtime and checked programs: a request one way, an outcome the other. */
import type {
  CodeJsonValue,
  CodeRunFailure,
  CodeRunRequest,
  CodeRunResult,
} from '@deepseek-ai/dsh-code-runtime'
import type {
  CodeFailure,
  CodeMember,
  CodeNamespace,
  CodeOutcome,
  CodeRequest,
  JsonValue,
} from 'dsh-fabric-code-runtime-quickjs'
import { contractTools } from './contract-tools.ts'
import type { ToolContracts } from './tool-contracts.ts'

/** The one namespace whose members are the agent's tools. */
const TOOLS = 'tools'

/** Without contracts, any JSON goes in and anything comes out. */
export function checkedRequest(
  { program, bindings, signal }: CodeRunRequest,
  contracts: ToolContracts = new Map(),
): CodeRequest {
  const namespaces = bindings.map(({ global, functions, errorClass }): CodeNamespace => {
    const known = global === TOOLS ? contracts : new Map()
    const bound = boundMembers(functions, known)
    const members = new Map([...bound, ...(known.size > 0 ? contractTools(known, bound) : [])])
    return { global, members, ...(errorClass ? { errorClass } : {}) }
  })
  return { program, namespaces, ...(signal ? { signal: withWords(signal) } : {}) }
}

export function hostResult(outcome: CodeOutcome): CodeRunResult {
  const logs = [...outcome.logs]
  if (outcome.status === 'failed') return { logs, error: hostFailure(outcome.failure) }
  return outcome.value === undefined ? { logs } : { logs, value: hostValue(outcome.value) }
}

/** The same abort, whose reason can be read: the host's own are objects such as `{ kind: 'user' }`. */
function withWords(signal: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(words(signal.reason))
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return controller.signal
}

function words(reason: unknown): unknown {
  if (typeof reason !== 'object' || reason === null || !('kind' in reason)) return reason
  const detail = 'reason' in reason && typeof reason.reason === 'string' ? `: ${reason.reason}` : ''
  return `cancelled by ${String(reason.kind)}${detail}`
}

function boundMembers(
  functions: CodeRunRequest['bindings'][number]['functions'],
  contracts: ToolContracts,
): ReadonlyMap<string, CodeMember> {
  return new Map(
    Object.entries(functions).map(([name, call]): [string, CodeMember] => {
      const contract = contracts.get(name)
      return [name, { call: (argument) => call(argument), ...(contract ? { contract } : {}) }]
    }),
  )
}

function hostFailure(failure: CodeFailure): CodeRunFailure {
  const { kind, message } = failure
  if (kind !== 'check') return { kind: hostKind(kind), message }
  // one beginning for the model and for those who look for it, whatever the checker's own heading
  const told = message.replace(/^type check(ing)? failed\W*/i, '')
  return { kind: 'exception', message: `type check failed: ${told}` }
}

/** Erasure point: the host has no word for `memory`, and only prints the kind. */
function hostKind(kind: Exclude<CodeFailure['kind'], 'check'>): CodeRunFailure['kind'] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- erasure point, see above
  return kind as CodeRunFailure['kind']
}

/** Erasure point: the host's JSON type is the same without `readonly`; it snapshots what it gets. */
function hostValue(value: JsonValue): CodeJsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- erasure point, see above
  return value as CodeJsonValue
}
