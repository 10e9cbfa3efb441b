/** `--trace`: every model request as it is sent, one JSON object a line, written before it goes out. */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-llm'
import { UsageError } from './exit.ts'

/**
 * Only the user may read a new file: requests hold what one character alone knows. Fails with a
 * `UsageError` when it cannot be opened.
 */
export function traceRequests(ctx: Context, path: string): void {
  const file = opened(path)
  ctx.effect(() => () => closeSync(file), 'tavern.trace')
  ctx.on('llm/stream', (options, next) => {
    const { sessionId, provider, model, purpose, system, tools, messages } = options
    const performing = sessionId === undefined ? undefined : ctx.cast.cueOf(sessionId)
    const actor = performing?.character ?? sessionId?.split('.').at(-1)
    const said = messages.map(({ role, content }) => ({ role, content }))
    writeSync(
      file,
      `${JSON.stringify({ character: actor, cue: performing?.cue.id, purpose, provider, model, system, tools, messages: said })}\n`,
    )
    return next()
  })
}

function opened(path: string): number {
  try {
    return openSync(path, 'a', 0o600)
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    throw new UsageError(`--trace '${path}' cannot be opened: ${found}`)
  }
}
