/**
 * What is bound to a program, as the declarations of the module it imports. Types come from the JSON schemas through
 * the host's own rendering, so that a program is checked against what its author was shown; where the rendering says
 * `JsonValue`, a caller may pass any JSON and need not prove the shape of what comes back: the two namespaces below
 * give the word its meaning. Sorted, so that equal bindings give equal texts. `$$` begins names no program sees.
 */
import { jsonSchemaToTs } from '@deepseek-ai/dsh-tools'
import type { JsonSchema } from '../json.ts'
import type {
  CodeConstant,
  CodeErrorClass,
  CodeMember,
  CodeNamespace,
  CodeRequest,
} from '../request.ts'
import { openChoices } from './choices.ts'
import { typeOfValue } from './value-type.ts'

/**
 * An interface has no index signature, so it would not do as `{ [key: string]: JsonValue }`; it does for one of `any`,
 * and the symbols keep out what JSON would lose: functions, promises, dates, maps, sets, buffers, expressions.
 */
const JSON_TYPES = `export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }
interface $$JsonObject {
  readonly [key: string]: any
  readonly [Symbol.hasInstance]?: never
  readonly [Symbol.match]?: never
  readonly [Symbol.toPrimitive]?: never
  readonly [Symbol.toStringTag]?: never
}
type $$JsonInput = null | boolean | number | string | readonly $$JsonInput[] | $$JsonObject
declare const $$Error: ErrorConstructor`

const INPUT_WORDS = `type JsonValue = $$JsonInput
type Record<K extends string, V> = [V] extends [never] ? { [key in K]: never } : $$JsonObject`

const OUTPUT_WORDS = `type JsonValue = any
type Record<K extends string, V> = { [key in K]: V }`

export function declare(
  request: Pick<CodeRequest, 'namespaces' | 'constants' | 'prelude'>,
): string {
  const namespaces = request.namespaces.toSorted((a, b) => byCodeUnit(a.global, b.global))
  const constants = Object.entries(request.constants ?? {})
  return [
    JSON_TYPES,
    schemaTypes('$$in', INPUT_WORDS, namespaces, (contract) => contract?.parameters),
    schemaTypes('$$out', OUTPUT_WORDS, namespaces, outputOf),
    ...namespaces.map(declareNamespace),
    ...namespaces.flatMap(({ errorClass }) => errorClass ?? []).map(declareErrorClass),
    ...constants.toSorted(([a], [b]) => byCodeUnit(a, b)).map(declareConstant),
    request.prelude?.declarations ?? '',
  ].join('\n')
}

function outputOf(contract: CodeMember['contract']): JsonSchema | undefined {
  return contract?.output === undefined ? undefined : openChoices(contract.output)
}

function schemaTypes(
  name: string,
  words: string,
  namespaces: readonly CodeNamespace[],
  pick: (contract: CodeMember['contract']) => JsonSchema | undefined,
): string {
  const interfaces = namespaces.map((namespace) => {
    const members = membersOf(namespace).map(
      ([member, { contract }]) => `${JSON.stringify(member)}: ${schemaType(pick(contract))}`,
    )
    return `interface $$${namespace.global} {\n${members.join('\n')}\n}`
  })
  return `declare namespace ${name} {\n${words}\n${interfaces.join('\n')}\n}`
}

/** The host says `unknown` for what it has no words for. */
function schemaType(schema: JsonSchema | undefined): string {
  const type = schema === undefined ? 'unknown' : jsonSchemaToTs(schema)
  return type === 'unknown' ? 'JsonValue' : type
}

function declareNamespace(namespace: CodeNamespace): string {
  const { global } = namespace
  const members = membersOf(namespace).map(([member, { contract }]) => {
    const name = JSON.stringify(member)
    const optional = isArgumentNeeded(contract?.parameters) ? '' : '?'
    return `readonly ${name}: (args${optional}: $$in.$$${global}[${name}]) => Promise<$$out.$$${global}[${name}]>`
  })
  return `interface $$${global} {\n${members.join('\n')}\n}\nexport declare const ${global}: $$${global}`
}

function membersOf(namespace: CodeNamespace): readonly (readonly [string, CodeMember])[] {
  return [...namespace.members].toSorted(([a], [b]) => byCodeUnit(a, b))
}

function isArgumentNeeded(schema: JsonSchema | undefined): boolean {
  if (schema?.['type'] !== 'object') return schema?.['type'] !== undefined || isChoice(schema)
  const required = schema['required']
  return Array.isArray(required) && required.length > 0
}

function isChoice(schema: JsonSchema | undefined): boolean {
  return schema?.['oneOf'] !== undefined
}

/** A class named like a builtin is its value alone: the type's name stays the builtin's. */
function declareErrorClass({ name, memberNameProperty }: CodeErrorClass): string {
  const member = `readonly ${JSON.stringify(memberNameProperty)}: string`
  if (!BUILTIN_TYPES.has(name)) {
    return `export declare class ${name} extends $$Error { readonly name: ${JSON.stringify(name)}; ${member} }`
  }
  const instance = `Error & { ${member} }`
  return `export declare const ${name}: { readonly prototype: ${instance}; new (message?: string): ${instance}; (message?: string): ${instance} }`
}

const BUILTIN_TYPES: ReadonlySet<string> = new Set(
  `Array ArrayBuffer AsyncGenerator AsyncIterable AsyncIterator AggregateError BigInt Boolean DataView Date Error
  ErrorConstructor EvalError Exclude Extract FinalizationRegistry Function Generator Iterable Iterator JSON JsonValue
  Map Math NonNullable Number Object Omit Partial Pick Promise PromiseLike Proxy RangeError Readonly ReadonlyArray
  ReadonlyMap ReadonlySet Record ReferenceError Reflect RegExp Required ReturnType Set SharedArrayBuffer String Symbol
  SyntaxError TypeError Uint8Array URIError URL URLSearchParams TextDecoder TextEncoder WeakMap WeakRef WeakSet`.split(
    /\s+/,
  ),
)

function declareConstant([name, { value, type }]: readonly [string, CodeConstant]): string {
  return `export declare const ${name}: ${type ?? typeOfValue(value)}`
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
