/** A runner over a checker that only takes the types away: for what is not about the check. */
import { afterAll } from 'vitest'
import type {
  CodeFailure,
  CodeLimits,
  CodeMember,
  CodeNamespace,
  CodeOutcome,
  CodeRequest,
  JsonValue,
} from 'dsh-fabric-code-runtime-quickjs'
import {
  CodeRunner,
  type CodeRunnerOptions,
} from '../../packages/dsh-fabric-code-runtime-quickjs/src/code-runner.ts'
import { openErasingChecker } from './erasing-checker.ts'
import { DEFAULT_LIMITS } from '../../packages/dsh-fabric-code-runtime-quickjs/src/limits.ts'

export interface BedOptions {
  readonly limits?: Partial<CodeLimits>
  readonly pool?: Partial<CodeRunnerOptions['pool']>
}

export interface Bed {
  readonly runner: CodeRunner
  readonly run: (program: string, request?: Partial<CodeRequest>) => Promise<CodeOutcome>
  /** Of a program that completes. */
  readonly valueOf: (
    program: string,
    request?: Partial<CodeRequest>,
  ) => Promise<JsonValue | undefined>
  /** Of a program that does not. */
  readonly failureOf: (program: string, request?: Partial<CodeRequest>) => Promise<CodeFailure>
}

/** One for a spec: gone with it. */
export function openBed({ limits = {}, pool = {} }: BedOptions = {}): Bed {
  const runner = new CodeRunner({
    limits: { ...DEFAULT_LIMITS, maxWallMs: 50_000, ...limits },
    pool: { maxWorkers: 8, idleWorkers: 2, workerHighWaterBytes: 64 * 1024 * 1024, ...pool },
    declare: () => '',
    checker: openErasingChecker(),
  })
  afterAll(() => runner.dispose())
  const run = (program: string, request: Partial<CodeRequest> = {}) =>
    runner.run({ namespaces: [], ...request, program })
  return {
    runner,
    run,
    async valueOf(program, request) {
      const outcome = await run(program, request)
      if (outcome.status === 'completed') return outcome.value
      throw new Error(`it failed: ${outcome.failure.kind}: ${outcome.failure.message}`)
    },
    async failureOf(program, request) {
      const outcome = await run(program, request)
      if (outcome.status === 'failed') return outcome.failure
      throw new Error(`it completed with ${JSON.stringify(outcome.value)}`)
    },
  }
}

type Answer = JsonValue | undefined
type Host = (argument: Answer, signal: AbortSignal) => Answer | Promise<Answer>

export function namespaceOf(
  global: string,
  members: Readonly<Record<string, Host>>,
  extra: Pick<CodeNamespace, 'errorClass'> = {},
): CodeNamespace {
  const entries = Object.entries(members).map(([name, host]): [string, CodeMember] => [
    name,
    { call: async (argument, signal) => host(argument, signal) },
  ])
  return { global, members: new Map(entries), ...extra }
}
