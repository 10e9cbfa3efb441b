/** A runner over a checker that only takes the types away: for what is not about the check. */
import type {
  CodeLimits,
  CodeMember,
  CodeNamespace,
  JsonValue,
} from 'dsh-fabric-code-runtime-quickjs'
import { CodeRunner } from '../../packages/dsh-fabric-code-runtime-quickjs/src/code-runner.ts'
import { openErasingChecker } from '../../packages/dsh-fabric-code-runtime-quickjs/src/erasing-checker.ts'
import { DEFAULT_LIMITS } from '../../packages/dsh-fabric-code-runtime-quickjs/src/limits.ts'

export function openRunner(limits: Partial<CodeLimits> = {}): CodeRunner {
  return new CodeRunner({
    limits: { ...DEFAULT_LIMITS, maxWallMs: 60_000, ...limits },
    pool: { maxWorkers: 16, idleWorkers: 2, workerHighWaterBytes: 64 * 1024 * 1024 },
    declare: () => '',
    checker: openErasingChecker(),
  })
}

type Host = (
  argument: JsonValue | undefined,
  signal: AbortSignal,
) => JsonValue | undefined | Promise<JsonValue | undefined>

export function namespaceOf(
  global: string,
  members: Readonly<Record<string, Host>>,
): CodeNamespace {
  const entries = Object.entries(members).map(([name, host]): [string, CodeMember] => [
    name,
    { call: async (argument, signal) => host(argument, signal) },
  ])
  return { global, members: new Map(entries) }
}
