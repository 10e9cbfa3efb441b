/**
 * A value as JSON text, or the place in it that JSON cannot carry.
 * Self-contained: the text of this function also runs in the program's realm, before the program
 * does, and holds its intrinsics from then on. Nothing recurses, so depth costs memory and no stack;
 * no code of the value runs: no getter, no `toJSON`, no trap.
 */
export interface EncoderRealm {
  /** An object or array as the literals make them, whatever its prototype is now; no proxy. */
  isPlain(value: object): boolean
  /** The built-in kind it was made as: `Map`, `Date`, `Object`, `Proxy`. */
  classOf(value: object): string
}

export type Encoded =
  | { readonly status: 'encoded'; readonly text: string; readonly depth: number }
  | { readonly status: 'nothing' }
  | { readonly status: 'refused'; readonly message: string }
  | { readonly status: 'too-long' }

/** `root` names the whole in a refusal; beyond `maxLength` characters the text is given up. */
export type Encode = (value: unknown, root: string, maxLength: number) => Encoded

interface Frame {
  readonly parent: Frame | null
  readonly container: object
  /** None: an array. */
  readonly keys: readonly PropertyKey[] | null
  readonly length: number
  index: number
  /** Of its parts, how many stand in the text. */
  sent: number
}

/** With `leavesOut` a property that is undefined is one that is absent, as TypeScript reads it; else it is refused. */
export function createEncoder(realm: EncoderRealm, leavesOut = false): Encode {
  const { getPrototypeOf, getOwnPropertyDescriptor, ownKeys } = Reflect
  const objectPrototype: unknown = Object.prototype
  const arrayPrototype: unknown = Array.prototype
  const { isArray } = Array
  const { isFinite } = Number
  const { is, hasOwn } = Object
  const quote: (text: string) => string = JSON.stringify
  const asText = String
  const Places = Map
  const uncurry = Function.prototype.bind.bind(Reflect.get(Function.prototype, 'call'))
  const method = (prototype: object, name: string) => uncurry(Reflect.get(prototype, name))
  type Known = Map<object, Frame>
  const find: (map: Known, key: object) => Frame | undefined = method(Map.prototype, 'get')
  const note: (map: Known, key: object, value: Frame) => unknown = method(Map.prototype, 'set')
  const codeAt: (text: string, index: number) => number = method(String.prototype, 'charCodeAt')

  return (value, root, maxLength) => {
    if (value === undefined) return { status: 'nothing' }
    let frame: Frame | null = null
    /** An ancestor, further down each time the depth has doubled: a cycle comes by it again. */
    let mark: Frame | null = null
    let current: unknown = value
    let text = ''
    let depth = 0
    let deepest = 0
    for (;;) {
      const atom = atomOf(current)
      if (atom !== null) text += atom
      else if (typeof current !== 'object' || current === null) return refused(describe(current))
      else {
        const entered = enter(current, frame)
        if (typeof entered === 'string') return refused(entered)
        frame = entered
        if (mark !== null && mark.container === current) return cyclic(frame)
        depth += 1
        if ((depth & (depth - 1)) === 0) mark = frame
        if (depth > deepest) deepest = depth
        text += frame.keys === null ? '[' : '{'
      }
      if (text.length > maxLength) return { status: 'too-long' }
      for (;;) {
        while (frame !== null && frame.index + 1 >= frame.length) {
          text += frame.keys === null ? ']' : '}'
          if (frame === mark) mark = null
          depth -= 1
          frame = frame.parent
        }
        if (frame === null) return { status: 'encoded', text, depth: deepest }
        frame.index += 1
        const key: PropertyKey =
          frame.keys === null ? asText(frame.index) : (frame.keys[frame.index] ?? '')
        if (typeof key === 'symbol') return refused('a value under a symbol; name it by a string')
        const property = getOwnPropertyDescriptor(frame.container, key)
        if (property === undefined) return refused('a hole; send null')
        if (!hasOwn(property, 'value')) return refused('an accessor; send its value')
        if (property.enumerable !== true) return refused('hidden (not enumerable)')
        if (leavesOut && frame.keys !== null && property.value === undefined) continue
        if (frame.sent > 0) text += ','
        frame.sent += 1
        if (frame.keys !== null) text += `${quote(asText(key))}:`
        current = property.value
        break
      }
    }

    /** Somewhere on the way to this frame its first repeated container lies. */
    function cyclic(last: Frame): Encoded {
      const known: Known = new Places()
      for (let at: Frame | null = last; at !== null; at = at.parent) note(known, at.container, at)
      let repeated = last
      for (let at: Frame | null = last; at !== null; at = at.parent) {
        if (find(known, at.container) !== at) repeated = at
      }
      const first = find(known, repeated.container) ?? last
      const way = pathOf(repeated.parent)
      return { status: 'refused', message: `${way}: a cycle back to ${pathOf(first.parent)}` }
    }

    function refused(what: string): Encoded {
      return { status: 'refused', message: `${pathOf(frame)}: ${what}` }
    }

    /** Of what the frame is at; of a long way its last steps. */
    function pathOf(last: Frame | null): string {
      let path = ''
      let shown = 0
      for (let at = last; at !== null; at = at.parent, shown += 1) {
        if (shown === 12) return `${root}…${path}`
        path = stepOf(at) + path
      }
      return root + path
    }
  }

  /** Its whole text, or null when it has parts or cannot cross. */
  function atomOf(value: unknown): string | null {
    if (typeof value === 'string') return quote(value)
    if (typeof value === 'boolean') return value ? 'true' : 'false'
    if (value === null) return 'null'
    if (typeof value !== 'number' || !isFinite(value)) return null
    return is(value, -0) ? '-0' : asText(value)
  }

  function describe(value: unknown): string {
    if (typeof value === 'number') return `${asText(value)}; JSON has no such number`
    if (typeof value === 'bigint') return 'a BigInt; send String(value)'
    if (value === undefined) return 'undefined; leave it out or send null'
    return typeof value === 'function' ? 'a function; send data' : 'a symbol; send a string'
  }

  /** Why this object is no plain object or array. */
  function flawOf(value: object): string | null {
    const kind = realm.isPlain(value) ? 'Object' : realm.classOf(value)
    if (kind === 'Proxy') return 'a Proxy; send a plain object'
    const prototype = getPrototypeOf(value)
    if (kind === 'Object' && isArray(value)) {
      return prototype === arrayPrototype ? null : 'an instance of a class of arrays; send [...it]'
    }
    if (kind === 'Object' && (prototype === objectPrototype || prototype === null)) return null
    switch (kind) {
      case 'Date':
        return 'a Date; send its toISOString()'
      case 'Map':
        return 'a Map; send [...map] or Object.fromEntries(map)'
      case 'Set':
        return 'a Set; send [...set]'
      case 'Promise':
        return 'a Promise; await it'
      case 'Error':
        return 'an Error; send its message'
      case 'Object':
        return `an instance of ${nameOf(prototype)}; send a plain object`
      default:
        return `an instance of ${kind}; send plain data`
    }
  }

  /** By data properties alone. */
  function nameOf(prototype: object | null): string {
    const constructed = prototype === null ? undefined : dataOf(prototype, 'constructor')
    const name = typeof constructed === 'function' ? dataOf(constructed, 'name') : undefined
    return typeof name === 'string' && name !== '' ? name : 'a class'
  }

  function dataOf(holder: object, key: string): unknown {
    if (realm.classOf(holder) === 'Proxy') return undefined
    const property = getOwnPropertyDescriptor(holder, key)
    return property !== undefined && hasOwn(property, 'value') ? property.value : undefined
  }

  /** What to walk in it, or why it cannot be walked without loss. */
  function enter(container: object, parent: Frame | null): Frame | string {
    const flaw = flawOf(container)
    if (flaw !== null) return flaw
    const keys = ownKeys(container)
    if (!isArray(container)) {
      return { parent, container, keys, length: keys.length, index: -1, sent: 0 }
    }
    const { length } = container
    if (keys.length > length + 1) return 'an array with properties of its own; send an object'
    if (keys.length < length + 1) return 'an array with holes; fill them with null'
    return { parent, container, keys: null, length, index: -1, sent: 0 }
  }

  function stepOf(frame: Frame): string {
    if (frame.keys === null) return `[${frame.index}]`
    const key = frame.keys[frame.index] ?? ''
    if (typeof key === 'symbol') return '[symbol]'
    const name = asText(key)
    return isIdentifier(name) ? `.${name}` : `[${quote(name.length > 64 ? '…' : name)}]`
  }

  function isIdentifier(name: string): boolean {
    for (let index = 0; index < name.length; index += 1) {
      const code = codeAt(name, index)
      const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
      const isDigit = code >= 48 && code <= 57
      if (!isLetter && code !== 95 && code !== 36 && !(isDigit && index > 0)) return false
    }
    return name.length > 0 && name.length <= 64
  }
}
