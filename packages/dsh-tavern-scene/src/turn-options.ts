/** The options of a turn that is handed over: a model for it, among the words of its direction. */
import { parseArgs } from 'node:util'
import type { Route } from 'dsh-tavern-protocol'
import { SceneError } from './error.ts'

export interface TurnOptions {
  readonly route: Route
  readonly instruction: string
}

/** `--provider P --model M` anywhere; what is left is the direction. Fails with `invalid-line`. */
export function turnOptions(text: string): TurnOptions {
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (!words.some((word) => word.startsWith('--'))) return { route: {}, instruction: text.trim() }
  const { route, instruction } = parsed(words)
  if (route.provider !== undefined && route.model === undefined) {
    throw new SceneError(
      'invalid-line',
      '--provider needs --model: another provider has other models',
    )
  }
  return { route, instruction }
}

function parsed(words: string[]): TurnOptions {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: { provider: { type: 'string' }, model: { type: 'string' } },
      allowPositionals: true,
    })
    return { route: { ...values }, instruction: positionals.join(' ') }
  } catch (cause) {
    const found = cause instanceof Error ? cause.message : String(cause)
    throw new SceneError('invalid-line', found, { cause })
  }
}
