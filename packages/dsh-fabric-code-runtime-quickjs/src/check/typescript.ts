/** TypeScript 6 of this package, by `require`: an `import` would first scan its nine megabytes for export names. */
import { createRequire } from 'node:module'
import type TypeScript from 'typescript'

const require = createRequire(import.meta.url)

/** The one point where the compiler gets its type: `require` knows none. */
export const ts: typeof TypeScript = require('typescript')

export const libraryFolder = ts.sys.resolvePath(`${require.resolve('typescript')}/..`)
