/** Play without a terminal: each line of standard input is said, then what is owed is played. */
import { createInterface } from 'node:readline'
import { type OpenScene, runCommand } from 'dsh-tavern-scene'
import { exitCodes } from './exit.ts'

export interface Asked {
  readonly auto: boolean
  readonly beats?: number
}

/** The exit code: `unfinished` when the scene ended before the beats that were asked for. */
export async function playPipe(scene: OpenScene, asked: Asked): Promise<number> {
  const interrupted = new AbortController()
  const stop = () => {
    interrupted.abort()
    scene.cancel()
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    await scene.idle()
    let failed = false
    if (!process.stdin.isTTY) {
      for await (const line of createInterface({ input: process.stdin })) {
        if (interrupted.signal.aborted) break
        if (line.trim() !== '' && !(await say(scene, line))) failed = true
        if (isFull(scene, asked)) break
      }
    }
    await playOwed(scene, asked, interrupted.signal)
    if (interrupted.signal.aborted) return exitCodes.done
    if (asked.beats !== undefined && !isFull(scene, asked)) return exitCodes.unfinished
    return failed ? exitCodes.badInput : exitCodes.done
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    process.stdin.destroy()
  }
}

/** False when a command could not be carried out; it has said why. */
async function say(scene: OpenScene, line: string): Promise<boolean> {
  const speaker = scene.speaker()
  if (line.startsWith('/')) {
    const result = await runCommand(line, { scene, speaker, watching: true })
    if (!result) {
      process.stderr.write(`no command '${line.split(/\s/, 1)[0]}'\n`)
      return false
    }
    if (result.text !== '') process.stderr.write(`${result.text}\n`)
    return result.kind === 'success'
  }
  const id = await scene.nextId('line')
  await (
    await scene.submit(speaker, { id, text: line })
  ).outcome
  return true
}

async function playOwed(
  scene: OpenScene,
  { auto, beats }: Asked,
  signal: AbortSignal,
): Promise<void> {
  if (beats !== undefined) await scene.auto(beats - scene.run.stage.beats, signal)
  else if (auto) await scene.auto(Number.MAX_SAFE_INTEGER, signal)
}

function isFull(scene: OpenScene, { beats }: Asked): boolean {
  return beats !== undefined && scene.run.stage.beats >= beats
}
