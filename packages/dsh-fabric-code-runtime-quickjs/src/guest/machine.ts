/** What the engine's library knows of a machine and keeps behind its inner door. */
/* oxlint-disable no-underscore-dangle -- the library's own names for that door */
import { JSException, JSValueHandle, type QuickJS } from 'quickjs-wasi'

export type PromiseState = 'pending' | 'fulfilled' | 'rejected'

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

export interface MachineLimits {
  readonly memoryLimitBytes: number
  readonly maxStackBytes: number
}

export function limit(vm: QuickJS, { memoryLimitBytes, maxStackBytes }: MachineLimits): void {
  const exports = vm._getExports()
  exports.qjs_set_memory_limit(memoryLimitBytes)
  exports.qjs_set_max_stack_size(maxStackBytes)
}

/** What the machine has grown to: it never shrinks. */
export function bytesOf(vm: QuickJS): number {
  return vm._getMemory().buffer.byteLength
}
