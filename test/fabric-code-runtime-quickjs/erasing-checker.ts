/** Takes a program's types away and believes it: for what is about the run, and would not pass the check. */
import { eraseTypes } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/erase.ts'
import { ts } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/typescript.ts'
import { wrap } from '../../packages/dsh-fabric-code-runtime-quickjs/src/check/wrapper.ts'
import type { Checker } from '../../packages/dsh-fabric-code-runtime-quickjs/src/checking.ts'

export function openErasingChecker(): Checker {
  return {
    check: async ({ program }, signal) => {
      signal.throwIfAborted()
      return { status: 'clean', javascript: erased(program) }
    },
    dispose: async () => undefined,
  }
}

/** What no parser can read is left as it is. */
function erased(program: string): string {
  const { text, start, end } = wrap(program, [])
  try {
    const file = ts.createSourceFile('program.ts', text, ts.ScriptTarget.ESNext, true)
    return eraseTypes(file).slice(start, end)
  } catch {
    return program
  }
}
