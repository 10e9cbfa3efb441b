/** Play without a terminal: each line of standard input is said, then what is owed is played. */
import { actsAtOnce, onlyLooks, type OpenScene, runCommand } from 'dsh-tavern-scene'
import { asksForHelp, helpText, unknownCommandText } from './commands-help.ts'
import { exitCodes, isRefusal } from './exit.ts'
import { InputLines } from './input-lines.ts'
import { printable } from './printable.ts'
import { type Ending, endingText, seatWords } from './seat-words.ts'
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
  const atOnce = new AtOnce(scene, asked)
  const input = process.stdin.isTTY
    ? undefined
    : new InputLines(process.stdin, (line, isNext) => atOnce.take(line, isNext))
  try {
    return await unless(stop, sitting({ scene, asked, input, atOnce, stop }))
  } finally {
    input?.close()
  }
}

/** Commands that do not wait for the answer before them; what is typed after them waits for them. */
class AtOnce {
  readonly #scene: OpenScene
  readonly #asked: Asked
  #done: Promise<Said> = Promise.resolve('said')

  constructor(scene: OpenScene, asked: Asked) {
    this.#scene = scene
    this.#asked = asked
  }

  /** A look keeps its place among lines that came together; it overtakes only what is being answered. */
  take(line: string, isNext: boolean): boolean {
    const looks = isNext && (asksForHelp(line) || onlyLooks(line))
    if (!looks && !actsAtOnce(line)) return false
    const before = this.#done
    this.#done = before.then(async (said) => {
      const now = await sayOrTell(this.#scene, this.#asked, line)
      return said === 'failed' ? said : now
    })
    this.#done.catch(() => {}) // whoever asks is told
    return true
  }

  get done(): Promise<Said> {
    return this.#done
  }
}

interface Sitting {
  readonly scene: OpenScene
  readonly asked: Asked
  readonly atOnce: AtOnce
  readonly input: InputLines | undefined
  readonly stop: AbortSignal
}

async function sitting({ scene, asked, input, atOnce, stop }: Sitting): Promise<number> {
  const playsOn = asked.auto || asked.beats !== undefined
  let patience = playsOn ? PATIENCE_MS : undefined
  let failed = false
  await scene.idle()
  while (!stop.aborted && !isFull(scene, asked)) {
    const line = await input?.next(patience)
    if ((await atOnce.done) === 'failed') failed = true
    if (line !== undefined) {
      const said = await sayOrTell(scene, asked, line)
      if (said === 'left') return exitCodes.done
      if (said === 'failed') failed = true
      patience = playsOn ? PATIENCE_MS : undefined
    } else {
      if (!playsOn || !(await playsOneMore(scene, asked))) break
      patience = 0
    }
  }
  if (asked.beats !== undefined && !isFull(scene, asked)) return exitCodes.unfinished
  return failed ? exitCodes.badInput : exitCodes.done
}

type Said = 'said' | 'failed' | 'left'

/** A line that is refused is told, and the next one follows; any other fault ends the sitting. */
async function sayOrTell(scene: OpenScene, asked: Asked, line: string): Promise<Said> {
  try {
    return await say(scene, asked, line)
  } catch (error) {
    if (!isRefusal(error)) throw error
    tell(error.message)
    return 'failed'
  }
}

/** A command that could not be carried out has said why. */
async function say(scene: OpenScene, asked: Asked, line: string): Promise<Said> {
  if (line.trim() === '') return 'said'
  if (asksForHelp(line)) {
    tell(helpText())
    return 'said'
  }
  const speaker = scene.speaker()
  if (line.startsWith('/')) {
    const result = await runCommand(line, { scene, speaker, watching: true })
    if (!result) {
      tell(unknownCommandText(line))
      return 'failed'
    }
    if (!result.told) tell(result.text)
    if (result.leaves) return 'left'
    return result.kind === 'success' ? 'said' : 'failed'
  }
  const id = await scene.nextId('line')
  const outcome = await (await scene.submit(speaker, { id, text: line })).outcome
  if (outcome && outcome.failures.length === 0) tellEnding(scene, asked, outcome)
  return 'said'
}

/** Plays one beat without a line; false when nobody plays on, and it is told why. */
async function playsOneMore(scene: OpenScene, asked: Asked): Promise<boolean> {
  const result = await runCommand('/auto 1', { scene, speaker: scene.speaker(), watching: true })
  if (result?.ended?.status === 'answered') return true
  if (result?.ended) tellEnding(scene, asked, result.ended)
  else if (result) tell(result.text)
  return false
}

/** Not of the end that was asked for. */
function tellEnding(scene: OpenScene, asked: Asked, ending: Ending): void {
  if (!isFull(scene, asked)) tell(endingText(seatWords[scene.run.scene.language], ending))
}

function tell(text: string): void {
  if (text !== '') process.stderr.write(`${printable(text)}\n`)
}

function isFull(scene: OpenScene, { beats }: Asked): boolean {
  return beats !== undefined && scene.run.stage.beats >= beats
}
