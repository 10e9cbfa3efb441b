/** One program in one thread, from the host's side: its calls, its logs, its end. */
import type { JsonValue } from '../json.ts'
import type { CodeFailure, CodeOutcome } from '../outcome.ts'
import type { CodeNamespace } from '../request.ts'
import { StopError } from '../stopping.ts'
import type { GuestThread } from './guest-thread.ts'
import { HostCalls } from './host-calls.ts'
import type { DoneMessage, FromThread, GuestEnding, RunMessage } from './messages.ts'

/** A thread that does not end its run at once when told is thrown away. */
const ANSWER_MS = 40

export interface GuestRunResult {
  readonly outcome: CodeOutcome | { readonly status: 'prelude-failed'; readonly message: string }
  /** Absent when the thread is lost. */
  readonly machineBytes?: number
}

export interface GuestRunRequest {
  readonly thread: GuestThread
  readonly message: Omit<RunMessage, 'halt' | 'kind'>
  readonly namespaces: readonly CodeNamespace[]
  /** Its reason is a `StopError`. */
  readonly signal: AbortSignal
}

type End =
  | { readonly by: 'program'; readonly done: DoneMessage }
  | { readonly by: 'exit'; readonly reason: string }
  | { readonly by: 'silence' }

export async function runGuest(request: GuestRunRequest): Promise<GuestRunResult> {
  const { thread, message, signal } = request
  const halt = new SharedArrayBuffer(4)
  const logs: string[] = []
  const ended = Promise.withResolvers<End>()
  const calls = new HostCalls(request.namespaces, (results) => {
    if (!thread.isGone) thread.post({ kind: 'results', run: message.run, results })
  })
  thread.listener = {
    message: (news) => receive(news),
    exit: (reason) => ended.resolve({ by: 'exit', reason }),
  }
  let patience: NodeJS.Timeout | undefined
  const stop = () => {
    Atomics.store(new Int32Array(halt), 0, 1)
    thread.post({ kind: 'stop', run: message.run })
    patience = setTimeout(() => ended.resolve({ by: 'silence' }), ANSWER_MS)
  }
  signal.addEventListener('abort', stop)
  thread.post({ kind: 'run', halt, ...message })
  if (signal.aborted) stop()
  if (thread.isGone) ended.resolve({ by: 'exit', reason: 'the guest thread is gone' })
  const end = await ended.promise
  signal.removeEventListener('abort', stop)
  clearTimeout(patience)
  await calls.close()
  return resultOf(end, logs, signal)

  function receive(news: FromThread): void {
    if (news.kind === 'ready' || news.run !== message.run) return
    for (const line of news.logs) logs.push(line)
    for (const call of news.calls) calls.open(call)
    if (news.kind === 'done') ended.resolve({ by: 'program', done: news })
  }
}

function resultOf(end: End, logs: readonly string[], signal: AbortSignal): GuestRunResult {
  const stopped: unknown = signal.reason
  if (end.by === 'program') {
    const { ending, machineBytes } = end.done
    if (ending.status === 'prelude-failed') return { outcome: ending, machineBytes }
    return { outcome: outcomeOf(ending, logs, stopped), machineBytes }
  }
  if (stopped instanceof StopError) {
    return { outcome: { status: 'failed', failure: { ...stopped.stop }, logs } }
  }
  const message = end.by === 'exit' ? end.reason : 'the guest thread does not answer'
  return { outcome: { status: 'failed', failure: { kind: 'worker-exit', message }, logs } }
}

function outcomeOf(
  ending: Exclude<GuestEnding, { status: 'prelude-failed' }>,
  logs: readonly string[],
  stopped: unknown,
): CodeOutcome {
  if (ending.status === 'completed') {
    if (ending.text === undefined) return { status: 'completed', logs }
    const value: JsonValue = JSON.parse(ending.text)
    return { status: 'completed', value, logs }
  }
  if (ending.status === 'failed') {
    const { kind, message, at } = ending
    return { status: 'failed', failure: { kind, message, ...(at ? { at } : {}) }, logs }
  }
  const failure: CodeFailure =
    stopped instanceof StopError
      ? { ...stopped.stop }
      : { kind: 'worker-exit', message: 'the guest thread stopped by itself' }
  return { status: 'failed', failure, logs }
}
