/** Where Bun is, for tests that run under it: this package supports both. */
import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'

/** Where everything must be tested, a machine without Bun is a failure. */
export const isRequired = process.env['CI'] === 'true'

/** On the path, as `bun run` and `npx bun` put it there, or the one that runs the scripts. */
export function findBun(): string | undefined {
  const candidates = ['bun', process.env['npm_execpath'] ?? '']
  return candidates.find((program) => isBun(program))
}

function isBun(program: string): boolean {
  if (!basename(program).startsWith('bun')) return false
  return spawnSync(program, ['--version']).status === 0
}
