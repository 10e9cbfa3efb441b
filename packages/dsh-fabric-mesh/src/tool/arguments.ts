/** The arguments of one call, checked as they are read; a refusal names the argument. Models send '' for what they leave out. */
import type { JsonValue } from 'dsh-fabric-protocol'
import { checkCount, checkId, checkInteger, checkLimit, checkPrefix, checkText } from '../bounds.ts'
import { invalid } from './error.ts'
import type { MeshArguments, Parameter } from './parameters.ts'

type Name<Value> = {
  [Key in Parameter]: Exclude<MeshArguments[Key], undefined> extends Value ? Key : never
}[Parameter]
type TextName = Name<string>
type WholeName = Name<number>

export class Arguments {
  readonly action: MeshArguments['action']
  readonly #given: MeshArguments

  constructor(given: MeshArguments) {
    this.action = given.action
    this.#given = given
  }

  has(name: Parameter): boolean {
    return this.#given[name] !== undefined && this.#given[name] !== ''
  }

  /** '' is a value like any other there. */
  hasJson(name: 'payload' | 'value'): boolean {
    return this.#given[name] !== undefined
  }

  id(name: TextName): string {
    return this.optionalId(name) ?? this.#missing(name)
  }

  optionalId(name: TextName): string | undefined {
    return this.#optional(name, (value) => checkId(name, value))
  }

  text(name: TextName, bytes: number): string {
    return this.#optional(name, (value) => checkText(name, value, bytes)) ?? this.#missing(name)
  }

  prefix(): string {
    return checkPrefix(this.#given.prefix ?? '')
  }

  json(name: 'payload' | 'value'): JsonValue {
    const value = this.#given[name]
    return value === undefined ? this.#missing(name) : value
  }

  whole(name: WholeName, range: readonly [number, number]): number {
    return this.optionalWhole(name, range) ?? this.#missing(name)
  }

  optionalWhole(name: WholeName, range: readonly [number, number]): number | undefined {
    const value = this.#given[name]
    return value === undefined ? undefined : checkInteger(name, value, range)
  }

  version(): number {
    return checkCount(
      'expected_version',
      this.#given.expected_version ?? this.#missing('expected_version'),
    )
  }

  limit(): number {
    return checkLimit(this.#given.limit)
  }

  /** A cursor of messages; undefined without one. */
  afterSequence(): number | undefined {
    const { after } = this.#given
    if (after === undefined || after === '') return undefined
    if (typeof after === 'string')
      throw invalid('after', 'after must be a sequence: found a string')
    return checkCount('after', after)
  }

  /** A cursor of keys. */
  afterKey(): string | undefined {
    const { after } = this.#given
    if (after === undefined || after === '') return undefined
    if (typeof after === 'number') throw invalid('after', 'after must be a key: found a number')
    return checkText('after', after, 256)
  }

  addressees(): readonly string[] | undefined {
    const { to } = this.#given
    for (const addressee of to ?? []) checkId('to', addressee)
    return to === undefined || to.length === 0 ? undefined : to
  }

  #optional(name: TextName, check: (value: string) => string): string | undefined {
    const value = this.#given[name]
    return value === undefined || value === '' ? undefined : check(value)
  }

  #missing(name: Parameter): never {
    throw invalid(name, `${this.action} needs ${name}`)
  }
}
