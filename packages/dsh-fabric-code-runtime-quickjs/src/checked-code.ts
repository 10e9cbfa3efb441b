/** Programs checked against what is bound to them, then run apart from the host: `ctx.checkedCode`. */
import { type Context, Service } from '@deepseek-ai/cordis'
import type { CodeDiagnostic, CodeOutcome } from './outcome.ts'
import type { CodeRequest } from './request.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    checkedCode: CheckedCode
  }
}

export abstract class CheckedCode extends Service {
  constructor(ctx: Context) {
    super(ctx, 'checkedCode')
  }

  /** What is wrong with the program; nothing of it runs. Rejects with `CodeError`: also when it took too long or was aborted. */
  abstract check(request: CodeRequest): Promise<readonly CodeDiagnostic[]>

  /** Checks, then runs. Rejects with `CodeError` for a request that cannot be taken, and after disposal. */
  abstract run(request: CodeRequest): Promise<CodeOutcome>
}
