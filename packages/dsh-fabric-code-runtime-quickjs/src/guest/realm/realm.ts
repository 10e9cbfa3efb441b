/**
 * The program's realm, from our side: what is bound, the guest's globals, and how a run begins and ends.
 * Runs in the realm before the program and keeps the intrinsics it uses; the program gets nothing of
 * it but what is bound. Self-contained.
 */
import type { createDecoder } from '../../crossing/decoder.ts'
import type { createEncoder } from '../../crossing/encoder.ts'
import type { Call, Calls, createCalls } from './calls.ts'
import type { createFormatter } from './formatter.ts'
import type { RealmPort } from './port.ts'
import type { createPositions } from './positions.ts'
import type { createRandom } from './random.ts'
import type { RealmNamespace, RealmSetup } from './setup.ts'
import type { createTimers } from './timers.ts'

export interface RealmParts {
  readonly createDecoder: typeof createDecoder
  readonly createEncoder: typeof createEncoder
  readonly createCalls: typeof createCalls
  readonly createFormatter: typeof createFormatter
  readonly createPositions: typeof createPositions
  readonly createRandom: typeof createRandom
  readonly createTimers: typeof createTimers
}

/** Compiled from text by the thread: takes what is bound. */
export type Factory = (...values: readonly unknown[]) => unknown

export interface Realm {
  /** A `RealmSetup`; the names bound, as JSON. */
  readonly begin: (setup: string) => string
  /** Runs the host's prelude; the names bound since, as JSON. */
  readonly prelude: (factory: Factory) => string
  /** What the program's body gives: its promise. */
  readonly start: (factory: Factory) => unknown
  readonly settle: Calls['settle']
  readonly tick: () => boolean
  /** `-` nothing, `=` JSON, `!` a refusal, `>` too long. */
  readonly finish: (value: unknown) => string
  /** A `RealmFailure` as JSON. */
  readonly failure: (error: unknown) => string
}

