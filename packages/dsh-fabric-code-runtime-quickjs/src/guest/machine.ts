/** What the engine's library knows of a machine and keeps behind its inner door. */
/* oxlint-disable no-underscore-dangle -- the library's own names for that door */
import { JSException, JSValueHandle, type QuickJS } from 'quickjs-wasi'

export type PromiseState = 'pending' | 'fulfilled' | 'rejected'

/** As the engine is built: its stack is the first of its memory, and grows down. */
const STACK_BYTES = 1_048_576
const STACK_MARGIN = 65_536
const STATES: readonly PromiseState[] = ['pending', 'fulfilled', 'rejected']

export function stateOf(promise: JSValueHandle): PromiseState {
  return STATES[promise.promiseState] ?? 'pending'
}

/** Of a settled promise, read without asking the program's own `then`. */
export function resultOf(vm: QuickJS, promise: JSValueHandle): JSValueHandle {
  return new JSValueHandle(vm, vm._getExports().qjs_promise_result(promise.ptr))
}

/** By the program; what no `catch` of it can hold is the end of its memory, or our own halt. */
export function isThrown(vm: QuickJS, error: unknown): error is JSException {
  if (!(error instanceof JSException)) return false
  return vm._getExports().qjs_is_uncatchable_error(error.handle.ptr) === 0
}

/** One after another, as long as the program has not settled: what it left behind does not run on. */
export function runJobs(vm: QuickJS, program: JSValueHandle | undefined): void {
  const exports = vm._getExports()
  while (exports.qjs_is_job_pending() !== 0) {
    if (program !== undefined && stateOf(program) !== 'pending') return
    if (exports.qjs_execute_pending_job() < 0) throw new JSException(vm.getException())
  }
}

/** Built-ins that recurse (a deep JSON.parse, a deep clone) can meet the end of the thread's stack, or of the engine's own. */
export function isEndOfStack(vm: QuickJS, error: unknown): boolean {
  if (error instanceof RangeError) return true
  if (!(error instanceof WebAssembly.RuntimeError)) return false
  const place = vm._getExports().__stack_pointer.value
  return place < STACK_MARGIN || place > STACK_BYTES
}

/** Thrown by the engine itself when there is no memory left for an error. */
export function isOutOfMemory(error: JSValueHandle, heapIsFull: boolean): boolean {
  return error.typeof === 'unknown' || (error.isNull && heapIsFull)
}

export interface MachineLimits {
  readonly memoryLimitBytes: number
  readonly maxStackBytes: number
}

export function limit(vm: QuickJS, { memoryLimitBytes, maxStackBytes }: MachineLimits): void {
  const exports = vm._getExports()
  exports.qjs_set_memory_limit(memoryLimitBytes)
  exports.qjs_set_max_stack_size(maxStackBytes)
}

/**
 * It has used the last of its limit: then the engine may have had no memory for an error that passes every
 * `catch`, and threw one that does not.
 */
export function isFull(vm: QuickJS, bytesBefore: number, limitBytes: number): boolean {
  const grown = bytesOf(vm) - bytesBefore
  return grown >= Math.max(limitBytes - 1_048_576, limitBytes * 0.75)
}

/** What the machine has grown to: it never shrinks. */
export function bytesOf(vm: QuickJS): number {
  return vm._getMemory().buffer.byteLength
}
