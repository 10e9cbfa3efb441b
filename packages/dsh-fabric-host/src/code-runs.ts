/** Whose program runs now: `ctx.codeRuns`, because the host hands its code runtime neither the agent nor its tools' schemas. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ToolContracts } from './tool-contracts.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    codeRuns: CodeRuns
  }
}

/** One `run_code` call of an agent whose preset has checked programs. */
export interface CodeRun {
  readonly contracts: ToolContracts
}

/** A service and not module state: the host and a bundler may each load this module. */
export class CodeRuns {
  private readonly storage = new AsyncLocalStorage<CodeRun | undefined>()

  within<T>(run: CodeRun, operation: () => T): T {
    return this.storage.run(run, operation)
  }

  /** For a call of another preset's agent, also when a program of ours waits for that agent. */
  without<T>(operation: () => T): T {
    return this.storage.run(undefined, operation)
  }

  current(): CodeRun | undefined {
    return this.storage.getStore()
  }
}
