/** `--trace`: every model request as it is sent, one JSON object a line, written before it goes out. */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-llm'

/** Only the user may read a new file: requests hold what one character alone knows. */
export function traceRequests(ctx: Context, path: string): void {
  const file = openSync(path, 'a', 0o600)
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
