/** Reads the fields of one JSON object: repairs what can be repaired with a warning, refuses the rest. */
import type { JsonValue } from 'dsh-fabric-protocol'
import type { CardWarning, JsonObject } from './card.ts'
import { CardError } from './card-error.ts'
import { describeValue, isObject } from './json-text.ts'
import { maxWarnings } from './limits.ts'

/** Warnings of one reading, in the order they arose, bounded. */
export class WarningLog {
  readonly file: string
  readonly #warnings: CardWarning[] = []
  #leftOut = 0

  constructor(file: string) {
    this.file = file
  }

  add(field: string, found: string, message: string): void {
    if (this.#warnings.length < maxWarnings) this.#warnings.push({ field, found, message })
    else this.#leftOut++
  }

  list(): readonly CardWarning[] {
    if (this.#leftOut === 0) return [...this.#warnings]
    const found = `${this.#leftOut} more warnings`
    return [...this.#warnings, { field: 'file', found, message: `${found} were left out` }]
  }
}

/** `required`: an absent field is worth a warning. It is never an error. */
export type Need = 'required' | 'optional'

export class Fields {
  readonly #object: JsonObject
  readonly #path: string
  readonly #log: WarningLog

  /** `path` is where the object stands: `data`, or empty for the root. */
  constructor(object: JsonObject, path: string, log: WarningLog) {
    this.#object = object
    this.#path = path
    this.#log = log
  }

  /** Empty where absent; a number is taken as its text. */
  text(key: string, need: Need = 'optional'): string {
    const value = this.#present(key, need, 'empty text')
    return value === undefined ? '' : this.#asText(value, this.pathOf(key))
  }

  /** Empty where absent; one text is taken as a list of one, or split at commas. */
  textList(key: string, need: Need, one: 'whole' | 'commas'): readonly string[] {
    const value = this.#present(key, need, 'an empty list')
    if (value === undefined) return []
    if (typeof value === 'string') {
      this.warn(key, value, one === 'whole' ? 'taken as a list of one' : 'split at its commas')
      const parts = one === 'whole' ? [value] : value.split(',').map((part) => part.trim())
      return parts.filter((part) => part !== '')
    }
    return this.#elements(value, key).flatMap((element, index) => {
      if (element !== null) return [this.#asText(element, `${this.pathOf(key)}[${index}]`)]
      this.warn(`${key}[${index}]`, element, 'left out')
      return []
    })
  }

  /** Undefined where absent; text that spells a number is taken as that number. */
  number(key: string, need: Need = 'optional'): number | undefined {
    const value = this.#present(key, need, 'its default')
    if (value === undefined) return undefined
    const number = this.#asNumber(value, key)
    if (number === undefined) throw this.#wrongType(this.pathOf(key), 'a number', value)
    return number
  }

  /** Undefined where absent; "true", "false", 1 and 0 are taken as what they mean. */
  flag(key: string, need: Need = 'optional'): boolean | undefined {
    const value = this.#present(key, need, 'its default')
    if (value === undefined || typeof value === 'boolean') return value
    const meant = meantFlag(value)
    if (meant === undefined) throw this.#wrongType(this.pathOf(key), 'true or false', value)
    this.warn(key, value, `taken as ${meant}`)
    return meant
  }

  /** The fields of an object inside this one; none where it is absent. */
  within(key: string, need: Need = 'optional'): Fields {
    const path = this.pathOf(key)
    const value = this.#present(key, need, 'an empty object') ?? {}
    if (!isObject(value)) throw this.#wrongType(path, 'an object', value)
    return new Fields(value, path, this.#log)
  }

  /** The fields of a list of objects, each under its own path. */
  objects(key: string, need: Need): readonly Fields[] {
    const value = this.#present(key, need, 'an empty list')
    if (value === undefined) return []
    return this.#elements(value, key).map((element, index) => {
      const path = `${this.pathOf(key)}[${index}]`
      if (!isObject(element)) throw this.#wrongType(path, 'an object', element)
      return new Fields(element, path, this.#log)
    })
  }

  /** A number that an application left in free-form extensions: null is absent, nonsense only warns. */
  hintedNumber(
    key: string,
    range: { readonly from: number; readonly to: number },
  ): number | undefined {
    const value = this.raw(key)
    if (value === undefined || value === null) return undefined
    const number = this.#asNumber(value, key)
    if (number === undefined) {
      this.warn(key, value, 'not a number; ignored')
      return undefined
    }
    const bounded = Math.min(range.to, Math.max(range.from, number))
    if (bounded !== number) this.warn(key, value, `out of range; taken as ${bounded}`)
    return bounded
  }

  /** A flag that an application left in free-form extensions. */
  hintedFlag(key: string): boolean | undefined {
    const value = this.raw(key)
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'boolean') this.warn(key, value, 'not true or false; ignored')
    return typeof value === 'boolean' ? value : undefined
  }

  raw(key: string): JsonValue | undefined {
    return this.#object[key]
  }

  whole(): JsonObject {
    return this.#object
  }

  warn(key: string, found: JsonValue | undefined, message: string): void {
    this.#log.add(this.pathOf(key), describeValue(found), message)
  }

  pathOf(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`
  }

  #present(key: string, need: Need, instead: string): JsonValue | undefined {
    const value = this.raw(key)
    if (value === null || (value === undefined && need === 'required')) {
      this.warn(key, value, `taken as ${instead}`)
    }
    return value ?? undefined
  }

  #asText(value: JsonValue, path: string): string {
    if (typeof value === 'string') return value
    if (typeof value !== 'number') throw this.#wrongType(path, 'text', value)
    this.#log.add(path, describeValue(value), 'taken as text')
    return String(value)
  }

  #asNumber(value: JsonValue, key: string): number | undefined {
    if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
    if (typeof value !== 'string' || value.trim() === '') return undefined
    const number = Number(value)
    if (!Number.isFinite(number)) return undefined
    this.warn(key, value, 'taken as a number')
    return number
  }

  #elements(value: JsonValue, key: string): readonly JsonValue[] {
    if (isList(value)) return value
    throw this.#wrongType(this.pathOf(key), 'a list', value)
  }

  #wrongType(field: string, wanted: string, value: JsonValue): CardError {
    const found = describeValue(value)
    const problem = `field '${field}' must be ${wanted}, found ${found}`
    return new CardError('wrong-type', problem, { file: this.#log.file, field, found })
  }
}

/** Array.isArray does not narrow readonly arrays. */
function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function meantFlag(value: JsonValue): boolean | undefined {
  if (value === 'true' || value === 1) return true
  if (value === 'false' || value === 0) return false
  return undefined
}
