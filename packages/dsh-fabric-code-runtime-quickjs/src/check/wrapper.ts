/** A program as TypeScript sees it: the body of an async function in a module that imports what is bound. */
export const BOUND_MODULE = 'bound'

export interface Wrapped {
  readonly text: string
  /** Where the author's text begins. */
  readonly start: number
  /** Where it ends. */
  readonly end: number
}

export function wrap(program: string, names: readonly string[]): Wrapped {
  const imports =
    names.length === 0 ? 'export {}' : `import{${names.join(',')}}from'${BOUND_MODULE}'`
  const before = `${imports};(async function(){\n`
  const start = before.length
  return { text: `${before}${program}\n})`, start, end: start + program.length }
}
