/** Play at a terminal: type, watch, complete names with Tab; Ctrl-C stops the answer, a second one leaves. */
import { createInterface, type Interface } from 'node:readline'
import { type OpenScene, runCommand, sceneCommands } from 'dsh-tavern-scene'
import pc from 'picocolors'
import { exitCodes } from './exit.ts'
import type { Asked } from './play-pipe.ts'

/** Under npx one key press can arrive as two signals. */
const SAME_PRESS_MS = 200

export async function playTerminal(scene: OpenScene, asked: Asked): Promise<number> {
  const seat = new TerminalSeat(scene)
  await seat.run(asked)
  return exitCodes.done
}

class TerminalSeat {
  readonly #scene: OpenScene
  readonly #lines: Interface
  readonly #left = new AbortController()
  /** What is being answered; lines typed meanwhile follow it. */
  #answering: Promise<void> = Promise.resolve()
  #busy = 0
  #stoppedAt = 0

  constructor(scene: OpenScene) {
    this.#scene = scene
    this.#lines = createInterface({
      input: process.stdin,
      output: process.stdout,
      prompt: `${pc.bold(scene.cast.persona)}> `,
      completer: (line: string) => complete(scene, line),
    })
  }

  async run(asked: Asked): Promise<void> {
    const lines = this.#lines
    lines.on('SIGINT', () => this.#interrupt())
    lines.on('line', (line) => this.#take(line.trim()))
    const closed = new Promise<void>((resolve) => lines.once('close', resolve))
    this.#during(async () => {
      await this.#scene.idle()
      const { beats, auto } = asked
      if (beats !== undefined)
        await this.#scene.auto(beats - this.#scene.run.stage.beats, this.#left.signal)
      else if (auto) await this.#scene.auto(Number.MAX_SAFE_INTEGER, this.#left.signal)
    })
    await closed
    this.#left.abort()
    this.#scene.cancel()
    await this.#answering
    process.stdout.write(`${pc.dim('The scene is kept. Play it again to go on.')}\n`)
  }

  #take(line: string): void {
    if (line === '') return this.#ask()
    process.stdout.write('\n')
    this.#during(() => this.#say(line))
  }

  async #say(line: string): Promise<void> {
    const scene = this.#scene
    const speaker = scene.speaker()
    if (!line.startsWith('/')) {
      const id = await scene.nextId('line')
      const outcome = await (await scene.submit(speaker, { id, text: line })).outcome
      if (outcome?.status === 'nobody') this.#note('Nobody answers.')
      if (outcome?.status === 'capped') this.#note(`The cap '${outcome.cap}' is reached.`)
      return
    }
    if (line === '/help') return this.#note(helpText())
    const result = await runCommand(line, {
      scene,
      speaker,
      signal: this.#left.signal,
      watching: true,
    })
    if (!result) return this.#note(`No command '${line.split(/\s/, 1)[0]}'. ${helpText()}`)
    if (result.text !== '') this.#note(result.text)
    if (result.leaves) this.#lines.close()
  }

  /** One after another, in the order typed; the prompt returns when nothing is left to answer. */
  #during(task: () => Promise<void>): void {
    this.#busy += 1
    this.#answering = this.#answering.then(task).then(
      () => this.#done(),
      (error: unknown) => {
        this.#note(error instanceof Error ? error.message : String(error))
        this.#done()
      },
    )
  }

  #done(): void {
    this.#busy -= 1
    if (this.#busy === 0) this.#ask()
  }

  #ask(): void {
    if (!this.#left.signal.aborted) this.#lines.prompt(true)
  }

  #interrupt(): void {
    const now = Date.now()
    const again = now - this.#stoppedAt
    if (again < SAME_PRESS_MS) return
    this.#stoppedAt = now
    if (this.#busy === 0) return this.#lines.close()
    if (again < 3000) return this.#lines.close()
    this.#scene.cancel()
    this.#note('Stopped. Ctrl-C again leaves; the scene is kept.')
  }

  #note(text: string): void {
    process.stdout.write(`${pc.dim(text)}\n`)
  }
}

function helpText(): string {
  return sceneCommands.map(({ name, hint }) => `/${name}${hint ? ` ${hint}` : ''}`).join(', ')
}

/** Commands at the start, then ids and names of the cast. */
function complete(scene: OpenScene, line: string): [string[], string] {
  if (/^\/\S*$/.test(line)) {
    const commands = sceneCommands.map(({ name }) => `/${name} `)
    return [commands.filter((command) => command.startsWith(line)), line]
  }
  const word = /\S*$/.exec(line)?.[0] ?? ''
  const names = [...scene.cast.names].flatMap(([id, name]) =>
    line.startsWith('/') ? [id, name] : [name],
  )
  const fitting = names.filter((name) => name.toLowerCase().startsWith(word.toLowerCase()))
  return [word === '' ? names : fitting, word]
}
