/** Play without a terminal: each line of standard input is said, then what is owed is played. */
import { type OpenScene, runCommand } from 'dsh-tavern-scene'
import { exitCodes } from './exit.ts'
import { InputLines } from './input-lines.ts'
import { printable } from './printable.ts'
import { unless } from './stopping.ts'

export interface Asked {
  readonly auto: boolean
  readonly beats?: number
}

/** What is owed is played once no line came for so long, though more may come. */
const PATIENCE_MS = 100

/**
 * The exit code: `unfinished` when the scene ended before the beats that were asked for. Fails with
 * the reason of `stop` as soon as that is aborted.
 */
export async function playPipe(scene: OpenScene, asked: Asked, stop: AbortSignal): Promise<number> {
  const input = process.stdin.isTTY ? undefined : new InputLines(process.stdin)
  try {
    return await unless(stop, sitting({ scene, asked, input, stop }))
  } finally {
    input?.close()
  }
}

interface Sitting {
  readonly scene: OpenScene
  readonly asked: Asked
  readonly input: InputLines | undefined
  readonly stop: AbortSignal
}

async function sitting({ scene, asked, input, stop }: Sitting): Promise<number> {
  const playsOn = asked.auto || asked.beats !== undefined
  let patience = playsOn ? PATIENCE_MS : undefined
  let failed = false
  await scene.idle()
  while (!stop.aborted && !isFull(scene, asked)) {
    const line = await input?.next(patience)
    if (line !== undefined) {
      const said = await say(scene, line)
      if (said === 'left') return exitCodes.done
      if (said === 'failed') failed = true
      patience = playsOn ? PATIENCE_MS : undefined
    } else {
      if (!playsOn || (await scene.auto(1, stop)) !== 'answered') break
      patience = 0
    }
  }
  if (asked.beats !== undefined && !isFull(scene, asked)) return exitCodes.unfinished
  return failed ? exitCodes.badInput : exitCodes.done
}

/** A command that could not be carried out has said why. */
async function say(scene: OpenScene, line: string): Promise<'said' | 'failed' | 'left'> {
  if (line.trim() === '') return 'said'
  const speaker = scene.speaker()
  if (line.startsWith('/')) {
    const result = await runCommand(line, { scene, speaker, watching: true })
    if (!result) {
      process.stderr.write(printable(`no command '${line.split(/\s/, 1)[0]}'`) + '\n')
      return 'failed'
    }
    if (result.text !== '') process.stderr.write(`${printable(result.text)}\n`)
    if (result.leaves) return 'left'
    return result.kind === 'success' ? 'said' : 'failed'
  }
  const id = await scene.nextId('line')
  await (
    await scene.submit(speaker, { id, text: line })
  ).outcome
  return 'said'
}

function isFull(scene: OpenScene, { beats }: Asked): boolean {
  return beats !== undefined && scene.run.stage.beats >= beats
}
