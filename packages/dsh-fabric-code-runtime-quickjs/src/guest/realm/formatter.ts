/**
 * What `console` shows of a value: one line unless a string holds more, bounded in depth and width.
 * Runs no code of the value. Self-contained: runs in the realm.
 */
import type { EncoderRealm } from '../../crossing/encoder.ts'
import type { Positions } from './positions.ts'

export interface Formatter {
  /** A string as it is, anything else as one would write it. */
  show(value: unknown): string
  /** `TypeError: no such thing`. */
  headline(error: object): string
}

export function createFormatter(realm: EncoderRealm, positions: Positions): Formatter {
  const { getPrototypeOf, getOwnPropertyDescriptor, ownKeys } = Reflect
  const { hasOwn } = Object
  const { isArray } = Array
  const { is } = Object
  const asText = String
  const stringify: (text: string) => string = JSON.stringify
  const uncurry = Function.prototype.bind.bind(Reflect.get(Function.prototype, 'call'))
  const method = (prototype: object, name: string) => uncurry(Reflect.get(prototype, name))
  const isoOf: (date: object) => string = method(Date.prototype, 'toISOString')
  const timeOf: (date: object) => number = method(Date.prototype, 'getTime')
  const eachOfMap: (map: object, visit: (value: unknown, key: unknown) => void) => void = method(
    Map.prototype,
    'forEach',
  )
  const eachOfSet: (set: object, visit: (value: unknown) => void) => void = method(
    Set.prototype,
    'forEach',
  )
  const sourceGetter = getOwnPropertyDescriptor(RegExp.prototype, 'source')?.get
  const sourceOf: (pattern: object) => string =
    sourceGetter === undefined ? () => '' : uncurry(sourceGetter)
  const mostDepth = 4
  const mostItems = 100
  /** Of one call, over all depths. */
  const mostValues = 10_000
  let values = 0

  return {
    show(value) {
      values = 0
      return show(value, 0)
    },
    headline: headlineOf,
  }

  function show(value: unknown, depth: number): string {
    values += 1
    if (values > mostValues) return '…'
    if (typeof value === 'string') return depth === 0 ? value : stringify(value)
    if (typeof value === 'bigint') return `${asText(value)}n`
    if (typeof value === 'function') return `[function ${nameOf(value)}]`
    if (typeof value === 'object' && value !== null) return showObject(value, depth)
    return is(value, -0) ? '-0' : asText(value)
  }

  function showObject(value: object, depth: number): string {
    const kind = realm.classOf(value)
    if (kind === 'Proxy') return '[Proxy]'
    if (kind === 'Error') return showError(value)
    if (kind === 'Date') return is(timeOf(value), NaN) ? 'Invalid Date' : isoOf(value)
    if (kind === 'RegExp') return `/${sourceOf(value)}/`
    if (depth >= mostDepth) return isArray(value) ? '[…]' : '{…}'
    if (isArray(value)) return showArray(value, depth)
    if (kind === 'Map') return showMap(value, depth)
    if (kind === 'Set') return showSet(value, depth)
    if (kind !== 'Object') return `[${kind}]`
    const prototype = getPrototypeOf(value)
    const name = prototype === null ? '' : nameOfClass(prototype)
    return `${name === '' || name === 'Object' ? '' : `${name} `}${showProperties(value, depth)}`
  }

  function showArray(value: readonly unknown[], depth: number): string {
    let text = ''
    for (let index = 0; index < value.length; index += 1) {
      if (index === mostItems) return `[ ${text}, … ${value.length - index} more ]`
      text += `${index === 0 ? '' : ', '}${showProperty(value, asText(index), depth)}`
    }
    return text === '' ? '[]' : `[ ${text} ]`
  }

  function showProperties(value: object, depth: number): string {
    const keys = ownKeys(value)
    let text = ''
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index]
      if (key === undefined) continue
      if (index === mostItems) return `{ ${text}, … ${keys.length - index} more }`
      const name = typeof key === 'symbol' ? `[${asText(key)}]` : asText(key)
      text += `${index === 0 ? '' : ', '}${name}: ${showProperty(value, key, depth)}`
    }
    return text === '' ? '{}' : `{ ${text} }`
  }

  function showProperty(holder: object, key: PropertyKey, depth: number): string {
    const property = getOwnPropertyDescriptor(holder, key)
    if (property === undefined) return '<hole>'
    return hasOwn(property, 'value') ? show(property.value, depth + 1) : '[accessor]'
  }

  function showMap(map: object, depth: number): string {
    let text = ''
    let count = 0
    eachOfMap(map, (value, key) => {
      count += 1
      if (count > mostItems) return
      text += `${count === 1 ? '' : ', '}${show(key, depth + 1)} => ${show(value, depth + 1)}`
    })
    return `Map(${count}) {${text === '' ? '' : ` ${text} `}}`
  }

  function showSet(set: object, depth: number): string {
    let text = ''
    let count = 0
    eachOfSet(set, (value) => {
      count += 1
      if (count > mostItems) return
      text += `${count === 1 ? '' : ', '}${show(value, depth + 1)}`
    })
    return `Set(${count}) {${text === '' ? '' : ` ${text} `}}`
  }

  function showError(error: object): string {
    const stack = positions.stackOf(error)
    const headline = headlineOf(error)
    return stack === '' ? headline : `${headline}\n${stack}`
  }

  function headlineOf(error: object): string {
    const name = inherited(error, 'name')
    const message = inherited(error, 'message')
    const shownName = typeof name === 'string' ? name : 'Error'
    return typeof message === 'string' && message !== '' ? `${shownName}: ${message}` : shownName
  }

  /** A data property of it or of what it inherits from. */
  function inherited(holder: object, key: string): unknown {
    let at: object | null = holder
    for (let steps = 0; at !== null && steps < 32; steps += 1) {
      if (realm.classOf(at) === 'Proxy') return undefined
      const property = getOwnPropertyDescriptor(at, key)
      if (property !== undefined) return hasOwn(property, 'value') ? property.value : undefined
      at = getPrototypeOf(at)
    }
    return undefined
  }

  function nameOf(value: object): string {
    const name = inherited(value, 'name')
    return typeof name === 'string' && name !== '' ? name : 'anonymous'
  }

  function nameOfClass(prototype: object): string {
    const made = inherited(prototype, 'constructor')
    return typeof made === 'function' ? nameOf(made) : ''
  }
}
