/** The rules of a scene, checked before it is played: what is wrong, with its file, line and column. */
import type { CheckedCode } from 'dsh-fabric-code-runtime-quickjs'
import type { RuleName, Scene } from 'dsh-tavern-protocol'
import { checkRequest } from './program.ts'

export interface RuleFault {
  readonly rule: RuleName
  readonly line: number
  readonly column: number
  readonly message: string
  /** The author's line. */
  readonly source: string
}

export async function checkRules(
  code: CheckedCode,
  scene: Scene,
  programs: Readonly<Record<RuleName, string>>,
): Promise<readonly RuleFault[]> {
  const faults: RuleFault[] = []
  for (const [rule, program] of Object.entries(programs)) {
    for (const found of await code.check(checkRequest(scene, rule, program))) {
      const { line, column, message, source } = found
      faults.push({ rule, line, column, message, source })
    }
  }
  return faults
}
