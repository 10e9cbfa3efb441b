/** Check, then run: one program after another or many at once, each within its own budget. */
import { describeDiagnostics } from './check/describe-diagnostics.ts'
import { type Checked, type Checker, CheckerError } from './checking.ts'
import { createEncoder } from './crossing/encoder.ts'
import { CodeError } from './error.ts'
import { runGuest } from './guest/guest-run.ts'
import { hostRealm } from './guest/host-realm.ts'
import type { RunMessage } from './guest/messages.ts'
import { GuestPool, type PoolOptions } from './guest/pool.ts'
import type { CodeLimits } from './limits.ts'
import type { CodeDiagnostic, CodeFailure, CodeOutcome } from './outcome.ts'
import type { CodeRequest } from './request.ts'
import { StopError, Stopping } from './stopping.ts'
import { validate } from './validation.ts'

export interface CodeRunnerOptions {
  readonly limits: CodeLimits
  readonly pool: PoolOptions
  readonly checker: Checker
  /** What the program may name beyond the language. */
  readonly declare: (request: CodeRequest) => string
}

const encode = createEncoder(hostRealm)

export class CodeRunner {
  readonly #options: CodeRunnerOptions
  readonly #pool: GuestPool
  readonly #open = new Map<Promise<unknown>, Stopping>()
  #runs = 0
  #disposed: Promise<void> | undefined

  constructor(options: CodeRunnerOptions) {
    this.#options = options
    this.#pool = new GuestPool(options.pool)
  }

  check(request: CodeRequest): Promise<readonly CodeDiagnostic[]> {
    return this.#within(request, async (limits, stopping) => {
      const checked = await this.#checked(request, limits, stopping)
      return checked.status === 'refused' ? checked.diagnostics : []
    }).catch((error: unknown) => {
      if (error instanceof StopError || error instanceof CheckerError) {
        throw new CodeError('check-stopped', error.message, { cause: error })
      }
      throw error
    })
  }

  run(request: CodeRequest): Promise<CodeOutcome> {
    return this.#within(request, async (limits, stopping) => {
      try {
        return await this.#run(request, limits, stopping)
      } catch (error) {
        if (error instanceof StopError) return failed({ ...error.stop })
        if (error instanceof CheckerError)
          return failed({ kind: 'worker-exit', message: error.message })
        throw error
      }
    })
  }

  /** Ends every run as aborted; when it resolves no thread is left. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#dispose()
    return this.#disposed
  }

  async #dispose(): Promise<void> {
    for (const stopping of this.#open.values()) {
      stopping.stop({ kind: 'abort', message: 'runtime disposed' })
    }
    await Promise.allSettled(this.#open.keys())
    await Promise.all([this.#pool.dispose(), this.#options.checker.dispose()])
  }

  async #within<Result>(
    request: CodeRequest,
    work: (limits: CodeLimits, stopping: Stopping) => Promise<Result>,
  ): Promise<Result> {
    if (this.#disposed !== undefined) throw new CodeError('disposed', 'the runtime is disposed')
    const limits = validate(request, this.#options.limits)
    const stopping = new Stopping(limits.maxWallMs, request.signal)
    const working = work(limits, stopping)
    this.#open.set(working, stopping)
    try {
      return await working
    } finally {
      this.#open.delete(working)
      stopping.release()
    }
  }

  async #run(request: CodeRequest, limits: CodeLimits, stopping: Stopping): Promise<CodeOutcome> {
    const constants = encodedConstants(request)
    this.#pool.warm()
    const checked = await this.#checked(request, limits, stopping)
    if (checked.status === 'refused') return failed(checkFailure(request, checked.diagnostics))
    stopping.phase = 'starting'
    const thread = await this.#pool.claim(stopping.signal)
    void thread.ready.then(
      () => (stopping.phase = 'running'),
      () => undefined,
    )
    this.#runs += 1
    const { outcome, machineBytes } = await runGuest({
      thread,
      namespaces: request.namespaces,
      signal: stopping.signal,
      message: {
        run: this.#runs,
        program: checked.javascript,
        file: request.file ?? 'program',
        ...(request.prelude ? { prelude: request.prelude.source } : {}),
        namespaces: request.namespaces.map(({ global, members, errorClass }) => ({
          global,
          members: [...members.keys()],
          ...(errorClass ? { errorClass } : {}),
        })),
        constants,
        limits,
      },
    })
    if (machineBytes === undefined) this.#pool.discard(thread)
    else this.#pool.release(thread, machineBytes)
    if (outcome.status !== 'prelude-failed') return outcome
    throw new CodeError('invalid-request', `the prelude failed: ${outcome.message}`)
  }

  async #checked(request: CodeRequest, limits: CodeLimits, stopping: Stopping): Promise<Checked> {
    stopping.signal.throwIfAborted()
    const { program } = request
    const declarations = this.#options.declare(request)
    const bytes = Buffer.byteLength(program) + Buffer.byteLength(declarations)
    if (bytes > limits.maxSourceBytes)
      return { status: 'refused', diagnostics: [tooLarge(bytes, limits)] }
    return this.#options.checker.check({ program, declarations }, stopping.signal)
  }
}

function tooLarge(bytes: number, { maxSourceBytes }: CodeLimits): CodeDiagnostic {
  const message = `The program and what is declared to it are ${bytes} bytes; the limit is ${maxSourceBytes}.`
  return { code: 0, line: 1, column: 1, message, source: '' }
}

function checkFailure(
  { program, file }: CodeRequest,
  diagnostics: readonly CodeDiagnostic[],
): CodeFailure {
  const told = describeDiagnostics({
    program,
    diagnostics,
    ...(file === undefined ? {} : { file }),
  })
  return { kind: 'check', message: `Type checking failed; nothing has run.\n${told}`, diagnostics }
}

function encodedConstants({ constants = {} }: CodeRequest): RunMessage['constants'] {
  return Object.entries(constants).map(([name, { value }]) => {
    const encoded = encode(value, name, Number.MAX_SAFE_INTEGER)
    if (encoded.status === 'encoded') return { name, text: encoded.text, depth: encoded.depth }
    const why = encoded.status === 'refused' ? encoded.message : `${name}: ${encoded.status}`
    throw new CodeError('invalid-request', `a constant cannot cross: ${why}`)
  })
}

function failed(failure: CodeFailure): CodeOutcome {
  return { status: 'failed', failure, logs: [] }
}
