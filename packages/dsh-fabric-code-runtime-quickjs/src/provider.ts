/** `ctx.checkedCode` on QuickJS: programs checked in one thread, run in others. */
import type { Context } from '@deepseek-ai/cordis'
import z from '@deepseek-ai/schemastery'
import { CheckedCode } from './checked-code.ts'
import { openChecker } from './check/checker.ts'
import { declare } from './check/declare.ts'
import { openWhenNeeded } from './check/when-needed.ts'
import { CodeRunner } from './code-runner.ts'
import { type CodeLimits, DEFAULT_LIMITS, HIGHEST_LIMITS } from './limits.ts'
import type { CodeDiagnostic, CodeOutcome } from './outcome.ts'
import type { CodeRequest } from './request.ts'

export interface Config extends Partial<CodeLimits> {
  /** Programs that run at a time, each in a thread of its own; the rest wait within their budget. */
  readonly maxWorkers?: number
  /** Threads kept warm between runs. */
  readonly idleWorkers?: number
  /** A thread whose program used more memory is not used again. */
  readonly workerHighWaterBytes?: number
}

export default class QuickjsCode extends CheckedCode {
  static readonly Config: z<Config, Required<Config>> = z.object({
    maxWallMs: limit('maxWallMs', 1),
    maxSourceBytes: limit('maxSourceBytes', 1),
    memoryLimitBytes: limit('memoryLimitBytes', 1_048_576),
    maxStackBytes: limit('maxStackBytes', 16_384),
    maxOutputBytes: limit('maxOutputBytes', 128),
    maxWorkers: z.number().step(1).min(1).max(256).default(16),
    idleWorkers: z.number().step(1).min(0).max(256).default(2),
    workerHighWaterBytes: z.number().step(1).min(1_048_576).default(67_108_864),
  })

  // not `#`: cordis hands the service out behind a proxy
  private readonly runner: CodeRunner

  constructor(ctx: Context, config: Required<Config>) {
    super(ctx)
    const { maxWorkers, idleWorkers, workerHighWaterBytes, ...limits } = config
    this.runner = new CodeRunner({
      limits,
      pool: { maxWorkers, idleWorkers, workerHighWaterBytes },
      checker: openWhenNeeded(openChecker),
      declare,
    })
    ctx.effect(() => () => this.runner.dispose(), 'checked code: end every run and its threads')
  }

  check(request: CodeRequest): Promise<readonly CodeDiagnostic[]> {
    return this.runner.check(request)
  }

  run(request: CodeRequest): Promise<CodeOutcome> {
    return this.runner.run(request)
  }
}

function limit(name: keyof CodeLimits, least: number): z<number> {
  return z.number().step(1).min(least).max(HIGHEST_LIMITS[name]).default(DEFAULT_LIMITS[name])
}
