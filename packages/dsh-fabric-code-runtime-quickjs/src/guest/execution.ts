/** One run in the guest thread: from its first step to the message that ends it. */
import { JSException, type JSValueHandle } from 'quickjs-wasi'
import type { Engine, Machine } from './engine.ts'
import {
  bytesOf,
  isEndOfStack,
  isFull,
  isOutOfMemory,
  isThrown,
  resultOf,
  runJobs,
  stateOf,
} from './machine.ts'
import type { CallResult, FromThread, GuestEnding, RunMessage } from './messages.ts'
import { Outbox } from './outbox.ts'
import type { RealmFailure, RealmSetup } from './realm/setup.ts'

type Halt = 'stopped' | 'output-limit' | 'memory'

export class Execution {
  readonly run: number
  readonly #message: RunMessage
  readonly #engine: Engine
  readonly #post: (message: FromThread) => void
  readonly #outbox: Outbox
  readonly #flag: Int32Array
  #machine: Machine | undefined
  #promise: JSValueHandle | undefined
  #bytesBefore = 0
  #cancelWake: (() => void) | undefined
  #callsOpen = 0
  #halt: Halt | undefined
  #ended = false

  constructor(engine: Engine, message: RunMessage, post: (message: FromThread) => void) {
    this.run = message.run
    this.#message = message
    this.#engine = engine
    this.#post = post
    this.#flag = new Int32Array(message.halt)
    this.#outbox = new Outbox(message.limits.maxOutputBytes, (logs, calls) =>
      post({ kind: 'news', run: message.run, logs, calls }),
    )
  }

  async start(): Promise<void> {
    try {
      this.#machine = await this.#engine.create(this.#message.limits, {
        call: (id, namespace, member, text) => this.#call(id, namespace, member, text),
        log: (line) => this.#log(line),
        wake: (milliseconds) => this.#wake(milliseconds),
        isHalted: () => this.#isHalted(),
      })
    } catch (error) {
      return this.#fail(error)
    }
    this.#bytesBefore = bytesOf(this.#machine.vm)
    this.#guarded((machine) => this.#begin(machine))
  }

  settle(results: readonly CallResult[]): void {
    this.#guarded(({ vm, realm }) => {
      for (const { id, status, text, depth } of results) {
        this.#callsOpen -= 1
        using idHandle = vm.newNumber(id)
        using statusHandle = vm.newNumber(STATUSES.indexOf(status))
        using textHandle = vm.newString(text)
        using depthHandle = vm.newNumber(depth)
        vm.callFunction(realm.settle, vm.undefined, idHandle, statusHandle, textHandle, depthHandle)
      }
    })
  }

  stop(): void {
    this.#end({ status: 'stopped' })
  }

  #begin({ vm, realm }: Machine): void {
    const { program, file, prelude } = this.#message
    using setup = vm.newString(JSON.stringify(this.#setup()))
    let names = textOf(vm.callFunction(realm.begin, vm.undefined, setup))
    if (prelude !== undefined) {
      try {
        using factory = vm.evalCode(factoryOf(names, 'function ', prelude), 'prelude')
        using body = vm.callFunction(realm.prelude, vm.undefined, factory)
        names = body.toString()
      } catch (error) {
        if (this.#halt !== undefined || !isThrown(vm, error)) throw error
        const { message } = this.#failureOf(error.handle)
        return this.#end({ status: 'prelude-failed', message })
      }
    }
    using factory = vm.evalCode(factoryOf(names, 'async function ', program), file)
    const promise = vm.callFunction(realm.start, vm.undefined, factory)
    if (!promise.isPromise) return this.#failed('exception', NO_BODY)
    this.#promise = promise
  }

  #setup(): RealmSetup {
    const { file, namespaces, constants, limits } = this.#message
    const [a = 0, b = 0, c = 0, d = 0] = crypto.getRandomValues(new Int32Array(4))
    return { seed: [a, b, c, d], file, maxText: limits.maxOutputBytes, namespaces, constants }
  }

  /** Runs a step of the program and all that follows from it; however that ends, the host is told. */
  #guarded(step: (machine: Machine) => void): void {
    if (this.#ended || this.#machine === undefined) return
    try {
      step(this.#machine)
      if (this.#ended) return
      runJobs(this.#machine.vm, this.#promise)
      this.#look(this.#machine)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Whether the program has settled, or never can. */
  #look({ vm, realm }: Machine): void {
    if (this.#halt !== undefined) return this.#halted(this.#halt)
    if (isFull(vm, this.#bytesBefore, this.#message.limits.memoryLimitBytes)) {
      return this.#halted('memory')
    }
    const promise = this.#promise
    const state = promise === undefined ? 'pending' : stateOf(promise)
    if (promise === undefined || state === 'pending') {
      this.#outbox.flush()
      if (this.#callsOpen === 0 && this.#cancelWake === undefined) {
        this.#failed('exception', NEVER_SETTLES)
      }
      return
    }
    using value = resultOf(vm, promise)
    if (state === 'rejected') return this.#exception(value)
    this.#completed(textOf(vm.callFunction(realm.finish, vm.undefined, value)))
  }

  #completed(tagged: string): void {
    const text = tagged.slice(1)
    if (tagged.startsWith('-')) return this.#end({ status: 'completed' })
    if (tagged.startsWith('!')) return this.#failed('invalid-output', text)
    // else the machine had no memory left for the text
    if (!tagged.startsWith('=')) return this.#halted(tagged === '>' ? 'output-limit' : 'memory')
    if (!this.#outbox.take(text)) return this.#halted('output-limit')
    this.#end({ status: 'completed', text })
  }

  #call(id: number, namespace: number, member: number, text: string): void {
    if (!this.#isWhole(text) || this.#hasSettled()) return
    this.#callsOpen += 1
    const argument = text.startsWith('=') ? { argument: text.slice(1) } : {}
    this.#outbox.call({ id, namespace, member, ...argument })
  }

  #hasSettled(): boolean {
    return this.#promise !== undefined && stateOf(this.#promise) !== 'pending'
  }

  #log(line: string): void {
    if (!this.#isWhole(line)) return
    if (!this.#outbox.log(line.slice(1))) this.#halt ??= 'output-limit'
  }

  /** A text that the machine had no memory for comes without its mark. */
  #isWhole(text: string): boolean {
    if (this.#halt !== undefined) return false
    if (text.startsWith('=') || text.startsWith('-')) return true
    this.#halt = 'memory'
    return false
  }

  #wake(milliseconds: number): void {
    this.#cancelWake?.()
    this.#cancelWake = undefined
    if (milliseconds < 0) return
    const tick = () => {
      this.#cancelWake = undefined
      this.#guarded(({ vm, realm }) => vm.callFunction(realm.tick, vm.undefined).dispose())
    }
    if (milliseconds === 0) {
      const immediate = setImmediate(tick)
      this.#cancelWake = () => clearImmediate(immediate)
    } else {
      const timer = setTimeout(tick, milliseconds)
      this.#cancelWake = () => clearTimeout(timer)
    }
  }

  #isHalted(): boolean {
    if (Atomics.load(this.#flag, 0) !== 0) this.#halt ??= 'stopped'
    if (this.#halt === undefined) this.#outbox.tick()
    return this.#halt !== undefined
  }

  #fail(error: unknown): void {
    if (this.#ended) return
    const vm = this.#machine?.vm
    if (this.#halt !== undefined) return this.#halted(this.#halt)
    if (error instanceof JSException && vm !== undefined) {
      return isThrown(vm, error) ? this.#exception(error.handle) : this.#halted('memory')
    }
    const message = error instanceof Error ? error.message : String(error)
    if (vm !== undefined && isEndOfStack(vm, error)) return this.#failed('exception', END_OF_STACK)
    if (message === OUT_OF_MEMORY) return this.#halted('memory')
    this.#failed('worker-exit', `the engine failed: ${message}`)
  }

  #exception(error: JSValueHandle): void {
    const { vm } = this.#machine ?? raise()
    const full = isFull(vm, this.#bytesBefore, this.#message.limits.memoryLimitBytes)
    if (isOutOfMemory(error, full)) return this.#halted('memory')
    const { message, line, column } = this.#failureOf(error)
    if (!this.#outbox.take(JSON.stringify(message))) return this.#halted('output-limit')
    if (line === undefined || column === undefined) return this.#failed('exception', message)
    const placed = `${message} (${this.#message.file}:${line}:${column})`
    this.#end({ status: 'failed', kind: 'exception', message: placed, at: { line, column } })
  }

  #failureOf(error: JSValueHandle): RealmFailure {
    const { vm, realm } = this.#machine ?? raise()
    return JSON.parse(textOf(vm.callFunction(realm.failure, vm.undefined, error)))
  }

  #halted(halt: Halt): void {
    const { maxOutputBytes, memoryLimitBytes } = this.#message.limits
    if (halt === 'stopped') return this.#end({ status: 'stopped' })
    if (halt === 'memory') {
      return this.#failed('memory', `the program needs more than its ${memoryLimitBytes} bytes`)
    }
    this.#failed('output-limit', `logs and result are over ${maxOutputBytes} bytes`)
  }

  #failed(
    kind: 'exception' | 'memory' | 'invalid-output' | 'output-limit' | 'worker-exit',
    message: string,
  ): void {
    this.#end({ status: 'failed', kind, message })
  }

  #end(ending: GuestEnding): void {
    if (this.#ended) return
    this.#ended = true
    this.#cancelWake?.()
    const machineBytes = this.#machine === undefined ? 0 : bytesOf(this.#machine.vm)
    this.#machine = undefined
    this.#promise = undefined
    const logs = this.#outbox.takeLogs()
    // made before the program ended, though it did not wait for them
    const calls = ending.status === 'stopped' ? [] : this.#outbox.takeCalls()
    this.#post({ kind: 'done', run: this.run, logs, calls, ending, machineBytes })
    // a rejection is the next run's to tell
    setImmediate(() => this.#engine.prepare())
  }
}

/** By their numbers in the realm. */
const STATUSES: readonly CallResult['status'][] = ['value', 'nothing', 'error']
const NO_BODY = 'SyntaxError: the program is no body of a function'
/** In the words of the engine's own. */
const END_OF_STACK = 'RangeError: Maximum call stack size exceeded'
const NEVER_SETTLES = 'the program waits for a promise that nothing can settle'
/** The engine's library, when the machine cannot grow by a text's length. */
const OUT_OF_MEMORY = 'wasm_malloc failed'

/** The author's lines come second: what is bound stands above them, so he may declare the same names. */
function factoryOf(names: string, kind: string, body: string): string {
  const parameters: readonly string[] = JSON.parse(names)
  return `((${parameters.join(', ')}) => ${kind}() {"use strict";\n${body}\n})`
}

function textOf(handle: JSValueHandle): string {
  return handle.consume((held) => held.toString())
}

function raise(): never {
  throw new Error('this run has no machine')
}
