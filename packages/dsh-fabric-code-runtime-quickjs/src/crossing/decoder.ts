/**
 * JSON text as a value, however deep. Self-contained, as the encoder is: it also runs in the
 * program's realm. The text comes from an encoder: well formed, without white space.
 */
export type Decode = (text: string, depth: number) => unknown

interface Frame {
  readonly parent: Frame | null
  readonly container: object
  readonly isArray: boolean
  /** Under which the next value belongs. */
  key: string
  size: number
}

export function createDecoder(): Decode {
  const parse: (text: string) => unknown = JSON.parse
  const asText = String
  const { defineProperty } = Reflect
  const uncurry = Function.prototype.bind.bind(Reflect.get(Function.prototype, 'call'))
  const method = (prototype: object, name: string) => uncurry(Reflect.get(prototype, name))
  const codeAt: (text: string, index: number) => number = method(String.prototype, 'charCodeAt')
  const slice: (text: string, from: number, to: number) => string = method(
    String.prototype,
    'slice',
  )
  /** Up to it the engine's own parser has stack enough. */
  const shallow = 128
  const quote = 34
  const comma = 44
  const backslash = 92
  const arrayOpens = 91
  const arrayCloses = 93
  const objectOpens = 123
  const objectCloses = 125

  return (text, depth) => (depth <= shallow ? parse(text) : parseDeep(text))

  function parseDeep(text: string): unknown {
    let frame: Frame | null = null
    let at = 0
    for (;;) {
      const code = codeAt(text, at)
      let value: unknown
      if (code === arrayOpens || code === objectOpens) {
        const isArray = code === arrayOpens
        const container: object = isArray ? [] : {}
        at += 1
        const next = codeAt(text, at)
        if (next !== arrayCloses && next !== objectCloses) {
          frame = { parent: frame, container, isArray, key: '', size: 0 }
          if (!isArray) at = readKey(text, at, frame)
          continue
        }
        at += 1
        value = container
      } else {
        const end = code === quote ? endOfString(text, at) : endOfAtom(text, at)
        value = parse(slice(text, at, end))
        at = end
      }
      for (;;) {
        if (frame === null) return value
        place(frame, value)
        const following = codeAt(text, at)
        at += 1
        if (following === comma) break
        value = frame.container
        frame = frame.parent
      }
      if (!frame.isArray) at = readKey(text, at, frame)
    }
  }

  function place(frame: Frame, value: unknown): void {
    const key = frame.isArray ? asText(frame.size) : frame.key
    const property: PropertyDescriptor & { readonly __proto__: null } = {
      __proto__: null,
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    }
    defineProperty(frame.container, key, property)
    frame.size += 1
  }

  /** Where the value under it begins. */
  function readKey(text: string, at: number, frame: Frame): number {
    const end = endOfString(text, at)
    frame.key = asText(parse(slice(text, at, end)))
    return end + 1
  }

  function endOfString(text: string, from: number): number {
    let at = from + 1
    while (codeAt(text, at) !== quote) at += codeAt(text, at) === backslash ? 2 : 1
    return at + 1
  }

  function endOfAtom(text: string, from: number): number {
    let at = from
    for (;;) {
      const code = codeAt(text, at)
      if (code === comma || code === arrayCloses || code === objectCloses) return at
      if (at >= text.length) return at
      at += 1
    }
  }
}
