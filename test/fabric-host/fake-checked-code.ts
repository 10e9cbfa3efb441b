/** A stand-in for the engine: it runs JavaScript in this process, and keeps each request for a test to look at. */
import {
  CheckedCode,
  type CodeDiagnostic,
  type CodeFailure,
  type CodeNamespace,
  type CodeOutcome,
  type CodeRequest,
  type JsonValue,
} from 'dsh-fabric-code-runtime-quickjs'

type Body = (...globals: readonly unknown[]) => Promise<JsonValue | undefined>

export class FakeCheckedCode extends CheckedCode {
  readonly requests: CodeRequest[] = []
  /** Every run ends so, when there is one. */
  failure: CodeFailure | undefined
  /** Itself: a service as a context gives it stands behind a proxy. */
  readonly engine: FakeCheckedCode = this

  async check(): Promise<readonly CodeDiagnostic[]> {
    return []
  }

  async run(request: CodeRequest): Promise<CodeOutcome> {
    this.requests.push(request)
    if (this.failure) return { status: 'failed', failure: this.failure, logs: ['so far'] }
    const names = request.namespaces.map(({ global }) => global)
    const body = bodyOf(names, request.program)
    try {
      const value = await body(...request.namespaces.map(globalOf))
      return { status: 'completed', logs: [], ...(value === undefined ? {} : { value }) }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { status: 'failed', failure: { kind: 'exception', message }, logs: [] }
    }
  }
}

function globalOf({ members }: CodeNamespace): object {
  const signal = new AbortController().signal
  return Object.fromEntries(
    [...members].map(([name, { call }]) => [name, (argument: JsonValue) => call(argument, signal)]),
  )
}

function bodyOf(names: readonly string[], program: string): Body {
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- the test's own program
  return new Function(...names, `return (async () => {${program}\n})()`) as Body
}
