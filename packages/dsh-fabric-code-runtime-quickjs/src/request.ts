/** One run of one program: its source, what is bound to it, and its limits. */
import type { JsonSchema, JsonValue } from './json.ts'
import type { CodeLimits } from './limits.ts'

export interface CodeRequest {
  /** TypeScript, erasable syntax only: the body of an async function, with `await` and `return`. */
  readonly program: string
  /** Stands before line and column in every message; `program` when absent. */
  readonly file?: string
  readonly namespaces: readonly CodeNamespace[]
  /** Deeply frozen globals. */
  readonly constants?: Readonly<Record<string, CodeConstant>>
  readonly prelude?: CodePrelude
  readonly signal?: AbortSignal
  /** Narrower than the provider's own; a wider one is refused. */
  readonly limits?: Partial<CodeLimits>
}

/** One global object of async functions. */
export interface CodeNamespace {
  /** A name that every language of the host's code runtimes takes: see `RESERVED_BINDING_GLOBALS` of the host. */
  readonly global: string
  /** By the exact name the program calls: any string, `__proto__` too. */
  readonly members: ReadonlyMap<string, CodeMember>
  readonly errorClass?: CodeErrorClass
}

export interface CodeMember {
  /** Host code: gets the program's one argument, detached; its rejection rejects the program's call. */
  readonly call: (
    argument: JsonValue | undefined,
    signal: AbortSignal,
  ) => Promise<JsonValue | undefined>
  readonly contract?: MemberContract
}

/** What the check knows of a member; without it, any JSON goes in and anything comes out. */
export interface MemberContract {
  readonly description?: string
  /** Of the one argument. */
  readonly parameters?: JsonSchema
  readonly output?: JsonSchema
}

/** A rejected call of a member is an instance of this class, with the member's name in the named property. */
export interface CodeErrorClass {
  readonly name: string
  readonly memberNameProperty: string
}

export interface CodeConstant {
  readonly value: JsonValue
  /** TypeScript; taken from the value when absent. */
  readonly type?: string
}

/** The host's own code in the program's realm, before it: for synchronous helpers that need no bridge. */
export interface CodePrelude {
  /**
   * JavaScript, the body of a function that sees the constants and returns
   * `{ globals, complete? }`: `globals` become fixed globals of the program, and `complete(value)`,
   * called with what the program returned, gives the completion in its place.
   */
  readonly source: string
  /** TypeScript declarations of these globals. */
  readonly declarations: string
}
