/**
 * Where in the author's text an error arose: noted when it is made, so that no later change of its
 * `stack` matters. Stacks show the author's lines, and no frame of ours. Self-contained: runs in the realm.
 */
import type { CodePosition } from '../../outcome.ts'

export interface Positions {
  /** Frames of this file are the author's, `shift` lines further down than he wrote them. */
  watch(file: string, shift: number): void
  find(error: object): CodePosition | undefined
  stackOf(error: object): string
  /** The error arose where the site did. */
  adopt(error: Error, site: Error): void
}

interface Site {
  getFileName(): unknown
  getFunctionName(): unknown
  getLineNumber(): unknown
  getColumnNumber(): unknown
}

export function createPositions(ownFile: string): Positions {
  const uncurry = Function.prototype.bind.bind(Reflect.get(Function.prototype, 'call'))
  const method = (prototype: object, name: string) => uncurry(Reflect.get(prototype, name))
  const positions = new WeakMap<object, CodePosition>()
  const get: (map: typeof positions, key: object) => CodePosition | undefined = method(
    WeakMap.prototype,
    'get',
  )
  const set: (map: typeof positions, key: object, value: CodePosition) => unknown = method(
    WeakMap.prototype,
    'set',
  )
  const { defineProperty } = Reflect
  const asText = String
  const stackGetter = Reflect.getOwnPropertyDescriptor(Error.prototype, 'stack')?.get
  const readStack: (error: object) => unknown =
    stackGetter === undefined ? () => '' : uncurry(stackGetter)
  let watched = ''
  let shift = 0

  Error.prepareStackTrace = (error: object, sites: readonly Site[]) => prepare(error, sites)
  // The engine keeps the function; the program finds no property to read or replace it by.
  Reflect.deleteProperty(Error, 'prepareStackTrace')

  return {
    watch(file, lines) {
      watched = file
      shift = lines
    },
    find: (error) => get(positions, error),
    stackOf,
    adopt(error, site) {
      const position = get(positions, site)
      if (position !== undefined) set(positions, error, position)
      const stack = { __proto__: null, value: stackOf(site), writable: true, configurable: true }
      defineProperty(error, 'stack', stack)
    },
  }

  function stackOf(error: object): string {
    const stack = readStack(error)
    return typeof stack === 'string' ? stack : ''
  }

  /** As V8 writes them; what the engine itself did is shown only between the author's frames. */
  function prepare(error: object, sites: readonly Site[]): string {
    let text = ''
    let native = ''
    let known = false
    for (let index = 0; index < sites.length; index += 1) {
      const site = sites[index]
      if (site === undefined) continue
      const name = site.getFunctionName()
      const start = `${text === '' && native === '' ? '' : '\n'}    at ${typeof name === 'string' ? name : '<anonymous>'} `
      const file = site.getFileName()
      const line = site.getLineNumber()
      const column = site.getColumnNumber()
      if (file === ownFile) continue
      if (typeof file !== 'string' || typeof line !== 'number' || typeof column !== 'number') {
        native += `${start}(native)`
        continue
      }
      const authors = file === watched ? line - shift : line
      text += `${native}${start}(${file}:${asText(authors)}:${asText(column)})`
      native = ''
      if (file !== watched || known) continue
      known = true
      set(positions, error, { line: authors, column })
    }
    return text
  }
}
