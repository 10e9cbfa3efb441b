/** A runner over a checker that only takes the types away: for what is not about the check. */
import tsBlankSpace from 'ts-blank-space'
import { CodeRunner } from '../../packages/dsh-fabric-code-runtime-quickjs/src/code-runner.ts'
import { DEFAULT_LIMITS } from '../../packages/dsh-fabric-code-runtime-quickjs/src/limits.ts'
import type { CodeLimits, CodeMember, CodeNamespace, JsonValue } from 'dsh-fabric-code-runtime-quickjs'

export function openRunner(limits: Partial<CodeLimits> = {}): CodeRunner {
  return new CodeRunner({
    limits: { ...DEFAULT_LIMITS, maxWallMs: 30_000, ...limits },
    pool: { maxWorkers: 16, idleWorkers: 2, workerHighWaterBytes: 64 * 1024 * 1024 },
    declare: () => '',
    checker: {
      check: async ({ program }) => ({ status: 'clean', javascript: tsBlankSpace(program) }),
      dispose: async () => undefined,
    },
  })
}

type Host = (argument: JsonValue | undefined, signal: AbortSignal) => unknown

/** Members answer with what the functions give. */
export function namespaceOf(global: string, members: Readonly<Record<string, Host>>): CodeNamespace {
  return {
    global,
    members: new Map(
      Object.entries(members).map(([name, host]): [string, CodeMember] => [
        name,
        { call: async (argument, signal) => (await host(argument, signal)) as JsonValue },
      ]),
    ),
  }
}