export function createRealm(port: RealmPort, ownFile: string, parts: RealmParts): Realm {
  const { apply, construct, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect
  const { freeze, setPrototypeOf } = Object
  const { stringify } = JSON
  const BuiltInError = Error
  const parse: (text: string) => RealmSetup = JSON.parse
  const asText = String
  const realmGlobal = globalThis
  const realmMath = Math
  const encode = parts.createEncoder(port)
  const encodeArgument = parts.createEncoder(port, true)
  const decode = parts.createDecoder()
  const positions = parts.createPositions(ownFile)
  const formatter = parts.createFormatter(port, positions)
  const timers = parts.createTimers((milliseconds) => port.wake(milliseconds))
  const names: string[] = []
  const values: unknown[] = []
  let maxText = 0
  let calls: Calls | undefined
  let complete: unknown

  installGlobals()

  return {
    begin(text) {
      const setup = parse(text)
      maxText = setup.maxText
      positions.watch(setup.file, 1)
      define(realmMath, 'random', parts.createRandom(setup.seed))
      const opened = parts.createCalls({ port, encode: encodeArgument, decode, positions, maxText })
      calls = opened
      setup.namespaces.forEach((namespace, index) => bindNamespace(namespace, index, opened))
      for (const constant of setup.constants) {
        bind(constant.name, deeplyFrozen(decode(constant.text, constant.depth)))
      }
      return stringify(names)
    },
    prelude(factory) {
      const given = runBody(factory)
      const globals = partOf(given, 'globals')
      complete = partOf(given, 'complete')
      if (typeof globals !== 'object' || globals === null) {
        throw new BuiltInError('it returns no { globals }')
      }
      for (const name of ownKeys(globals)) {
        if (typeof name === 'string') bind(name, partOf(globals, name))
      }
      return stringify(names)
    },
    start: runBody,
    settle: (id, status, text, depth) => calls?.settle(id, status, text, depth),
    tick: timers.tick,
    finish(returned) {
      const value: unknown =
        typeof complete === 'function' ? apply(complete, undefined, [returned]) : returned
      const encoded = encode(value, 'result', maxText)
      if (encoded.status === 'encoded') return `=${encoded.text}`
      if (encoded.status === 'refused') return `!${encoded.message}`
      return encoded.status === 'nothing' ? '-' : '>'
    },
    failure(error) {
      if (!isError(error)) {
        return `{"message":${stringify(`Uncaught ${formatter.show(error)}`)}}`
      }
      const message = stringify(formatter.headline(error))
      const at = positions.find(error)
      if (at === undefined) return `{"message":${message}}`
      return `{"message":${message},"line":${asText(at.line)},"column":${asText(at.column)}}`
    },
  }

  /** Undefined when the text was no body of a function after all. */
  function runBody(factory: Factory): unknown {
    const body: unknown = apply(factory, undefined, values)
    return typeof body === 'function' ? apply(body, undefined, []) : undefined
  }

  function print(...shown: unknown[]): void {
    let line = ''
    for (let index = 0; index < shown.length; index += 1) {
      line += (index === 0 ? '' : ' ') + formatter.show(shown[index])
    }
    port.log(`=${line}`)
  }

  function installGlobals(): void {
    const printer = { log: print, info: print, warn: print, error: print, debug: print }
    define(realmGlobal, 'console', printer)
    define(realmGlobal, 'print', print)
    define(realmGlobal, 'setTimeout', timers.setTimeout)
    define(realmGlobal, 'setInterval', timers.setInterval)
    define(realmGlobal, 'clearTimeout', timers.clear)
    define(realmGlobal, 'clearInterval', timers.clear)
  }

  function bindNamespace(declared: RealmNamespace, namespace: number, opened: Calls): void {
    const { errorClass } = declared
    const ErrorClass = errorClass === undefined ? undefined : createErrorClass(errorClass.name)
    const members: object = setPrototypeOf({}, null)
    declared.members.forEach((name, member) => {
      const call: Call = {
        namespace,
        member,
        createError(message) {
          if (ErrorClass === undefined || errorClass === undefined) return new BuiltInError(message)
          // by the built-in's own construction: nothing the program made of the class runs
          const error: Error = construct(BuiltInError, [message], ErrorClass)
          fix(error, errorClass.memberNameProperty, name)
          return error
        },
      }
      const shown = `${declared.global}.${name}(argument)`
      const bound = (argument: unknown): Promise<unknown> => opened.open(call, argument, shown)
      define(bound, 'name', name)
      fix(members, name, freeze(bound))
    })
    bind(declared.global, freeze(members))
    if (errorClass !== undefined) bind(errorClass.name, ErrorClass)
  }

  function createErrorClass(name: string): Function {
    const ErrorClass = class extends BuiltInError {}
    define(ErrorClass, 'name', name)
    define(ErrorClass.prototype, 'name', name)
    return ErrorClass
  }

  /** As a global, where the language lets one, and for the program's factory in any case. */
  function bind(name: string, value: unknown): void {
    if (names.includes(name)) throw new BuiltInError(`'${name}' is bound already`)
    names.push(name)
    values.push(value)
    // the few that the language has fixed (`undefined`) stay the program's by its factory alone
    fix(realmGlobal, name, value)
  }

  /** As the built-ins are: hidden, changeable. Before the program runs. */
  function define(holder: object, key: string, value: unknown): void {
    defineProperty(holder, key, { value, enumerable: false, configurable: true, writable: true })
  }

  function fix(holder: object, key: string, value: unknown): void {
    const property: PropertyDescriptor & { readonly __proto__: null } = {
      __proto__: null,
      value,
      enumerable: true,
      configurable: false,
      writable: false,
    }
    defineProperty(holder, key, property)
  }

  function isError(value: unknown): value is object {
    return typeof value === 'object' && value !== null && port.classOf(value) === 'Error'
  }

  /** A data property of its own. */
  function partOf(holder: unknown, key: string): unknown {
    if (typeof holder !== 'object' || holder === null) return undefined
    return getOwnPropertyDescriptor(holder, key)?.value
  }

  /** Of plain data, before the program runs. */
  function deeplyFrozen(root: unknown): unknown {
    const open = [root]
    for (let value = open.pop(); open.length > 0 || value !== undefined; value = open.pop()) {
      if (typeof value !== 'object' || value === null) continue
      freeze(value)
      for (const key of ownKeys(value)) open.push(Reflect.get(value, key))
    }
    return root
  }
}
